/**
 * Identifies the contact of a message. WhatsApp identifies a person by a phone address, by a LID (which only looks
 * like a number), or by both.
 */
import type { GatewayChat, GatewayMessage } from '../../contract/whatsapp/gateway-event.ts';

export type GatewayContact = {
  /** The `number` to which replies are sent: the phone's digits, or the LID address if the phone is unknown. */
  readonly replyTo: string;
  readonly phone: string | null;
  /** The LID address, stored together with the phone, so that later events with only one of them find the contact. */
  readonly lid: string | null;
  readonly name: string | null;
};

export type ChatKind = 'direct' | 'group' | 'broadcast' | 'newsletter';

/**
 * Determines the kind of chat. Any sign of a group suffices, because the group filter in the gateway's webhook
 * settings may be off.
 */
export function chatKind(message: GatewayMessage, chat: GatewayChat): ChatKind {
  const addresses = [message.chatid, chat.wa_chatid].map((address) => address.trim().toLowerCase());
  const ends = (suffix: string): boolean => addresses.some((address) => address.endsWith(suffix));
  if (message.isGroup || chat.wa_isGroup || ends('@g.us')) return 'group';
  if (ends('@broadcast')) return 'broadcast';
  return ends('@newsletter') ? 'newsletter' : 'direct';
}

/** Facts about the event to which a message belongs. */
export type EventAround = {
  /** The paired phone number, as the event states it. */
  readonly owner: string;
  /** True if the event contains no other message. */
  readonly alone: boolean;
};

/**
 * Identifies the contact. Does not use `sender`, which is usually a LID and sometimes the LID of the business. Skips
 * the business's own number, which some builds put into `chatid`. If the phone is known and the event has several
 * LIDs, returns none of the LIDs, because a wrong one would merge two people.
 * @returns the contact; null if the event contains no address for a reply, or if the business may be writing to itself
 */
export function gatewayContact(
  message: GatewayMessage,
  chat: GatewayChat,
  around: EventAround,
): GatewayContact | null {
  const { fromMe } = message;
  const own = [
    phoneOf(around.owner),
    phoneOf(message.owner),
    ...(fromMe ? [phoneOf(message.sender_pn), lidOf(message.sender_lid), lidOf(message.sender)] : []),
  ].filter((address) => address !== null);
  const others = (...addresses: (string | null)[]): string[] =>
    addresses.filter((address) => address !== null).filter((address) => !own.includes(address));

  const { chatid, chatlid } = message;
  const named = others(phoneOf(chatid), lidOf(chatid), lidOf(chatlid));
  const ofChat = others(phoneOf(chat.wa_chatid), lidOf(chat.wa_chatid), lidOf(chat.wa_chatlid));
  const usesChat = isSameChat(named, ofChat, around.alone);
  const chatLids = others(lidOf(chatid), lidOf(chatlid), ...(usesChat ? [lidOf(chat.wa_chatlid)] : []));
  const writerLids = fromMe ? [] : others(lidOf(message.sender_lid));

  const lidDigits = [...chatLids, ...writerLids, ...own].filter(isLid).map((lid) => lid.replace('@lid', ''));
  const phone = others(
    phoneOf(chatid),
    // `sender_pn` is the address of the author. If the business wrote from its own phone, the author is not the
    // contact.
    fromMe ? null : phoneOf(message.sender_pn),
    ...(usesChat ? [phoneOf(chat.wa_chatid), shownPhone(chat.phone)] : []),
  ).find((digits) => !lidDigits.includes(digits));
  const lids = [...chatLids, ...writerLids];
  const lid = phone !== undefined && new Set(lids).size > 1 ? undefined : lids[0];
  const replyTo = phone ?? lid;
  if (replyTo === undefined || (fromMe && isChatWithOneself(message, chat, own, phone))) return null;
  const name = [
    ...(fromMe ? [] : [message.senderName]),
    ...(usesChat ? [chat.wa_contactName, chat.wa_name, chat.name] : []),
  ].find((one) => one.trim() !== '');
  return {
    replyTo,
    phone: phone ?? null,
    lid: lid ?? null,
    name: name?.trim().slice(0, 255) ?? null,
  };
}

const isLid = (address: string): boolean => address.endsWith('@lid');

/**
 * True if the event's `chat` belongs to this message. An event has one `chat` but may contain messages of several
 * chats. If the addresses cannot be compared, assumes that `chat` belongs to the event's only message.
 */
function isSameChat(ofMessage: readonly string[], ofChat: readonly string[], alone: boolean): boolean {
  if (ofMessage.some((address) => ofChat.includes(address))) return true;
  const comparable = ofMessage.some((one) => ofChat.some((other) => isLid(one) === isLid(other)));
  return alone && !comparable;
}

/**
 * True if the business may be writing to itself: the chat has the business's own number, no other phone is known, and
 * the business's own LID is unknown. A LID in the event may then be the business's own.
 */
function isChatWithOneself(
  message: GatewayMessage,
  chat: GatewayChat,
  own: readonly string[],
  phone: string | undefined,
): boolean {
  if (phone !== undefined || own.some(isLid)) return false;
  return [phoneOf(message.chatid), phoneOf(chat.wa_chatid), shownPhone(chat.phone)].some(
    (address) => address !== null && own.includes(address),
  );
}

/**
 * Reads the digits of a phone address, without the device suffix. With the suffix, one person would become two
 * contacts.
 * @returns `553499990002` for `553499990002:3@s.whatsapp.net`; null for text that is not a phone address
 */
function phoneOf(address: string): string | null {
  const match = /^\+?(\d{5,20})(?::\d+)?(?:@(?:s\.whatsapp\.net|c\.us))?$/i.exec(address.trim());
  return match?.[1] ?? null;
}

function lidOf(address: string): string | null {
  const match = /^(\d{1,32})(?::\d+)?@lid$/i.exec(address.trim());
  return match?.[1] === undefined ? null : `${match[1]}@lid`;
}

/**
 * Reads a phone number that may contain spaces and punctuation, such as `+55 34 9999-0002`.
 * @returns 8 to 15 digits; null for any other text
 */
function shownPhone(phone: string): string | null {
  const digits = phone.includes('@') ? '' : phone.replace(/\D/g, '');
  return digits.length >= 8 && digits.length <= 15 ? digits : null;
}
