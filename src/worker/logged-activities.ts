/**
 * Logs the end of each activity with the ids of its subject: as a warning if something failed that somebody waits
 * for, as debug otherwise.
 */
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import type { Info } from '@temporalio/activity';
import { z } from 'zod';
import { conversationOfWorkflow } from '../contract/workflows.ts';
import { withIds, type Ids } from '../observability/ids.ts';

export interface ActivityEnd {
  attempt: number;
  duration_ms: number;
  /** The next step that the activity returned, or a delivery's status; `thrown` if it threw. */
  outcome?: string;
  /** The status of a callback that was posted within the step. */
  callback?: string;
}

export function loggedActivities(
  info: Info,
  log: (level: 'debug' | 'warn', end: ActivityEnd) => void,
): ActivityInboundCallsInterceptor {
  const { workflowExecution, activityType, attempt } = info;
  const ids: Ids = {
    activity: activityType,
    ...(workflowExecution && {
      workflow_id: workflowExecution.workflowId,
      temporal_run_id: workflowExecution.runId,
    }),
  };
  return {
    execute: async (input, next) =>
      await withIds({ ...ids, ...ofConversation(workflowExecution?.workflowId) }, async () => {
        const began = performance.now();
        const ended = (said: Pick<ActivityEnd, 'outcome' | 'callback'>) => {
          log(isFailure(activityType, said) ? 'warn' : 'debug', {
            ...{ attempt, duration_ms: Math.round(performance.now() - began) },
            ...said,
          });
        };
        try {
          const result: unknown = await next(input);
          ended(said(result));
          return result;
        } catch (error) {
          ended({ outcome: 'thrown' });
          throw error;
        }
      }),
  };
}

/** True if somebody did not get what they wait for. A reply blocked by a takeover is no failure. */
function isFailure(
  activity: string,
  { outcome = '', callback = '' }: Pick<ActivityEnd, 'outcome' | 'callback'>,
) {
  const ended = callback === '' ? outcome : callback;
  return ended === 'failed' || ended === 'unknown' || (ended === 'blocked' && activity !== 'sendReply');
}

const step = z.object({ next: z.string(), callback: z.string().optional(), status: z.string().optional() });

function said(result: unknown): Pick<ActivityEnd, 'outcome' | 'callback'> {
  if (typeof result === 'string') return { outcome: result };
  const { data } = step.safeParse(result);
  if (data === undefined) return {};
  return {
    outcome: data.status ?? data.next,
    ...(data.callback !== undefined && { callback: data.callback }),
  };
}

function ofConversation(workflowId: string | undefined): Ids {
  const conversation = conversationOfWorkflow(workflowId);
  return conversation === undefined ? {} : { conversation_id: conversation };
}
