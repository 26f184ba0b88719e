/** A line in the log at the end of each activity, with the ids of what it was about: a warning where something failed
 *  that somebody waits for, for debugging otherwise. */
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import type { Info } from '@temporalio/activity';
import { z } from 'zod';
import { conversationOfWorkflow } from '../contract/workflows.ts';
import { withIds, type Ids } from '../observability/ids.ts';

export interface ActivityEnd {
  attempt: number;
  duration_ms: number;
  /** What the activity says is next, or how a delivery ended; `thrown` where it did not end. */
  outcome?: string;
  /** How a callback ended that was posted at once. */
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

/** What somebody did not get. A reply is blocked where a person has taken over: that is as it should be. */
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
