/**
 * The effect of an action on the workspace. It determines how often the action is retried. All attempts share a step
 * log, so completed steps are not sent again.
 */
export type Effect = 'read' | 'idempotent_write' | 'create' | 'send_part' | 'generated_create' | 'multi_step';

/** Maximum attempts for each effect. Chosen. */
export const maxAttempts: Readonly<Record<Effect, number>> = {
  read: 6,
  idempotent_write: 5,
  create: 5,
  send_part: 5,
  generated_create: 5,
  multi_step: 8,
};
