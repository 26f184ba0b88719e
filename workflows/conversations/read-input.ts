/** What is sent to a workflow may come from anyone's hand or another version: it is read before it is believed. */
import type { Control } from '../../src/contract/workflows.ts';

/** No group waits for so long; a later time is a mistake. */
const longestLookMs = 24 * 60 * 60 * 1000;
const commands: readonly Control[] = ['flush', 'stopFollowUps', 'close'];
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** @returns when to look (epoch ms); undefined for data that name no such time */
export function readNudge(data: unknown, now: number): number | undefined {
  const at = timeIn(data);
  return typeof at === 'number' && at >= 0 && at <= now + longestLookMs ? at : undefined;
}

export function timeIn(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'at' in data ? data.at : undefined;
}

/** @returns undefined for data that are none of the commands */
export function readControl(data: unknown): Control | undefined {
  return commands.find((command) => command === data);
}

export function isRowId(data: unknown): data is string {
  return typeof data === 'string' && uuid.test(data);
}

/** @returns the milliseconds, or `otherwise` for data that name none */
export function readMs(data: unknown, otherwise: number): number {
  return typeof data === 'number' && data >= 0 && data <= longestLookMs ? data : otherwise;
}
