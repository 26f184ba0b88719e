/** Defines the worker's metrics; docs/observability.md has a table of all metrics. */
import { counter, gauge, histogram } from './metric.ts';

/**
 * Values of the label `provider`: the part of a model's id before the slash. All other providers count as `custom`,
 * because organizations choose the names of their providers.
 */
export const meteredProviders = ['scripted', 'custom', 'openai', 'anthropic'] as const;

export const countRun = counter('parley_runs_ended_total', 'Ended runs, by outcome.', {
  outcome: ['answered', 'failed', 'cancelled'],
});

export const measureAnswer = histogram(
  'parley_time_to_answer_seconds',
  "Seconds from the acceptance of a group's first message until its answer is recorded, including the grouping window.",
  [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 120, 300, 600],
  ['mode'],
);

export const measureLag = histogram(
  'parley_queue_lag_seconds',
  'Seconds from when a group was due until a worker claimed it, without waiting for another run of its conversation.',
  [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
);

export const countCallback = counter('parley_callbacks_total', 'Callbacks and channel alerts, by outcome.', {
  outcome: ['delivered', 'failed', 'blocked', 'unknown'],
});

export const measureCallback = histogram(
  'parley_callback_duration_seconds',
  "Seconds of requests to callers' webhooks, until the end of the response.",
  [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
);

export const countReply = counter('parley_channel_replies_total', 'Replies on WhatsApp, by outcome.', {
  outcome: ['delivered', 'failed', 'blocked', 'unknown'],
});

export const addTokens = counter(
  'parley_model_tokens_total',
  'Tokens of model calls, as the providers count them.',
  {
    provider: meteredProviders,
    kind: ['input', 'output'],
  },
);

export const measureModel = histogram(
  'parley_model_call_duration_seconds',
  'Seconds of model calls, without the wait for a slot.',
  [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 100],
  ['provider', 'outcome'],
);

export const countTool = counter('parley_tool_calls_total', 'Tool calls of agents, by outcome.', {
  outcome: ['succeeded', 'failed', 'unknown'],
});

/** Kinds of work that is given up after LOST_WORKERS workers were lost during it (docs/reliability.md). */
export const givenUpUnits = [
  'turn',
  'run',
  'tool',
  'action',
  'file',
  'reply',
  'callback',
  'check',
  'rehearsal',
] as const;
export const countGivenUp = counter(
  'parley_given_up_total',
  'Work that is no longer retried because several workers were lost during it.',
  { unit: givenUpUnits },
);

export const countRecovered = counter(
  'parley_swept_conversations_total',
  'Conversations that recovery found unfinished: nudged; failed, because an operator had terminated the workflow; replaced, because the workflow made no progress and was started again.',
  { action: ['nudged', 'failed', 'replaced'] },
);

export const countShareReached = counter(
  'parley_worker_share_reached_total',
  'Activities and model calls that were postponed because their organization used its share of the worker.',
  { of: ['activities', 'model_calls'] },
);

let sweptAt = 0;
gauge(
  'parley_sweep_last_success_timestamp_seconds',
  'Unix time when this worker last completed a recovery; 0 if it has not. Each recovery runs on one worker.',
  [],
  () => [{ value: sweptAt }],
);
export function recoveryCompleted(): void {
  sweptAt = Date.now() / 1000;
}
