/**
 * The scopes of API tokens. Each operation that accepts a token requires one scope. Some require a second one, always
 * (`also`) or under a condition (`sometimes`). Imports no zod, so that the console can use this file without loading
 * zod.
 */
import { keysOf } from '../keys-of.ts';
import type { Capability } from './capabilities.ts';

/** Each scope, with the capability that a person needs to give it to a token. `member`: every member can give it. */
export const capabilityOfScope = {
  'messages.send': 'agents.manage',
  'agents.view': 'member',
  'agents.manage': 'agents.manage',
  'conversations.view': 'conversations.view',
  'conversations.take_over': 'conversations.take_over',
  'approvals.decide': 'approvals.decide',
  'deliveries.view': 'deliveries.view',
  'webhooks.manage': 'webhooks.manage',
  'requests.view': 'tokens.view',
  'channels.manage': 'channels.manage',
  'tools.view': 'member',
  'tools.run': 'tools.manage',
  'tools.manage': 'tools.manage',
  'data.view': 'data.manage',
  'data.manage': 'data.manage',
} as const satisfies Record<string, Capability | 'member'>;
export type TokenScope = keyof typeof capabilityOfScope;
export const tokenScopes: readonly TokenScope[] = keysOf(capabilityOfScope);

/**
 * Groups of scopes that the console offers for common programs. Full access is not one of them, because it is stored as
 * null instead of a list of scopes.
 */
export const scopePresets = {
  send: ['messages.send'],
  read: ['agents.view', 'conversations.view', 'deliveries.view', 'requests.view', 'tools.view', 'data.view'],
} as const satisfies Record<string, readonly TokenScope[]>;

/** @returns the scopes that a person with these capabilities may give to a token */
export function scopesToGive(capabilities: readonly Capability[]): TokenScope[] {
  return tokenScopes.filter((scope) => {
    const needed = capabilityOfScope[scope];
    return needed === 'member' || capabilities.includes(needed);
  });
}

/** @returns a token's scopes as text for the audit log; `full access` for undefined or null */
export function accessText(scopes: readonly TokenScope[] | null | undefined): string {
  return scopes?.join(', ') ?? 'full access';
}

/**
 * Maximum number of agents to which a token can be bound. Chosen: an operation that lists rows may make one query for
 * each of these agents.
 */
export const maxAgentsOfToken = 20;
