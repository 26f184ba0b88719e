/** Who is talking: WhatsApp names one person by a phone address, by a LID that only looks like a number, or both. */
import type { GatewayChat, GatewayMessage } from '../../contract/whatsapp/gateway-event.ts';

export type GatewayContact = {
  /** Key of the conversation within the channel: the phone's digits, else the whole LID address. */
  readonly key: string;
  /** What `number` of a reply must be: digits, or the LID address where no phone is known. */
  readonly replyTo: string;
  readonly phone: string | null;
  /** Kept beside the phone, so that a later event with only one of the two joins the same conversation. */
  readonly lid: string | null;
  readonly name: string | null;
};

export type ChatKind = 'direct' | 'group' | 'broadcast' | 'newsletter';

/** Any one sign of a group is enough: the gateway's own filter may be off. */
export function chatKind(message: GatewayMessage, chat: GatewayChat): ChatKind {
  const addresses = [message.chatid, chat.wa_chatid].map((address) => address.trim().toLowerCase());
  const ends = (suffix: string): boolean => addresses.some((address) => address.endsWith(suffix));
  if (message.isGroup || chat.wa_isGroup || ends('@g.us')) return 'group';
  if (ends('@broadcast')) return 'broadcast';
  return ends('@newsletter') ? 'newsletter' : 'direct';
}

/** Who else an event names beside the message: the business itself, and whether the chat is that of this message. */
export type EventAround = {
  /** The paired number, as the event tells it. */
  readonly owner: string;
  /** The event holds no other message. */
  readonly alone: boolean;
};

/**
 * @returns null if the event names nobody that could be answered. `sender` alone never names anybody: it is
 *   usually a LID, and at times the business's. The business's own number is never the contact: some
 *   builds put it into `chatid`. A LID that the event contradicts is left out, since it would join two people.
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
    // sender_pn is the writer; in a message from our own phone the writer is not the contact.
    fromMe ? null : phoneOf(message.sender_pn),
    ...(usesChat ? [phoneOf(chat.wa_chatid), shownPhone(chat.phone)] : []),
  ).find((digits) => !lidDigits.includes(digits));
  const lids = [...chatLids, ...writerLids];
  const lid = phone !== undefined && new Set(lids).size > 1 ? undefined : lids[0];
  const key = phone ?? lid;
  if (key === undefined || (fromMe && isChatWithOneself(message, chat, own, phone))) return null;
  const name = [
    ...(fromMe ? [] : [message.senderName]),
    ...(usesChat ? [chat.wa_contactName, chat.wa_name, chat.name] : []),
  ].find((one) => one.trim() !== '');
  return {
    key,
    replyTo: key,
    phone: phone ?? null,
    lid: lid ?? null,
    name: name?.trim().slice(0, 255) ?? null,
  };
}

const isLid = (address: string): boolean => address.endsWith('@lid');

/** An event's one `chat` stands beside all of its messages, which may be of several chats. */
function isSameChat(ofMessage: readonly string[], ofChat: readonly string[], alone: boolean): boolean {
  if (ofMessage.some((address) => ofChat.includes(address))) return true;
  const comparable = ofMessage.some((one) => ofChat.some((other) => isLid(one) === isLid(other)));
  return alone && !comparable;
}

/** Notes to oneself: nobody else's phone is named, and a LID may be the business's own unless that is known. */
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

/** `553499990002:3@s.whatsapp.net` → `553499990002`: a device suffix would make a second contact of one person. */
function phoneOf(address: string): string | null {
  const match = /^\+?(\d{5,20})(?::\d+)?(?:@(?:s\.whatsapp\.net|c\.us))?$/i.exec(address.trim());
  return match?.[1] ?? null;
}

function lidOf(address: string): string | null {
  const match = /^(\d{1,32})(?::\d+)?@lid$/i.exec(address.trim());
  return match?.[1] === undefined ? null : `${match[1]}@lid`;
}

/** `+55 34 9999-0002`, as people read it. */
function shownPhone(phone: string): string | null {
  const digits = phone.includes('@') ? '' : phone.replace(/\D/g, '');
  return digits.length >= 8 && digits.length <= 15 ? digits : null;
}
