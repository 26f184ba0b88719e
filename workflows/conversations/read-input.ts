/** Validates signals and arguments, because a person or another version may have sent them. */
import type { Control } from '../../src/contract/workflows.ts';

/** One day in milliseconds. No group waits for so long, so a later time is a mistake. */
const maxLookMs = 24 * 60 * 60 * 1000;
const commands: readonly Control[] = ['flush', 'stopFollowUps', 'close'];
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** @returns when to check (epoch ms); undefined if the data has no valid time */
export function readNudge(data: unknown, now: number): number | undefined {
  const at = timeIn(data);
  return typeof at === 'number' && at >= 0 && at <= now + maxLookMs ? at : undefined;
}

/** @returns the field `at` of a signal, unchecked; undefined if there is none */
export function timeIn(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'at' in data ? data.at : undefined;
}

/** @returns the command; undefined for any other data */
export function readControl(data: unknown): Control | undefined {
  return commands.find((command) => command === data);
}

/** True if the data is a UUID. */
export function isRowId(data: unknown): data is string {
  return typeof data === 'string' && uuid.test(data);
}

/** @returns the milliseconds, or `otherwise` if the data is not a number from 0 to a day */
export function readMs(data: unknown, otherwise: number): number {
  return typeof data === 'number' && data >= 0 && data <= maxLookMs ? data : otherwise;
}
