/** Time limits of activities, and what settings may be below them: work that outlived its activity would be repeated
 *  without end, and paid for each time. Workflows and the configuration read them here. */

/** Start-to-close, in seconds. A dead worker is noticed sooner, by its missing heartbeat. */
export const activitySeconds = {
  /** A model call, and 60 s of waiting for a slot before it. */
  model: 600,
  /** As long as a thousand requests may take at a workspace's pace. */
  tool: 1800,
  /** A callback, from the look-up of its name to the record of its outcome. */
  callback: 30,
  /** Some parts of a reply, with a file among them, which may take three times GATEWAY_TIMEOUT_SECONDS. */
  reply: 900,
} as const;

/** What lies around the waiting that a setting bounds: queries, slots, pauses of the process. */
const around = { model: 120, tool: 300, callback: 12, reply: 300 } as const;

/** Housekeeping goes on for ten minutes a workflow. */
export const housekeepingSeconds = 600;
const month = 30 * 86_400;

/** Least and most of each setting in seconds, with the reason for the most. */
export const settingSeconds = {
  MODEL_TIMEOUT_SECONDS: [
    0.1,
    Math.min(activitySeconds.model - around.model, activitySeconds.tool - around.tool),
    'a model call must be over before its activity is, which would ask again and pay again',
  ],
  DOCS_TIMEOUT_SECONDS: [0.1, 300, 'an action makes several requests within its activity'],
  DOCS_PATIENCE_SECONDS: [1, 86_400, 'a run waits for its tools, and its caller for the run'],
  CALLBACK_TIMEOUT_SECONDS: [
    0.1,
    activitySeconds.callback - around.callback,
    'a callback must be over before its activity is, which would leave its outcome unknown',
  ],
  CALLBACK_LOOKUP_SECONDS: [0.1, 600, 'the later callbacks of its conversation wait for it'],
  GATEWAY_TIMEOUT_SECONDS: [
    0.1,
    (activitySeconds.reply - around.reply) / 3,
    'a file may take three times as long, and must be over before its activity is',
  ],
  GATEWAY_ASK_SECONDS: [0.1, 300, 'a reply waits for it within its activity'],
  GATEWAY_WATCH_SECONDS: [1, housekeepingSeconds, 'a workflow of housekeeping lasts as long'],
  SWEEP_SECONDS: [1, housekeepingSeconds, 'a workflow of housekeeping lasts as long'],
  REQUEST_TIMEOUT_SECONDS: [1, 600, 'a caller who sends a body slowly holds a connection for as long'],
  SYNC_TIMEOUT_SECONDS: [0.1, 3600, 'an HTTP connection is not held open for longer'],
  IDLE_SECONDS: [0.1, month, 'a workflow is not kept open for longer than 30 days of silence'],
} as const satisfies Record<string, readonly [least: number, most: number, why: string]>;
