/**
 * Creates the ApplicationFailures that activities throw. Temporal stores their messages in histories, so the messages
 * must not contain a customer's text.
 */
import { ApplicationFailure } from '@temporalio/common';

/**
 * Creates a failure that Temporal retries.
 * @param retryAfterMs delay of the retry; default: the delay of the activity's retry policy. A delay below 1 ms becomes
 * 1 ms, because for Temporal, 0 means that no delay is set.
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
 * @returns the failure, for the caller to throw. The workflow reads the run's id from its details.
 */
export function runFailed(runId: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'RunFailed',
    message: 'The run failed and is not retried. Its row in the database has the error.',
    nonRetryable: true,
    details: [runId],
  });
}
