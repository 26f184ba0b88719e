/** Event bodies in the shape that gateways post: `chat`, `message` and the instance's token beside them. */
import { newMessageId } from './emulator-state.ts';
import type { EmulatorState } from './emulator-state.ts';

export type InboundKind =
  'text' | 'image' | 'voice' | 'document' | 'location' | 'reaction' | 'sticker' | 'list_reply';

export type Inbound = {
  /** The customer's number, digits. */
  from?: string;
  name?: string;
  text?: string;
  kind?: InboundKind;
  messageId?: string;
  /** Milliseconds since 1970. */
  atMs?: number;
  /** Typed on the phone that is paired, to the customer `from`. */
  fromMe?: boolean;
  wasSentByApi?: boolean;
  trackId?: string;
  trackSource?: string;
  group?: boolean;
  chatid?: string;
  /** The event has only the LID and no phone; or no LID. */
  lidOnly?: boolean;
  phoneOnly?: boolean;
  /** The person's LID, if it is not the one that belongs to `from`: they have changed their number. */
  lid?: string;
  /** The earlier message that this one edits, or that it quotes. */
  edited?: string;
  quoted?: string;
  /** Any field of `message`, as is. */
  extra?: Record<string, unknown>;
};

const media = (mimetype: string, more: Record<string, unknown> = {}) => ({
  URL: 'https://mmg.whatsapp.net/v/encrypted.enc',
  mimetype,
  fileLength: 2048,
  mediaKey: 'a2V5',
  JPEGThumbnail: 'dGh1bWI=',
  ...more,
});

const kinds: Record<InboundKind, (text: string) => Record<string, unknown>> = {
  text: (text) => ({
    messageType: 'ExtendedTextMessage',
    type: 'text',
    mediaType: '',
    text,
    content: { text },
  }),
  image: (text) => ({
    messageType: 'ImageMessage',
    type: 'media',
    mediaType: 'image',
    text,
    content: media('image/jpeg', { caption: text, width: 900, height: 1600 }),
  }),
  voice: () => ({
    messageType: 'AudioMessage',
    type: 'media',
    mediaType: 'ptt',
    text: '',
    content: media('audio/ogg; codecs=opus', { PTT: true, seconds: 2 }),
  }),
  document: (text) => ({
    messageType: 'DocumentMessage',
    type: 'media',
    mediaType: 'document',
    text,
    content: media('application/pdf', { fileName: 'offer.pdf', pageCount: 2 }),
  }),
  sticker: () => ({
    messageType: 'StickerMessage',
    type: 'media',
    mediaType: 'sticker',
    text: '',
    content: media('image/webp'),
  }),
  location: () => ({
    messageType: 'LocationMessage',
    type: 'media',
    mediaType: 'location',
    text: '',
    content: { degreesLatitude: -23.55, degreesLongitude: -46.63 },
  }),
  reaction: (text) => ({
    messageType: 'ReactionMessage',
    type: 'reaction',
    mediaType: '',
    text,
    content: { text },
  }),
  list_reply: (text) => ({
    messageType: 'ListResponseMessage',
    type: 'media',
    mediaType: 'list_response',
    text: '',
    vote: text,
    buttonOrListid: text.toLowerCase(),
    content: { title: text, singleSelectReply: { selectedRowID: text.toLowerCase() } },
  }),
};

export const lidOf = (number: string): string => `9000${number.slice(-11)}@lid`;

export function buildEvent(
  state: EmulatorState,
  inbound: Inbound,
): { body: Record<string, unknown>; messageId: string } {
  const from = inbound.from ?? '553499990002';
  const lid = inbound.phoneOnly === true ? '' : (inbound.lid ?? lidOf(from));
  const phone = `${from}@s.whatsapp.net`;
  const messageId = inbound.messageId ?? newMessageId();
  const atMs = inbound.atMs ?? Date.now();
  const chatid =
    inbound.chatid ?? (inbound.group === true ? '120363000000000009@g.us' : inbound.lidOnly ? lid : phone);
  const writer = inbound.fromMe === true ? `${state.owner}@s.whatsapp.net` : phone;
  const body = {
    BaseUrl: 'https://gateway.example.test',
    EventType: 'messages',
    chat: {
      id: `r${from}`,
      name: inbound.name ?? '',
      owner: state.owner,
      phone: inbound.lidOnly === true ? '' : `+${from}`,
      wa_chatid: chatid,
      wa_chatlid: lid,
      wa_isGroup: inbound.group === true,
      wa_name: inbound.name ?? 'Customer',
      lead_email: 'private@example.test',
      lead_notes: 'private notes',
    },
    chatSource: 'updated',
    instanceName: 'emulated',
    message: {
      id: `${state.owner}:${messageId}`,
      messageid: messageId,
      chatid,
      chatlid: lid,
      sender: inbound.fromMe === true ? lidOf(state.owner) : lid,
      sender_pn: inbound.lidOnly === true ? '' : writer,
      sender_lid: inbound.fromMe === true ? '' : lid,
      senderName: inbound.fromMe === true ? 'Owner' : (inbound.name ?? 'Customer'),
      isGroup: inbound.group === true,
      groupName: '',
      fromMe: inbound.fromMe === true,
      wasSentByApi: inbound.wasSentByApi === true,
      messageTimestamp: atMs,
      owner: state.owner,
      source: 'android',
      status: '',
      quoted: inbound.quoted ?? '',
      edited: inbound.edited ?? '',
      reaction: inbound.kind === 'reaction' ? (inbound.quoted ?? '3EB0TARGET') : '',
      vote: '',
      buttonOrListid: '',
      convertOptions: '',
      track_id: inbound.trackId ?? '',
      track_source: inbound.trackSource ?? '',
      ...kinds[inbound.kind ?? 'text'](inbound.text ?? ''),
      ...inbound.extra,
    },
    owner: state.owner,
    token: state.token,
  };
  return { body, messageId };
}
