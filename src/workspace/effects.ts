/**
 * An action's effect on the workspace decides how it is retried. A retry uses the same step log, so completed steps
 * are not sent again.
 */
export type Effect = 'read' | 'idempotent_write' | 'create' | 'send_part' | 'generated_create' | 'multi_step';

export type RetryPolicy = {
  maximumAttempts: number;
  initialIntervalMs: number;
  backoff: number;
  maximumIntervalMs: number;
  startToCloseMs: number;
};

const policy = (maximumAttempts: number, startToCloseMs: number): RetryPolicy => ({
  maximumAttempts,
  initialIntervalMs: 1000,
  backoff: 2,
  maximumIntervalMs: 60_000,
  startToCloseMs,
});

/** A Retry-After from the workspace replaces the interval. */
export const retryPolicies: Readonly<Record<Effect, RetryPolicy>> = {
  read: policy(6, 70_000),
  idempotent_write: policy(5, 70_000),
  create: policy(5, 300_000),
  send_part: policy(5, 300_000),
  generated_create: policy(5, 300_000),
  multi_step: policy(8, 1_800_000),
};
