/**
 * The scopes of API tokens. Each operation of /v1 requires exactly one. In a file without zod, so that the console can
 * import it.
 */
import { keysOf } from '../keys-of.ts';
import type { Capability } from './capabilities.ts';

/** Each scope, and the capability that a person needs to give it to a token. `member`: every member can give it. */
export const capabilityOfScope = {
  'messages.send': 'agents.manage',
  'agents.view': 'member',
  'agents.manage': 'agents.manage',
  'conversations.view': 'conversations.view',
  'conversations.take_over': 'conversations.take_over',
  'approvals.decide': 'approvals.decide',
  'deliveries.view': 'deliveries.view',
  'webhooks.manage': 'webhooks.manage',
  'channels.manage': 'channels.manage',
  'tools.view': 'member',
  'tools.run': 'tools.manage',
  'tools.manage': 'tools.manage',
  'data.view': 'data.manage',
  'data.manage': 'data.manage',
} as const satisfies Record<string, Capability | 'member'>;
export type TokenScope = keyof typeof capabilityOfScope;
export const tokenScopes: readonly TokenScope[] = keysOf(capabilityOfScope);

/** Selections of scopes for common programs. Full access is not among them, because it includes future scopes. */
export const scopePresets = {
  send: ['messages.send'],
  read: ['agents.view', 'conversations.view', 'deliveries.view', 'tools.view', 'data.view'],
} as const satisfies Record<string, readonly TokenScope[]>;

/** @returns the scopes that a person with these capabilities can give to a token */
export function scopesToGive(capabilities: readonly Capability[]): TokenScope[] {
  return tokenScopes.filter((scope) => {
    const needed = capabilityOfScope[scope];
    return needed === 'member' || capabilities.includes(needed);
  });
}

/** @returns a token's scopes for the audit log; undefined or null means full access */
export function accessText(scopes: readonly TokenScope[] | null | undefined): string {
  return scopes?.join(', ') ?? 'full access';
}

/** The maximum number of agents that a token can be bound to. Its lists are read agent by agent. Chosen. */
export const maxAgentsOfToken = 20;
