/**
 * Creates all activities from their dependencies. Workflows import only the types of this file, and nothing from the
 * other files of this folder.
 */
import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { takeOverServing } from '../src/adapters/postgres/conversations/serving.ts';
import { continueRun, startFollowUp, startRun } from '../src/app/conversations/advance-run.ts';
import { fetchFile, patienceMs } from '../src/app/conversations/fetch-file.ts';
import { runToolCall } from '../src/app/conversations/run-tool-call.ts';
import { eraseDue, eraseExpired } from '../src/app/data/erase-due.ts';
import type { ActivityDeps } from '../src/app/deps.ts';
import { executeTool } from '../src/app/execute-tool.ts';
import { rehearse } from '../src/app/rehearsals/rehearse.ts';
import { checkChannel } from '../src/app/whatsapp/check-channel.ts';
import { sendReply } from '../src/app/whatsapp/send-reply.ts';
import { watchChannels } from '../src/app/whatsapp/watch-channels.ts';
import { endAction } from '../src/app/workspace/end-action.ts';
import { givenUp } from '../src/app/workspace/execute-action.ts';
import { addIds } from '../src/observability/spans.ts';
import { countRun } from '../src/observability/worker-metrics.ts';
import { deliverCallbackActivity } from './conversations/deliver-callback.ts';
import { cleanUpActivity } from './upkeep/clean-up.ts';
import { recoverActivity } from './upkeep/recover.ts';

/** @returns whether this attempt repeats an earlier one, and the signal that cancels it */
const thisAttempt = () => ({ repeated: activityInfo().attempt > 1, signal: cancellationSignal() });

