/**
 * Where a run's answer goes, by the run's mode. `inputs`: the last of the run's inputs that has a webhook_url or came
 * through the channel decides. `conversation`: the conversation's current webhook_url, else its channel. `null`:
 * nowhere, because the caller of a sync run waits for the answer. Postgres decides under the conversation's lock,
 * because another input may arrive during the run.
 */
export const answerTargetOf = {
  single: 'inputs',
  window: 'inputs',
  sync: null,
  follow_up: 'conversation',
} as const;
