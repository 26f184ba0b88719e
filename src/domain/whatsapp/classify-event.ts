/**
 * Classifies each message of an inbound gateway event as a message, an edit, a sign of a takeover, or an event to
 * ignore. If there are several reasons to ignore it, the first in the order of the checks is recorded.
 */
import type { GatewayChat, GatewayEvent, GatewayMessage } from '../../contract/whatsapp/gateway-event.ts';
import { chatKind, gatewayContact, type EventAround, type GatewayContact } from './contact.ts';
import {
  gatewayMedia,
  gatewayMessageKind,
  gatewayQuotedId,
  gatewayReplyId,
  gatewayText,
} from './message-content.ts';
import type { GatewayMedia, GatewayMessageKind } from './message-content.ts';

export type IgnoredReason =
  | 'other_event'
  | 'channel_inactive'
  | 'no_message'
  | 'no_message_id'
  | 'sent_by_api'
  | 'from_me'
  | 'group'
  | 'broadcast'
  | 'newsletter'
  | 'reaction'
  | 'revoked'
  | 'unsupported'
  | 'empty'
  | 'no_contact'
  | 'too_many_messages'
  | 'duplicate'
  | 'agent_inactive';

type Identified = {
  /** The message's id, by which repeated events of a channel are recognized. */
  readonly messageId: string;
  readonly contact: GatewayContact;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly sentAtMs: number;
};

export type InboundMessage = Identified & {
  readonly kind: 'message';
  readonly form: GatewayMessageKind;
  readonly replyId: string | null;
  readonly quotedId: string | null;
  readonly media: GatewayMedia | null;
};
/** A message that replaces the text of an earlier one. `text` is the new text. */
export type InboundEdit = Identified & {
  readonly kind: 'edit';
  readonly form: GatewayMessageKind;
  readonly originalId: string;
};
/**
 * A human agent has written to this contact from the business's phone. The gateway gets the same response as for an
 * ignored event.
 */
export type TakeoverSignal = Identified & { readonly kind: 'takeover'; readonly media: GatewayMedia | null };
export type IgnoredEvent = {
  readonly kind: 'ignored';
  readonly reason: IgnoredReason;
  readonly messageId: string | null;
  /**
   * The `track_id` of a message that was sent through the gateway's API; this event is then the echo of that message.
   * If Parley sent the message, the echo proves that the gateway has sent it. Null for other events, and if the
   * message has no `track_id`.
   */
  readonly trackId: string | null;
};
export type ClassifiedEvent = InboundMessage | InboundEdit | TakeoverSignal | IgnoredEvent;

export type ClassifyContext = {
  readonly receivedAtMs: number;
  readonly channelInactive?: boolean;
  /** The `track_source` of the messages that Parley sends. */
  readonly trackSource?: string;
  /** True to accept the event name `message` of older builds too. Off by default: newer gateways send `messages`. */
  readonly olderEventName?: boolean;
};

/** True if events with this name contain messages (see `ClassifyContext.olderEventName`). */
export function isMessagesEvent(name: string, { olderEventName }: Pick<ClassifyContext, 'olderEventName'>) {
  return name === 'messages' || (olderEventName === true && name === 'message');
}

/**
 * Classifies the messages of an event.
 * @returns one entry for each message, and one more if the event had more messages than are read; a single ignored
 * entry if the event has another name or no messages, or if the channel is inactive
 */
export function classifyGatewayEvent(event: GatewayEvent, context: ClassifyContext): ClassifiedEvent[] {
  if (!isMessagesEvent(event.name, context)) return [otherEvent];
  if (context.channelInactive === true) return [ignored('channel_inactive')];
  if (event.messages.length === 0) return [ignored('no_message')];
  const around = { owner: event.owner, alone: event.messages.length === 1 };
  const read = event.messages.map((message) => classifyMessage(message, event.chat, around, context));
  return event.isCut ? [...read, ignored('too_many_messages')] : read;
}

