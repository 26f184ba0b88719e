/** The only makers of ApplicationFailure. Their messages are kept in histories: never a customer's text. */
import { ApplicationFailure } from '@temporalio/common';

/** Tried again, by Temporal's policy or after the time given: at least a millisecond, for 0 means never to Temporal. */
export function transient(type: string, message: string, retryAfterMs?: number): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    message,
    nonRetryable: false,
    ...(retryAfterMs !== undefined && { nextRetryDelay: Math.max(1, Math.ceil(retryAfterMs)) }),
  });
}

/** The run has failed for good; why stands in Postgres. */
export function runFailed(runId: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'RunFailed',
    message: 'The run failed for good; its row and its error stand in the database.',
    nonRetryable: true,
    details: [runId],
  });
}
