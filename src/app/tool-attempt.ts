/**
 * Implements the retries and claims that HTTP tools and tools of MCP servers share. A read is attempted at most
 * `maxAttempts` times. A write is claimed before its first byte is sent, and is never sent again.
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
 * Maximum failed attempts of one call. The failures of all steps that are retried count together: reads, DNS look-ups,
 * and the opening of an MCP session with the comparison of its tools. Chosen.
 */
const maxAttempts = 3;
const retryMs = { min: 1000, max: 10_000 };
/**
 * Milliseconds that are added to the tool's timeout. Once both have passed since a claim, the request of the attempt
 * that made the claim must have ended. Chosen.
 */
const marginMs = 2000;
/**
 * Maximum milliseconds that a claim may take. If the process was paused for longer, it sends nothing, because another
 * attempt may have recorded an outcome since. Chosen.
 */
const pausedMs = 1500;
/** Name of the step that records the claim of a write. */
const requestStep = 'request';

/** HTTP statuses of failures that may be temporary. A read with such a status is retried. */
export const passingStatuses: readonly number[] = [429, 502, 503, 504];

/** Returns a failed result with a text for the model. */
export const failed = (text: string): HttpToolResult => ({ outcome: 'failed', text });

/**
 * Returns the result of a write whose outcome was lost, with a text for the model.
 * @param why the cause, which completes the sentence "the request was sent, but …"
 */
export const unknown = (why: string): HttpToolResult => ({
  outcome: 'unknown',
  text: `UNKNOWN_OUTCOME: the request was sent, but ${why}. It may have been carried out. Parley does not send it again: check whether it took effect before you call this tool again.`,
});

/**
 * Added to the error text for the model if a write was sent and failed, because it may have been carried out
 * nevertheless.
 */
export const maybeCarriedOut = ' The request may have been carried out: check before you call again.';

/** @returns the stored result of a call that has ended, with the text for the model */
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
 * Checks whether an earlier attempt has claimed the request of this write.
 * @param timeoutSeconds the tool's timeout, in seconds
 * @returns undefined if no attempt has claimed it; the result `unknown` if one has, and its request must have ended by
 * now
 * @throws ApplicationFailure, retryable, if the request of an earlier attempt may still be in progress
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
 * Claims the request of a write. The caller must then send the request at once.
 * @returns `claimed` with the milliseconds that the claim took; `ended` with a failed result if the claim took longer
 * than `pausedMs`: the request must then not be sent
 * @throws ApplicationFailure, retryable, if another attempt has claimed the request
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
 * Ends a failed attempt, and counts the failure if another attempt follows.
 * @param text the failure, as the model reads it
 * @param delayMs milliseconds until the next attempt, limited to the bounds of `retryMs`; by default, `retryMs.min`,
 * doubled with each failure
 * @returns a failed result with `text` if this was the last attempt
 * @throws ApplicationFailure, retryable after the delay, if another attempt follows
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