function classifyMessage(
  message: GatewayMessage,
  chat: GatewayChat,
  around: EventAround,
  context: ClassifyContext,
): ClassifiedEvent {
  const messageId = messageIdOf(message);
  if (messageId === null) return ignored('no_message_id');
  const trackId = message.track_id === '' ? null : message.track_id;
  const ours = context.trackSource !== undefined && message.track_source === context.trackSource;
  if (message.wasSentByApi || ours) return ignored('sent_by_api', messageId, trackId);

  const where = chatKind(message, chat);
  const form = gatewayMessageKind(message);
  const contact = where === 'direct' ? gatewayContact(message, chat, around) : null;
  const text = gatewayText(message, form).replaceAll('\0', '');
  const media = gatewayMedia(message, form);
  const sentAtMs = gatewayTimeMs(message.messageTimestamp, context.receivedAtMs);

  if (message.fromMe) {
    const speaks = form !== 'reaction' && form !== 'protocol' && (text.trim() !== '' || media !== null);
    return contact === null || !speaks
      ? ignored('from_me', messageId)
      : { kind: 'takeover', messageId, contact, text, sentAtMs, media };
  }
  if (where !== 'direct') return ignored(where, messageId);
  if (form === 'reaction') return ignored('reaction', messageId);
  const originalId = message.edited.trim().slice(0, 255);
  if (form === 'protocol' && originalId === '') return ignored('revoked', messageId);
  if (contact === null) return ignored('no_contact', messageId);
  if (originalId !== '') return { kind: 'edit', messageId, contact, text, sentAtMs, form, originalId };
  if (text.trim() === '' && media === null)
    return ignored(form === 'unknown' ? 'unsupported' : 'empty', messageId);
  return {
    kind: 'message',
    messageId,
    contact,
    text,
    sentAtMs,
    form: form === 'unknown' ? 'text' : form,
    replyId: gatewayReplyId(message, form),
    quotedId: gatewayQuotedId(message),
    media,
  };
}

/**
 * Returns `messageid` or, without it, the part of `id` after the colon; null if there is neither. Most builds put
 * `owner:messageid` into `id`. An `id` without a colon identifies the gateway's row instead of the message.
 */
function messageIdOf(message: GatewayMessage): string | null {
  const afterColon = message.id.includes(':') ? message.id.slice(message.id.indexOf(':') + 1) : '';
  const id = [message.messageid, afterColon].map((one) => one.trim()).find((one) => one !== '');
  return id?.slice(0, 255) ?? null;
}

function ignored(
  reason: IgnoredReason,
  messageId: string | null = null,
  trackId: string | null = null,
): IgnoredEvent {
  return { kind: 'ignored', reason, messageId, trackId };
}

export const otherEvent: IgnoredEvent = ignored('other_event');

const answers: Readonly<Record<IgnoredReason, string>> = {
  other_event: 'OK - other event (ignored)',
  channel_inactive: 'OK - channel inactive (ignored)',
  no_message: 'OK - no message (ignored)',
  no_message_id: 'OK - no message (ignored)',
  sent_by_api: 'OK - sent by API (ignored)',
  from_me: 'OK - from me (ignored)',
  group: 'OK - group (ignored)',
  broadcast: 'OK - broadcast (ignored)',
  newsletter: 'OK - broadcast (ignored)',
  reaction: 'OK - unsupported message (ignored)',
  revoked: 'OK - unsupported message (ignored)',
  unsupported: 'OK - unsupported message (ignored)',
  empty: 'OK - unsupported message (ignored)',
  no_contact: 'OK - unsupported message (ignored)',
  too_many_messages: 'OK - too many messages (ignored)',
  duplicate: 'OK - duplicate (ignored)',
  agent_inactive: 'OK - agent inactive (ignored)',
};

/**
 * Returns the body of the 200 response: `OK` if any entry is a message or an edit, otherwise the text for the first
 * entry.
 */
export function gatewayEventAnswer(outcomes: readonly ClassifiedEvent[]): string {
  if (outcomes.some((one) => one.kind === 'message' || one.kind === 'edit')) return 'OK';
  const first = outcomes[0];
  return answers[
    first?.kind === 'ignored' ? first.reason : first?.kind === 'takeover' ? 'from_me' : 'no_message'
  ];
}

const aDayMs = 24 * 60 * 60 * 1000;
/** A smaller timestamp counts as seconds. In milliseconds, it would be a time before 3 March 1973, 09:46:40 UTC. */
const minMs = 1e11;

/**
 * Reads the gateway's timestamps: milliseconds in most builds; seconds, numeric strings or ISO 8601 in others.
 * @returns milliseconds since 1970; the receive time if the value is missing, is not a time after the start of 1970, or
 * is more than a day after the receive time
 */
export function gatewayTimeMs(value: number | string | undefined, receivedAtMs: number): number {
  const read = readTime(value);
  return Number.isFinite(read) && read > 0 && read <= receivedAtMs + aDayMs ? Math.trunc(read) : receivedAtMs;
}

function readTime(value: number | string | undefined): number {
  if (value === undefined) return NaN;
  const numeric = typeof value === 'number' ? value : /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : NaN;
  if (Number.isFinite(numeric)) return numeric < minMs ? numeric * 1000 : numeric;
  return typeof value === 'string' ? Date.parse(value.trim().replace(/^(\d{4}-\d\d-\d\d) /, '$1T')) : NaN;
}
