/**
 * What attempts at a call of an organization's own tool have in common, whatever its kind: one recorded result, bounded
 * retries of reads, and a write that is claimed before its first byte leaves and is never sent again.
 */
import {
  countToolFailure,
  findToolExecution,
  toolStepLog,
  type ToolExecution,
} from '../adapters/postgres/workspace/tool-executions.ts';
import type { HttpToolResult } from '../contract/http-tools/http-tools.ts';
import { NoSlot } from '../limits/limiter.ts';
import { transient } from '../worker/failures.ts';
import type { HttpToolDeps } from './http-tools/deps.ts';
import { endAction } from './workspace/end-action.ts';

/** Attempts of one call. Only reads and DNS look-ups are retried, and they share this count. Chosen. */
const maxAttempts = 3;
const retryMs = { min: 1000, max: 10_000 };
const busyMs = 1000;
/** Margin in milliseconds after which the request of an earlier attempt must have ended. Chosen. */
const marginMs = 2000;
/** If the process is paused for longer between claim and send, another attempt may have recorded an outcome. Chosen. */
const pausedMs = 1500;
/** The name of the step that is claimed before a write is sent. */
const requestStep = 'request';

/** Statuses with which a server asks to try again later. */
export const passingStatuses: readonly number[] = [429, 502, 503, 504];

/** Returns a failed result with a text for the model. */
export const failed = (text: string): HttpToolResult => ({ outcome: 'failed', text });

/** @param why the end of a sentence */
export const unknown = (why: string): HttpToolResult => ({
  outcome: 'unknown',
  text: `UNKNOWN_OUTCOME: the request was sent, but ${why}. It may have been carried out. Parley does not send it again: check whether it took effect before you call this tool again.`,
});

/** What a model reads of a write that failed after it was sent. */
export const maybeCarriedOut = ' The request may have been carried out: check before you call again.';

/** @returns the recorded result */
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
 * Makes one attempt and stores its result before returning it. Idempotent: if there is a result, returns it.
 * @param executionId id of a row in tool_executions
 * @throws ApplicationFailure, retryable, without any text of the caller or the server; whatever `attempt` throws
 */
export async function executeOwnTool(
  deps: HttpToolDeps,
  executionId: string,
  attempt: (execution: ToolExecution) => Promise<HttpToolResult>,
): Promise<HttpToolResult> {
  const execution = await findToolExecution(deps.db, executionId);
  if (execution === undefined) return failed('The call is gone.');
  if (execution.status !== 'pending') return resultOf(execution);
  const { outcome, text } = await deps.shares.use(execution.organization_id, async () => {
    const free = await hold(deps, execution.organization_id);
    try {
      return await attempt(execution);
    } finally {
      free();
    }
  });
  const successful = outcome === 'succeeded';
  await endAction(
    deps.db,
    { id: executionId },
    {
      ...{ successful, isUnknown: outcome === 'unknown' },
      ...(successful ? { data: text } : { data: '{}', error: text }),
    },
  );
  // Another attempt may have recorded another outcome meanwhile, which then holds.
  const ended = await findToolExecution(deps.db, executionId);
  return ended === undefined ? failed('The call is gone.') : resultOf(ended);
}

async function hold({ calls }: HttpToolDeps, organizationId: string): Promise<() => void> {
  try {
    return await calls.hold(organizationId);
  } catch (error) {
    if (!(error instanceof NoSlot)) throw error;
    throw transient('Busy', 'Too many calls of own tools are in progress.', busyMs);
  }
}

/**
 * Checks whether an earlier attempt claimed the request of this write.
 * @returns `unknown` if it did, and must have ended; undefined if none did
 * @throws ApplicationFailure, retryable, if it may still be in progress
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
 * Claims the request of a write, which must be sent at once.
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

/** Throws a failure with a retry delay. After the last attempt, returns the result instead. */
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
