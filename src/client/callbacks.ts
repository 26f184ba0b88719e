import type { webhooks } from './api.ts';

type PayloadOf<E extends keyof webhooks> = webhooks[E]['post']['requestBody']['content']['application/json'];

/** An agent has answered. */
export type MessageCompleted = PayloadOf<'message.completed'>;
/** A run has failed permanently. */
export type MessageError = PayloadOf<'message.error'>;
/** The body of a request to `webhook_url`. */
export type CallbackPayload = MessageCompleted | MessageError;
/** The body of a request to a channel's `alert_url`. */
export type AlertPayload = PayloadOf<'channel.session_down' | 'channel.timelocked'>;

/**
 * Parses the body of a request to `webhook_url`. Callbacks are not signed, so this does not prove who sent the request:
 * keep a secret in the path of `webhook_url`.
 * @returns undefined if the body is not a callback; answer such a request with 400
 */
export function readCallback(body: string): CallbackPayload | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  return isCallback(value) ? value : undefined;
}

function isCallback(value: unknown): value is CallbackPayload {
  if (typeof value !== 'object' || value === null) return false;
  const { event, conversation_id, message_id }: Record<string, unknown> = { ...value };
  if (typeof conversation_id !== 'string') return false;
  if (event === 'message.error') return true;
  return event === 'message.completed' && (message_id === undefined || typeof message_id === 'string');
}

/**
 * Returns a key with which a receiver processes each callback once: the `message_id`, or a combination of other
 * fields for callbacks without one, such as those of failed runs.
 */
export function callbackKey(callback: CallbackPayload): string {
  const messageId = callback.event === 'message.completed' ? callback.message_id : undefined;
  return messageId ?? `${callback.event}/${callback.conversation_id}/${callback.timestamp}`;
}
