/**
 * Creates the ApplicationFailures of activities. Their messages are stored in histories, so they never contain a
 * customer's text.
 */
import { ApplicationFailure } from '@temporalio/common';

/**
 * Creates a failure that Temporal retries.
 * @param retryAfterMs delay of the retry; default: the delay of the activity's retry policy. Becomes at least 1 ms,
 * because Temporal reads 0 as "no delay given"
 * @returns the failure, for the caller to throw
 */
export function transient(type: string, message: string, retryAfterMs?: number): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    message,
    nonRetryable: false,
    ...(retryAfterMs !== undefined && { nextRetryDelay: Math.max(1, Math.ceil(retryAfterMs)) }),
  });
}

/**
 * Creates a failure that Temporal does not retry, because the run has failed permanently.
 * @returns the failure, for the caller to throw. The workflow reads the run id from it
 */
export function runFailed(runId: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'RunFailed',
    message: 'The run failed for good; its row and its error stand in the database.',
    nonRetryable: true,
    details: [runId],
  });
}
