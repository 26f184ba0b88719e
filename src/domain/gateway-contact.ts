/** Who is talking: WhatsApp names one person by a phone address, by a LID that only looks like a number, or both. */
import type { GatewayChat, GatewayMessage } from '../contract/gateway-event.ts';

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

/** @returns null where the event names nobody that could be answered. `sender` is never used: it is usually a LID. */
export function gatewayContact(message: GatewayMessage, chat: GatewayChat): GatewayContact | null {
  // sender_pn is the writer; in a message from our own phone the writer is not the contact.
  const senderPhone = message.fromMe ? null : phoneOf(message.sender_pn);
  const phone = phoneOf(message.chatid) ?? senderPhone ?? phoneOf(chat.wa_chatid) ?? shownPhone(chat.phone);
  const lid =
    lidOf(message.chatid) ??
    lidOf(message.chatlid) ??
    lidOf(chat.wa_chatlid) ??
    (message.fromMe ? null : lidOf(message.sender_lid));
  const key = phone ?? lid;
  if (key === null) return null;
  const own = message.fromMe ? '' : message.senderName;
  const name = [own, chat.wa_contactName, chat.wa_name, chat.name].find((one) => one.trim() !== '');
  return { key, replyTo: key, phone, lid, name: name?.trim().slice(0, 255) ?? null };
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