export function createActivities(deps: ActivityDeps) {
  return {
    /**
     * Claims the next due group of the conversation and makes its first model call. With WARM_TURNS above 1, may also
     * wait for the next inputs and answer them. A repeated call continues the run that an earlier attempt claimed, or
     * returns its outcome if it has ended.
     * @returns `waiting` if the open group is not due yet, or if deliveries must be sent first; `idle` if no group is
     * open; otherwise the outcome of the last run's step. `earlier` contains the outcomes of the runs before the last
     * one.
     * @throws ApplicationFailure: retryable if the call may succeed later; otherwise `RunFailed`, which is not retried
     */
    startRun: async (conversationId: string, flush = false) => {
      const { activityId, workflowExecution } = activityInfo();
      const claimant = `${workflowExecution?.runId ?? ''}/${activityId}`;
      return await startRun(deps, conversationId, { claimant, flush, ...thisAttempt() });
    },
    /**
     * Claims a follow-up and makes its first model call. A repeated call continues the run that an earlier attempt
     * claimed, or returns its outcome if it has ended.
     * @returns the outcome of the step; `superseded` if the follow-up is no longer due, for example because the user
     * has written
     * @throws ApplicationFailure: retryable if the call may succeed later; otherwise `RunFailed`, which is not retried
     */
    startFollowUp: async (conversationId: string, of: string, number: number) =>
      await startFollowUp(deps, conversationId, { of, number, ...thisAttempt() }),
    /**
     * Makes the next model call of a run, after tools, attachments or a transfer, and records the step. Makes no call
     * if the step is already recorded.
     * @returns the outcome of the step: an answer, tools, a transfer or attachments; `cancelled` if the run was
     * cancelled; `failed` if too many of its workers were lost; `gone` if the run was erased or has ended otherwise
     * @throws ApplicationFailure: retryable if the call may succeed later; otherwise `RunFailed`, which is not retried
     */
    continueRun: async (runId: string, step: number) => await continueRun(deps, runId, step, thisAttempt()),
    /**
     * Records a run as failed. Its error is the run's last recorded model error or, if there is none, a general message.
     * Idempotent: returns the outcome of a run that has already ended, and `gone` for an erased run.
     */
    failRun: async (runId: string) => {
      addIds({ run_id: runId });
      const outcome = await deps.runs.fail(runId);
      if (outcome.next === 'failed') countRun({ outcome: 'failed' });
      return outcome;
    },
    /**
     * Ends the serving of a conversation: the activity that answers its inputs one after another stops waiting for the
     * next one, so that the workflow continues. Does nothing if no activity serves the conversation. Idempotent.
     */
    endServing: async (conversationId: string): Promise<void> => {
      await takeOverServing(deps.db, conversationId);
    },
    /**
     * Runs one tool call of a run and records its result, which the run's next model call reads. Does nothing if the
     * call has a result, or if its run has ended or was erased.
     * @returns `ended`; `waits` if a person must still approve the call. `until` is then the time (epoch ms) at which
     * the activity must be repeated: when the approval expires, or earlier to ask the approvers again.
     * @throws a retryable failure if the call must be tried again later
     */
    runTool: async (runId: string, step: number, position: number) =>
      await runToolCall(deps, { runId, step, position, signal: cancellationSignal() }),
    /**
     * Fetches an attachment before the model call. If the file cannot be fetched, or is still unavailable `patienceMs`
     * after the activity was scheduled, records this in the attachment's state, and the run continues without the file.
     * A repeated call fetches the file again, unless the file is stored or its state is final.
     * @throws a retryable failure if the file is temporarily unavailable and `patienceMs` have not passed, if this
     * worker has no memory left for the organization's fetches, or if the organization uses all of its slots
     */
    fetchAttachment: async (attachmentId: string) => {
      const isLastTry = Date.now() - activityInfo().scheduledTimestampMs > patienceMs;
      await fetchFile(deps, attachmentId, { isLastTry, signal: cancellationSignal() });
    },
    deliverCallback: deliverCallbackActivity(deps),
    /**
     * Sends the parts of a reply that can be sent now. A repeated call skips parts whose outcome is final.
     * @returns `done` with the reply's final status, or with `gone` if the reply was erased or already had a final
     * status; `wait`, with the milliseconds and the reason, if the activity must be repeated later
     * @throws a retryable failure if another attempt has claimed a part, or the organization uses all of its slots
     */
    sendReply: async (deliveryId: string) => await sendReply(deps, deliveryId, cancellationSignal()),
    /**
     * Runs one channel check: connect, verify, edit or disconnect. Idempotent: if the check has a recorded result,
     * returns this result without calling the gateway.
     * @returns the result; `withdrawn` if the check was withdrawn, or the check or its channel no longer exists
     */
    checkChannel: async (checkId: string) => await checkChannel(deps, checkId),
    /**
     * Runs one round of `watchChannels`: checks the sessions and webhooks of the connected channels that are due for a
     * check, and posts alerts. Also fetches files for which no run waits, and checks refused workspace connections
     * again. Safe to repeat.
     * @returns how many channels were due, and how many alerts it tried to post
     */
    watchChannels: async () => await watchChannels(deps, cancellationSignal()),
    /**
     * Makes one attempt at a recorded execution of a document action, an HTTP tool or an MCP server's tool that was
     * called through the API, the console or MCP, and stores its result. Does nothing if the execution has a result or
     * was erased. If too many workers were lost, stores a failed result.
     * @throws a retryable failure if the attempt must be repeated later
     */
    runToolAction: async (executionId: string): Promise<void> => {
      await deps.attempts.guarded<unknown>(`action/${executionId}`, {
        work: () => executeTool(deps, executionId, cancellationSignal()),
        giveUp: (why) => endAction(deps.docs.db, { id: executionId }, givenUp(why)),
      });
    },
    /**
     * Rehearses the next turns of a rehearsal, with dependencies that cannot send a message or change a customer's
     * data. A repeated call skips turns with a recorded outcome.
     * @returns how many turns have an outcome, how many have none, and whether the rehearsal continues
     * @throws a retryable failure if a turn must wait for a model slot or for credits, or the organization uses all of
     * its slots
     */
    rehearse: async (id: string) => await rehearse(deps.rehearsals, id, cancellationSignal()),
    recover: recoverActivity(deps),
    /** Former name of `recover`. Workflows that started before the patch `recovery-alone` still call it. */
    sweepStalled: recoverActivity(deps),
    cleanUp: cleanUpActivity(deps),
    /**
     * Runs one round of erasure. Safe to repeat.
     * @returns how many erasures and expired conversations were processed, including those that failed and are retried
     * in a later round
     */
    erase: async () => ({ erasures: await eraseDue(deps), expired: await eraseExpired(deps) }),
  };
}

export type Activities = ReturnType<typeof createActivities>;
