/** Limits of agents that the API checks and the console shows. */

/**
 * Maximum time limit of one model call, in seconds. A longer call could exceed its activity's timeout. Must equal the
 * maximum of MODEL_TIMEOUT_SECONDS in src/domain/time-limits.ts, which the contract cannot import.
 */
export const maxModelTimeoutSeconds = 480;

/**
 * Maximum number of people whom an agent asks on WhatsApp to approve tool calls. Chosen: each person gets a message for
 * each call that needs approval.
 */
export const maxApprovers = 5;
/** Number of days for which a deleted agent can be restored. Chosen. */
export const restoreDays = 7;
