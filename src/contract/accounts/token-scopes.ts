/**
 * What an API token may do. Each operation of /v1 requires exactly one scope. In a file without zod, so that the console
 * can import it.
 */
import type { Capability } from './capabilities.ts';

export const tokenScopes = [
  'messages.send',
  'agents.view',
  'agents.manage',
  'conversations.view',
  'conversations.take_over',
  'deliveries.view',
  'channels.manage',
  'tools.view',
  'tools.run',
  'tools.manage',
  'data.view',
  'data.manage',
] as const;
export type TokenScope = (typeof tokenScopes)[number];

/**
 * The capability of a person that each scope is part of: nobody can give a token a scope without that capability.
 * 'member': every member has it.
 */
export const capabilityOfScope = {
  'messages.send': 'agents.manage',
  'agents.view': 'member',
  'agents.manage': 'agents.manage',
  'conversations.view': 'conversations.view',
  'conversations.take_over': 'conversations.take_over',
  'deliveries.view': 'deliveries.view',
  'channels.manage': 'channels.manage',
  'tools.view': 'member',
  'tools.run': 'tools.manage',
  'tools.manage': 'tools.manage',
  'data.view': 'data.manage',
  'data.manage': 'data.manage',
} as const satisfies Record<TokenScope, Capability | 'member'>;

/** Selections of scopes for common programs. Full access, which includes scopes of later versions, is not a selection. */
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
