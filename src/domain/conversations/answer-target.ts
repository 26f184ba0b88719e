/**
 * Selects, by the mode of a run, where its answer is sent:
 * - `inputs`: to the webhook_url or the channel of the run's last input that has either.
 * - `conversation`: to the conversation's current webhook_url or, if it has none, to its channel.
 * - `null`: nowhere, because the caller of a sync run waits for the answer.
 *
 * `record_step.sql` chooses the target while it holds the conversation's lock, because another input may arrive during
 * the run.
 */
export const answerTargetOf = {
  single: 'inputs',
  window: 'inputs',
  sync: null,
  follow_up: 'conversation',
} as const;
