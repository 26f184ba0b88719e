/** Names the actor of audit events that the command line writes. */
import { userInfo } from 'node:os';
import type { Actor } from '../adapters/postgres/accounts/audit-log.ts';

/** @returns the operating system's user as an actor; a user without a name, as in some containers, appears by number */
export function operator(): Extract<Actor, { kind: 'system' }> {
  return { kind: 'system', name: `command line (${account()})` };
}

function account(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
