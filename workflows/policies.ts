/**
 * Defines the timeouts and retry policies of each kind of activity. Temporal retries without a limit. The activities
 * themselves count failed model calls and lost workers in Postgres, and give up after too many.
 */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { activitySeconds } from '../src/domain/time-limits.ts';

const patient = { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '5s' } as const;

/**
 * The start-to-close timeout is longer than the maximum time of the model call in the activity. Temporal detects a
 * lost worker earlier, because the worker's heartbeats stop.
 */
export const modelActivities = proxyActivities<
  Pick<Activities, 'startRun' | 'continueRun' | 'startFollowUp'>
>({
  startToCloseTimeout: activitySeconds.model * 1000,
  heartbeatTimeout: '15s',
  retry: patient,
});

export const toolActivities = proxyActivities<
  Pick<Activities, 'runTool' | 'runToolAction' | 'fetchAttachment'>
>({
  startToCloseTimeout: activitySeconds.tool * 1000,
  heartbeatTimeout: '15s',
  retry: patient,
});

/** Safe to retry: a repeated activity skips turns with a recorded outcome. */
export const rehearsalActivities = proxyActivities<Pick<Activities, 'rehearse'>>({
  summary: 'rehearsal of recorded turns',
  startToCloseTimeout: activitySeconds.rehearsal * 1000,
  heartbeatTimeout: '15s',
  retry: patient,
});

/** Safe to retry: a callback is claimed in Postgres before it is posted, and is therefore posted at most once. */
export const callbackActivities = proxyActivities<Pick<Activities, 'deliverCallback'>>({
  startToCloseTimeout: activitySeconds.callback * 1000,
  heartbeatTimeout: '10s',
  retry: patient,
});

/** Safe to retry: a channel check is idempotent. */
export const checkActivities = proxyActivities<Pick<Activities, 'checkChannel'>>({
  summary: 'connection step',
  startToCloseTimeout: '40s',
  // Short, because the caller waits until Temporal has detected a lost worker and retried the check.
  heartbeatTimeout: '10s',
  retry: patient,
});

/** Safe to retry: each part of a reply has a row in Postgres, which decides whether the part is sent. */
export const channelActivities = proxyActivities<Pick<Activities, 'sendReply'>>({
  startToCloseTimeout: activitySeconds.reply * 1000,
  heartbeatTimeout: '10s',
  retry: patient,
});

export const watchActivities = proxyActivities<Pick<Activities, 'watchChannels'>>({
  summary: 'check of WhatsApp sessions',
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
});

export const recordActivities = proxyActivities<Pick<Activities, 'failRun'>>({
  summary: 'record the run as failed',
  startToCloseTimeout: '10s',
  retry: patient,
});

/** Safe to retry: the activity is idempotent. */
export const servingActivities = proxyActivities<Pick<Activities, 'endServing'>>({
  summary: 'stop waiting for the next message',
  startToCloseTimeout: '10s',
  retry: patient,
});

const unhurried = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10s' } as const;

/** Used only by `sweep` workflows that started before the patch `recovery-alone`. */
export const earlierRecoveryActivities = proxyActivities<Pick<Activities, 'sweepStalled'>>({
  summary: 'recovery of stalled work',
  startToCloseTimeout: '60s',
  retry: unhurried,
});

export const recoveryActivities = proxyActivities<Pick<Activities, 'recover'>>({
  summary: 'recovery of stalled work',
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15s',
  retry: unhurried,
});

export const cleaningActivities = proxyActivities<Pick<Activities, 'cleanUp'>>({
  summary: 'deletion of expired rows',
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15s',
  retry: unhurried,
});

export const erasingActivities = proxyActivities<Pick<Activities, 'erase'>>({
  summary: 'erasure by request and by age',
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15s',
  retry: unhurried,
});
