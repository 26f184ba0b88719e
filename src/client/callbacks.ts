import type { webhooks } from './api.ts';

type PayloadOf<E extends keyof webhooks> = webhooks[E]['post']['requestBody']['content']['application/json'];

/** An agent has answered. */
export type MessageCompleted = PayloadOf<'message.completed'>;
/** A run has failed for good. */
export type MessageError = PayloadOf<'message.error'>;
/** What is posted to `webhook_url`. */
export type CallbackPayload = MessageCompleted | MessageError;
/** What is posted to a channel's `alert_url`. */
export type AlertPayload = PayloadOf<'channel.session_down' | 'channel.timelocked'>;

/**
 * The callback in a request's body, or undefined where it is none: answer 400 then. Callbacks are not signed, so this
 * says nothing about who sent it: keep a secret in the path of `webhook_url`.
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
 * What a receiver remembers to process a callback once: the `message_id`; where there is none, as for a failed run,
 * what else tells one callback from another.
 */
export function callbackKey(callback: CallbackPayload): string {
  const messageId = callback.event === 'message.completed' ? callback.message_id : undefined;
  return messageId ?? `${callback.event}/${callback.conversation_id}/${callback.timestamp}`;
}
