/**
 * Which input decides where a run's answer goes, by the run's mode: the last of the run's inputs that has a webhook_url
 * or came through the channel, or the last such input of the conversation. The caller of a sync run waits for the
 * answer, so none is due. Postgres reads the input under the conversation's lock, because another may arrive until then.
 */
export const answerTargetOf = {
  single: 'inputs',
  window: 'inputs',
  sync: null,
  follow_up: 'conversation',
} as const;
