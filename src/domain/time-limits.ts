/**
 * Defines the timeouts of activities, and the bounds of settings in seconds. Without these bounds, work could take
 * longer than its activity's timeout. Temporal would then repeat the work endlessly, and each repeated model call
 * costs money.
 */

/**
 * Start-to-close timeouts of activities in seconds. Temporal notices a lost worker earlier, because its heartbeats
 * stop. Chosen.
 */
export const activitySeconds = {
  /**
   * A model call, with its waits for a slot. For a warm conversation, the activity also waits for further inputs and
   * answers them (see `warmActivityMs`).
   */
  model: 600,
  /** A tool call or the fetch of a file. Enough for about 5,000 requests at the default DOCS_REQUESTS_PER_SECOND. */
  tool: 1800,
  /**
   * Some turns of a rehearsal. The activity begins turns only during its first minute, and each turn may take five
   * minutes. The rest is for the judge's calls after the turns.
   */
  rehearsal: 480,
  /** Posting one callback, including one DNS look-up and the recording of its outcome. */
  callback: 30,
  /** Sending the parts of one reply. A part may be a file, which may take three times GATEWAY_TIMEOUT_SECONDS. */
  reply: 900,
} as const;

/**
 * Seconds that an activity may need in addition to the work whose duration a setting limits: for database queries,
 * waits for slots, and pauses of the process. Chosen.
 */
const around = { model: 120, tool: 300, callback: 12, reply: 300 } as const;

/**
 * @returns the maximum age in milliseconds at which an activity may begin another run, so that the run's model call
 * ends before the activity's timeout
 */
export function warmActivityMs(modelTimeoutSeconds: number): number {
  return (activitySeconds.model - around.model - modelTimeoutSeconds) * 1000;
}

/**
 * Seconds that a periodic workflow runs before its Schedule starts the next one, so that the histories stay short.
 * Chosen.
 */
export const periodicSeconds = 600;
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
  GATEWAY_WATCH_SECONDS: [1, periodicSeconds, 'a periodic workflow lasts as long'],
  SWEEP_SECONDS: [1, periodicSeconds, 'a periodic workflow lasts as long'],
  REQUEST_TIMEOUT_SECONDS: [1, 600, 'a caller who sends a body slowly holds a connection for as long'],
  MAX_QUEUE_AGE_SECONDS: [1, 86_400, 'a message that waits for a day is better refused'],
  SYNC_TIMEOUT_SECONDS: [0.1, 3600, 'an HTTP connection is not held open for longer'],
  WARM_SECONDS: [1, 120, 'an activity waits for as long and uses a slot of its worker'],
  IDLE_SECONDS: [0.1, month, 'a workflow is not kept open for longer than 30 days of silence'],
} as const satisfies Record<string, readonly [min: number, max: number, reason: string]>;
