/**
 * Wraps every activity. Sends heartbeats, so that Temporal detects a lost worker and the activity receives its
 * cancellation. Logs the activity's end in one line. Redacts unexpected errors, because they may contain a row, a URL
 * or a customer's text, and operators read workflow histories.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { heartbeat } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { z } from 'zod';
import { conversationOfWorkflow } from '../contract/workflows.ts';
import type { Logger } from '../log.ts';
import { withIds } from '../observability/spans.ts';
import { transient } from './failures.ts';

/** Milliseconds between two heartbeats. Chosen below a third of the shortest heartbeat timeout, 10 s (policies.ts). */
const heartbeatEveryMs = 3000;

/** The current work of an activity. Must not contain conversation text, because operators read it in Temporal. */
interface Doing {
  doing: string;
  /** Number of runs that this activity has answered. */
  answered: number;
  /** Id of the last run that this activity has answered; absent if there is none. */
  last?: string;
}

/** The details in an activity's heartbeats, which an operator sees in Temporal's UI. */
interface ActivityDetails {
  /** Absent until the activity calls noteDoing(). */
  now?: Doing & {
    /** Time of the call of noteDoing(), in ISO 8601. */
    since: string;
  };
}

const detailsNow = new AsyncLocalStorage<ActivityDetails>();

/** Sets the details that the current activity's next heartbeats report. Does nothing outside of an activity. */
export function noteDoing(doing: Doing): void {
  const details = detailsNow.getStore();
  if (details !== undefined) details.now = { ...doing, since: new Date().toISOString() };
}

/**
 * Creates the interceptors that wrap every activity.
 * @param log gets one line at the end of each activity, with the activity's ids: a warning if the activity returned a
 * failure (see `isFailure`), otherwise a debug line. It also gets each unexpected error, unredacted.
 */
export function aroundActivities(log: Logger): ActivityInterceptorsFactory {
  return ({ info }) => {
    const { workflowExecution: workflow, activityType: activity, attempt } = info;
    const conversation = conversationOfWorkflow(workflow?.workflowId);
    const ids = {
      activity,
      ...(workflow && { workflow_id: workflow.workflowId, temporal_run_id: workflow.runId }),
      ...(conversation !== undefined && { conversation_id: conversation }),
    };
    return {
      inbound: {
        execute: async (input, next) =>
          // Copies the ids, because the activity adds further ids to the object.
          await withIds({ ...ids }, async () => {
            const details: ActivityDetails = {};
            const beats = setInterval(() => {
              heartbeat(details.now);
            }, heartbeatEveryMs);
            const began = performance.now();
            const ended = (end: ActivityEnd) => {
              const duration_ms = Math.round(performance.now() - began);
              log[isFailure(activity, end) ? 'warn' : 'debug'](
                { attempt, duration_ms, ...end },
                'activity ended',
              );
            };
            try {
              const result: unknown = await detailsNow.run(details, () => next(input));
              ended(endOf(result));
              return result;
            } catch (error) {
              ended({ outcome: 'thrown' });
              if (error instanceof ApplicationFailure || isCancellation(error)) throw error;
              log.error({ attempt, err: error }, 'an activity failed unexpectedly');
              throw redacted(error);
            } finally {
              clearInterval(beats);
            }
          }),
      },
    };
  };
}

interface ActivityEnd {
  /** The returned text, status or next step; `thrown` if the activity threw; undefined for any other result. */
  outcome?: string | undefined;
  /** Outcome of the callback, if the activity posted one. */
  callback?: string | undefined;
}

/**
 * True if the activity returned a failure: a failed or blocked delivery, a failed run, or an unknown outcome. False for
 * a blocked reply, because Parley must not send it, for example during a takeover. False for an activity that threw,
 * because Temporal records that failure, and usually retries.
 */
function isFailure(activity: string, { outcome, callback }: ActivityEnd): boolean {
  const ended = callback ?? outcome;
  return ended === 'failed' || ended === 'unknown' || (ended === 'blocked' && activity !== 'sendReply');
}

const step = z.object({ next: z.string(), callback: z.string().optional(), status: z.string().optional() });

function endOf(result: unknown): ActivityEnd {
  if (typeof result === 'string') return { outcome: result };
  const { data } = step.safeParse(result);
  return data === undefined ? {} : { outcome: data.status ?? data.next, callback: data.callback };
}

function isCancellation(error: unknown): boolean {
  return error instanceof CancelledFailure || (error instanceof Error && error.name === 'AbortError');
}

/** @returns a retryable failure that contains only the error's class and code, for example `DatabaseError 42P08` */
function redacted(error: unknown): ApplicationFailure {
  const failure = transient('Unforeseen', `${kindOf(error)}: its message is in the worker's log.`);
  // Removes the stack, because it contains paths of files on the worker's machine.
  failure.stack = '';
  return failure;
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'A fault';
  const { name } = error.constructor;
  const code = 'code' in error && typeof error.code === 'string' && /^[A-Z\d_]+$/.test(error.code);
  return code ? `${name} ${String(error.code)}` : name;
}
