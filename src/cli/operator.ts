/** Creates the actor of the audit events that the command line records. */
import { userInfo } from 'node:os';
import type { Actor } from '../adapters/postgres/accounts/audit-log.ts';

/**
 * @returns an actor named after the operating system's user; after the user's number if the user has no name, as in
 * some containers
 */
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
