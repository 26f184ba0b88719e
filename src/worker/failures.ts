/**
 * Creates the ApplicationFailures of activities. Their messages are stored in histories, so they never contain a
 * customer's text.
 */
import { ApplicationFailure } from '@temporalio/common';

/**
 * Creates a failure that Temporal retries after `retryAfterMs`, or, without it, after the delay of the activity's retry
 * policy. The delay is at least a millisecond, because Temporal reads 0 as "no delay given".
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
 * Creates a failure that Temporal does not retry: the run has failed permanently, and its row in Postgres has the
 * reason.
 */
export function runFailed(runId: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'RunFailed',
    message: 'The run failed for good; its row and its error stand in the database.',
    nonRetryable: true,
    details: [runId],
  });
}
