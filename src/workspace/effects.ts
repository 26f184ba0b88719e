/**
 * The effect of an action on the workspace. It determines how often and after which delays the action is retried. All
 * attempts share a step log, so completed steps are not sent again.
 */
export type Effect = 'read' | 'idempotent_write' | 'create' | 'send_part' | 'generated_create' | 'multi_step';

export type RetryPolicy = {
  maximumAttempts: number;
  initialIntervalMs: number;
  backoff: number;
  maximumIntervalMs: number;
};

const policy = (maximumAttempts: number): RetryPolicy => ({
  maximumAttempts,
  initialIntervalMs: 1000,
  backoff: 2,
  maximumIntervalMs: 60_000,
});

/**
 * Maximum attempts, and delays between them, for each effect. Chosen. A Retry-After of the workspace replaces the
 * delay.
 */
export const retryPolicies: Readonly<Record<Effect, RetryPolicy>> = {
  read: policy(6),
  idempotent_write: policy(5),
  create: policy(5),
  send_part: policy(5),
  generated_create: policy(5),
  multi_step: policy(8),
};
