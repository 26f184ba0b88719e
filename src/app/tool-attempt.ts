/**
 * Implements the retries and claims that HTTP tools and tools of MCP servers share. A read is retried a bounded number
 * of times. A write is claimed before its first byte leaves, and is never sent again.
 */
import {
  countToolFailure,
  toolStepLog,
  type ToolExecution,
} from '../adapters/postgres/workspace/tool-executions.ts';
import type { HttpToolResult } from '../contract/http-tools/http-tools.ts';
import { transient } from '../worker/failures.ts';
import type { HttpToolDeps } from './http-tools/deps.ts';

/**
 * Maximum attempts of one call. Only reads, DNS look-ups and the opening of MCP sessions are retried, and they share
 * this count. Chosen.
 */
const maxAttempts = 3;
const retryMs = { min: 1000, max: 10_000 };
/**
 * Milliseconds added to the timeout of an earlier attempt's request. After that time, the request must have ended.
 * Chosen.
 */
const marginMs = 2000;
/**
 * Maximum milliseconds between claim and send. A process that is paused for longer sends nothing, because another
 * attempt may have recorded an outcome. Chosen.
 */
const pausedMs = 1500;
/** Name of the step that records the claim of a write. */
const requestStep = 'request';

/** HTTP statuses after which the same request may succeed later. */
export const passingStatuses: readonly number[] = [429, 502, 503, 504];

/** Returns a failed result with a text for the model. */
export const failed = (text: string): HttpToolResult => ({ outcome: 'failed', text });

/**
 * Returns the result of a write whose outcome was lost, with a text for the model.
 * @param why the cause, as the end of the sentence "the request was sent, but …"
 */
export const unknown = (why: string): HttpToolResult => ({
  outcome: 'unknown',
  text: `UNKNOWN_OUTCOME: the request was sent, but ${why}. It may have been carried out. Parley does not send it again: check whether it took effect before you call this tool again.`,
});

/** Added to the error text for the model if a write failed after it was sent. */
export const maybeCarriedOut = ' The request may have been carried out: check before you call again.';

/** @returns the recorded result of an ended call, with the text that a model reads */
export function resultOf({
  status,
  data,
  error,
}: Pick<ToolExecution, 'status' | 'data' | 'error'>): HttpToolResult {
  return status === 'succeeded'
    ? { outcome: 'succeeded', text: data ?? '' }
    : { outcome: status === 'unknown' ? 'unknown' : 'failed', text: error ?? '' };
}

/**
 * Checks whether an earlier attempt claimed the request of this write.
 * @param timeoutSeconds the tool's timeout, in seconds
 * @returns `unknown` if one did and its request must have ended by now; undefined if none did
 * @throws ApplicationFailure, retryable, if that request may still be in progress
 */
export async function earlierAttempt(
  deps: HttpToolDeps,
  execution: ToolExecution,
  timeoutSeconds: number,
): Promise<HttpToolResult | undefined> {
  const claimedMsAgo = await toolStepLog(deps.db, execution.id).claimedMsAgo(requestStep);
  const patienceMs = timeoutSeconds * 1000 + marginMs;
  if (claimedMsAgo < patienceMs)
    throw transient(
      'Attempting',
      'An earlier attempt may still be in progress.',
      Math.min(2000, patienceMs - claimedMsAgo + 50),
    );
  return Number.isFinite(claimedMsAgo)
    ? unknown('the process ended while it waited for the answer')
    : undefined;
}

/**
 * Claims the request of a write. The caller must send the request at once.
 * @returns the milliseconds since the claim began, or why the request must not be sent
 * @throws ApplicationFailure, retryable, if another attempt has claimed it
 */
export async function claimRequest(
  deps: HttpToolDeps,
  execution: ToolExecution,
): Promise<{ kind: 'claimed'; passedMs: number } | { kind: 'ended'; result: HttpToolResult }> {
  const claiming = performance.now();
  if ((await toolStepLog(deps.db, execution.id).claim(requestStep)) === 'already_claimed')
    throw transient('ClaimedElsewhere', 'Another attempt has claimed this request.', 500);
  const passedMs = performance.now() - claiming;
  return passedMs > pausedMs
    ? { kind: 'ended', result: failed('The request was not sent: the process was paused before it.') }
    : { kind: 'claimed', passedMs };
}

/**
 * Counts a failed attempt and throws a retryable failure with a delay. After the last attempt, returns a failed result
 * with the text instead.
 * @param delayMs milliseconds, limited to the bounds of `retryMs`; by default, doubles with each attempt from
 * `retryMs.min`
 */
export async function again(
  deps: HttpToolDeps,
  execution: ToolExecution,
  text: string,
  delayMs = retryMs.min * 2 ** execution.failures,
): Promise<HttpToolResult> {
  if (execution.failures + 1 >= maxAttempts) return failed(text);
  await countToolFailure(deps.db, execution.id);
  throw transient(
    'ToolFault',
    `The call of a tool failed (${execution.failures + 1} of ${maxAttempts}); it is tried again.`,
    Math.min(Math.max(delayMs, retryMs.min), retryMs.max),
  );
}
