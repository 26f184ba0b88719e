/**
 * Defines the timeouts that the workflows set for activities, and the bounds that the configuration sets for settings.
 * Without the bounds, work could take longer than its activity's timeout: Temporal would repeat the work endlessly, and
 * each repetition costs money.
 */

/** Start-to-close timeouts in seconds. The loss of a worker is noticed earlier, because its heartbeats stop. */
export const activitySeconds = {
  /** A model call, including up to 60 s of waiting for a slot. */
  model: 600,
  /** Time for about five thousand requests at the default DOCS_REQUESTS_PER_SECOND. */
  tool: 1800,
  /** A part of a rehearsal: new turns begin during its first minute, and the last of them may take five more. */
  rehearsal: 480,
  /** Posting one callback, including one DNS look-up and the recording of its outcome. */
  callback: 30,
  /** Sending several parts of one reply. A part may be a file, which may take three times GATEWAY_TIMEOUT_SECONDS. */
  reply: 900,
} as const;

/**
 * Seconds that an activity needs in addition to the work that a setting limits: for queries, slots, and pauses of the
 * process.
 */
const around = { model: 120, tool: 300, callback: 12, reply: 300 } as const;

/**
 * @returns the age of an activity, in milliseconds, until which it may begin further runs, so that the last run's model
 * call ends before the activity's timeout
 */
export function warmActivityMs(modelTimeoutSeconds: number): number {
  return (activitySeconds.model - around.model - modelTimeoutSeconds) * 1000;
}

/**
 * Seconds that a periodic workflow runs before its Schedule starts the next one, so that histories stay short.
 * Chosen.
 */
export const housekeepingSeconds = 600;
const month = 30 * 86_400;

/** Minimum and maximum of each setting in seconds, and the reason for the maximum. */
export const settingSeconds = {
  MODEL_TIMEOUT_SECONDS: [
    0.1,
    Math.min(activitySeconds.model - around.model, activitySeconds.tool - around.tool),
    'a model call must end before the timeout of its activity; otherwise the call is repeated and paid for again',
  ],
  DOCS_TIMEOUT_SECONDS: [0.1, 300, 'an action makes several requests within its activity'],
  DOCS_PATIENCE_SECONDS: [1, 86_400, 'a run waits for its tools, and a caller may wait for the run'],
  CALLBACK_TIMEOUT_SECONDS: [
    0.1,
    activitySeconds.callback - around.callback,
    'a callback must end before the timeout of its activity; otherwise its outcome is unknown',
  ],
  CALLBACK_LOOKUP_SECONDS: [0.1, 600, 'the later callbacks of its conversation wait for it'],
  GATEWAY_TIMEOUT_SECONDS: [
    0.1,
    (activitySeconds.reply - around.reply) / 3,
    'a file may take three times as long, and must be sent before the timeout of its activity',
  ],
  GATEWAY_ASK_SECONDS: [0.1, 300, 'a reply waits for it within its activity'],
  GATEWAY_WATCH_SECONDS: [1, housekeepingSeconds, 'a workflow of housekeeping lasts as long'],
  SWEEP_SECONDS: [1, housekeepingSeconds, 'a workflow of housekeeping lasts as long'],
  REQUEST_TIMEOUT_SECONDS: [1, 600, 'a caller who sends a body slowly holds a connection for as long'],
  MAX_QUEUE_AGE_SECONDS: [1, 86_400, 'a message that waits for a day is better refused'],
  SYNC_TIMEOUT_SECONDS: [0.1, 3600, 'an HTTP connection is not held open for longer'],
  WARM_SECONDS: [1, 120, 'an activity waits for as long and uses a slot of its worker'],
  IDLE_SECONDS: [0.1, month, 'a workflow is not kept open for longer than 30 days of silence'],
} as const satisfies Record<string, readonly [min: number, max: number, reason: string]>;
