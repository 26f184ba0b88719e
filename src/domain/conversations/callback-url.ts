/**
 * Source of a callback's URL, by the run's mode: the last URL among the run's inputs, or the last among all inputs of
 * the conversation. The caller of a sync run waits for the answer and gets no callback. Postgres reads the URL under
 * the conversation's lock, because an input may change it until then.
 */
export const callbackUrlOf = {
  single: 'inputs',
  window: 'inputs',
  sync: null,
  follow_up: 'conversation',
} as const;
