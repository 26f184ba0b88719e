/**
 * Follows a run from its first step to its end: model steps, tool calls and transfers until an answer, a failure or a
 * cancellation.
 */
import { ActivityFailure, ApplicationFailure, sleep } from '@temporalio/workflow';
import type { DueDelivery, RunOutcome, ToolCallRef } from '../../src/domain/conversations/run-outcome.ts';
import {
  callbackActivities,
  channelActivities,
  modelActivities,
  recordActivities,
  toolActivities,
} from '../policies.ts';
import type { EndedRun } from './conversation-state.ts';

const { deliverCallback } = callbackActivities;

/**
 * @param note called with what the run waits for, which an operator sees
 * @returns how the run ended; undefined if there is no run to follow, or it no longer exists
 */
export async function followRun(
  first: RunOutcome,
  note: (doing: string) => void,
): Promise<EndedRun | undefined> {
  let outcome = first;
  let transferred = false;
  for (;;) {
    switch (outcome.next) {
      case 'answer':
      case 'failed': {
        const at = (outcome.next === 'answer' ? outcome.answeredAt : undefined) ?? Date.now();
        let callback = outcome.next === 'answer' ? outcome.callback : undefined;
        if (outcome.delivery) callback = await deliver(outcome.delivery, note);
        const { next, runId, wakeAt } = outcome;
        const followUps = outcome.next === 'answer' ? outcome.followUps : undefined;
        return {
          runId,
          outcome: next,
          transferred,
          at,
          ...(callback !== undefined && { callback }),
          ...(wakeAt !== undefined && { wakeAt }),
          ...(followUps && { followUps }),
        };
      }
      case 'transfer': {
        const { runId, step, delivery } = outcome;
        transferred = true;
        if (delivery) await deliver(delivery, note, 'the pre-transfer callback');
        note('asking the model of the destination agent');
        outcome = await orFailRun(() => modelStep(runId, step + 1, 'model call after a transfer'));
        break;
      }
      case 'attachments': {
        const { runId, step, attachments } = outcome;
        note('fetching attachments');
        await Promise.all(
          attachments.map((id) =>
            toolActivities.fetchAttachment.executeWithOptions({ summary: 'attachment' }, [id]),
          ),
        );
        note('asking the model');
        outcome = await orFailRun(() => modelStep(runId, step, 'model call'));
        break;
      }
      case 'tools': {
        const { runId, step, calls } = outcome;
        note('running tools');
        await runTools(runId, step, calls);
        note('asking the model with the results');
        outcome = await orFailRun(() => modelStep(runId, step + 1, 'model call after tools'));
        break;
      }
      case 'cancelled':
        return { runId: outcome.runId, outcome: 'cancelled', transferred, at: Date.now() };
      case 'gone':
      case 'idle':
      case 'waiting':
      case 'superseded':
        return undefined;
    }
  }
}

/** Runs a step. If the step has failed permanently, records the run as failed; rethrows every other error. */
export async function orFailRun<T extends RunOutcome>(step: () => Promise<T>): Promise<T | RunOutcome> {
  try {
    return await step();
  } catch (error) {
    const failedRun = idOfFailedRun(error);
    if (typeof failedRun !== 'string') throw error;
    return await recordActivities.failRun(failedRun);
  }
}

function idOfFailedRun(error: unknown): unknown {
  return (
    error instanceof ActivityFailure &&
    error.cause instanceof ApplicationFailure &&
    error.cause.type === 'RunFailed' &&
    error.cause.details?.[0]
  );
}

async function modelStep(runId: string, step: number, summary: string): Promise<RunOutcome> {
  return await modelActivities.continueRun.executeWithOptions({ summary }, [runId, step]);
}

/**
 * Posts a callback, or sends a reply through the gateway.
 * @param callback names the callback for an operator
 * @returns the delivery's final status
 */
export async function deliver(
  { id, kind }: DueDelivery,
  note: (doing: string) => void,
  callback = 'the callback',
): Promise<string> {
  if (kind === 'callback') {
    note(`posting ${callback}`);
    return await deliverCallback.executeWithOptions({ summary: 'callback' }, [id]);
  }
  note('sending the reply');
  return await reply(id);
}

/** Sends a reply through the gateway. Waits between the attempts, for example while the session is down. */
async function reply(id: string): Promise<string> {
  for (;;) {
    const progress = await channelActivities.sendReply.executeWithOptions({ summary: 'reply on WhatsApp' }, [
      id,
    ]);
    if (progress.next === 'done') return progress.status;
    await sleep(progress.ms, { summary: `reply waits: ${progress.why}` });
  }
}

/** Runs the calls in the model's order, because a later call may rely on what an earlier one wrote. */
async function runTools(runId: string, step: number, calls: readonly ToolCallRef[]): Promise<void> {
  for (const { position, name } of calls) {
    await toolActivities.runTool.executeWithOptions({ summary: name }, [runId, step, position]);
  }
}
