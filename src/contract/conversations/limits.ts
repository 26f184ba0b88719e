/** Limits that the console's forms show. */

/**
 * Maximum time limit of one model call, in seconds. Equal to the maximum of MODEL_TIMEOUT_SECONDS in
 * src/domain/time-limits.ts, which the contract cannot import: a longer call would not end before its activity's timeout.
 */
export const maxModelTimeoutSeconds = 480;
