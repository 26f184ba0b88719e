import { cancellationSignal } from '@temporalio/activity';
import { runToolCall } from '../../src/app/conversations/run-tool-call.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';
import type { ToolCallProgress } from '../../src/domain/conversations/run-outcome.ts';

/**
 * Runs one tool call of a run and records its result, which the run's next model call reads. Does nothing if the call
 * has a result, or if its run has ended or was erased.
 * @returns `ended`; `waits` if a person must still approve the call. `until` is then the time (epoch ms) at which the
 * activity must be repeated: when the approval expires, or earlier to ask the approvers again.
 * @throws a retryable failure if the call must be tried again later
 */
export function runToolActivity(deps: ActivityDeps) {
  return async (runId: string, step: number, position: number): Promise<ToolCallProgress> => {
    return await runToolCall(deps, { runId, step, position, signal: cancellationSignal() });
  };
}
