/** Reads a WhatsApp message: its kind, its text for the agent, and its file if it has one. */
import type { GatewayMessage } from '../../contract/whatsapp/gateway-event.ts';

export type GatewayMessageKind =
  | 'text'
  | 'image'
  | 'video'
  | 'audio'
  | 'document'
  | 'sticker'
  | 'location'
  | 'contact'
  | 'interactive_reply'
  | 'poll'
  | 'poll_vote'
  | 'reaction'
  | 'protocol'
  | 'unknown';

export type GatewayMedia = {
  readonly contentType: string;
  readonly filename: string | null;
  /** Size in bytes, as the sender states it. */
  readonly size: number | null;
  /** URL from which the file can be downloaded; null if it must be requested from the gateway by message id. */
  readonly url: string | null;
  readonly voiceNote: boolean;
  readonly gif: boolean;
};

const kindOfType: Readonly<Record<string, GatewayMessageKind>> = {
  conversation: 'text',
  extendedtext: 'text',
  text: 'text',
  image: 'image',
  video: 'video',
  ptv: 'video',
  audio: 'audio',
  ptt: 'audio',
  document: 'document',
  documentwithcaption: 'document',
  sticker: 'sticker',
  location: 'location',
  livelocation: 'location',
  contact: 'contact',
  contactsarray: 'contact',
  reaction: 'reaction',
  listresponse: 'interactive_reply',
  buttonsresponse: 'interactive_reply',
  templatebuttonreply: 'interactive_reply',
  pollcreation: 'poll',
  pollupdate: 'poll_vote',
  protocol: 'protocol',
  revoked: 'protocol',
};

/**
 * Determines the kind by `messageType` without its suffix `Message` and version. The field `type` is unreliable: it is
 * `text` or `media` for a location, and `media` for a contact. It is used only for reactions, because some builds mark
 * reactions nowhere else.
 */
export function gatewayMessageKind(message: GatewayMessage): GatewayMessageKind {
  const type = message.messageType
    .trim()
    .toLowerCase()
    .replace(/(?:message)?(?:v\d+)?$/, '');
  const kind = Object.hasOwn(kindOfType, type) ? (kindOfType[type] ?? 'unknown') : 'unknown';
  return kind === 'unknown' && message.type.toLowerCase() === 'reaction' ? 'reaction' : kind;
}

const mediaKinds = ['image', 'video', 'audio', 'document', 'sticker'];
const mediaFallbackType: Readonly<Record<string, string>> = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/ogg',
  sticker: 'image/webp',
};

/** Returns the message's file; null if messages of this kind have none. */
export function gatewayMedia(message: GatewayMessage, kind: GatewayMessageKind): GatewayMedia | null {
  if (!mediaKinds.includes(kind)) return null;
  const { fields } = message.content;
  const contentType = fields.mimetype.split(';')[0]?.trim().toLowerCase() ?? '';
  return {
    contentType: contentType === '' ? (mediaFallbackType[kind] ?? 'application/octet-stream') : contentType,
    filename: fields.fileName.trim() === '' ? null : fields.fileName.trim().slice(0, 255),
    size: fields.fileLength ?? null,
    url: readableFile(message.fileURL),
    voiceNote:
      kind === 'audio' && (fields.PTT || message.mediaType === 'ptt' || /^ptt/i.test(message.messageType)),
    gif: kind === 'video' && (fields.gifPlayback || message.mediaType === 'gif'),
  };
}

/**
 * Returns the text if it is an https URL; otherwise null. Also returns null for a URL of WhatsApp's servers, because
 * their files are encrypted with a key that Parley does not have.
 */
function readableFile(url: string): string | null {
  return /^https:\/\//i.test(url) && !/^https:\/\/[^/?#]*\bwhatsapp\.net(?::\d+)?(?:[/?#]|$)/i.test(url)
    ? url
    : null;
}

/** Returns the first text that is not blank; `''` if there is none. */
function firstOf(...texts: (string | null | undefined)[]): string {
  return texts.find((text) => (text ?? '').trim() !== '') ?? '';
}

/** Returns the message as text for the agent; `''` if nothing in it can be shown as text. */
export function gatewayText(message: GatewayMessage, kind: GatewayMessageKind): string {
  const { fields, asText } = message.content;
  const plain = firstOf(
    message.text,
    asText.startsWith('{') && fields.text !== '' ? fields.text : asText,
    fields.text,
    fields.conversation,
    fields.caption,
  );
  switch (kind) {
    case 'interactive_reply':
      return firstOf(
        fields.selectedDisplayText,
        fields.Response?.SelectedDisplayText,
        message.vote,
        fields.title,
        message.buttonOrListid,
        plain,
        gatewayReplyId(message, kind),
      );
    case 'poll_vote':
      return firstOf(message.vote, plain);
    case 'poll':
      return pollText(plain, message.convertOptions);
    case 'location':
      return locationText(message);
    case 'contact':
      return firstOf(message.text, contactText(message));
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker':
      return firstOf(message.text, fields.caption, fields.text);
    case 'text':
    case 'reaction':
    case 'protocol':
    case 'unknown':
      return plain;
  }
}

function pollText(question: string, options: string): string {
  const choices = options.split('|').filter((option) => option.trim() !== '');
  return [question, ...choices.map((choice) => `- ${choice.trim()}`)]
    .filter((line) => line !== '')
    .join('\n');
}

const maxPlaceLength = 2000;

function locationText(message: GatewayMessage): string {
  const { name, address, degreesLatitude, degreesLongitude } = message.content.fields;
  const place =
    degreesLatitude === undefined || degreesLongitude === undefined
      ? ''
      : `${degreesLatitude}, ${degreesLongitude}`;
  const line = [name, address, place].filter((piece) => piece.trim() !== '').join(', ');
  const text = message.text.trim();
  // A long line is not searched, because the search could take quadratic time. Real names and addresses are short.
  const repeats = line.length <= maxPlaceLength && line.includes(text);
  const said = repeats ? '' : text;
  return [said, line === '' ? '' : `Location: ${line}`].filter((piece) => piece !== '').join('\n');
}

function contactText(message: GatewayMessage): string {
  const { displayName, vcard, contacts } = message.content.fields;
  return [{ displayName, vcard }, ...(contacts ?? [])]
    .map((card) => {
      const numbers = [...card.vcard.matchAll(/^[^\r\n:]{0,200}TEL[^\r\n:]{0,200}:([^\r\n]{1,40})/gim)];
      return [card.displayName, ...numbers.map((match) => match[1]?.trim() ?? '')]
        .filter((piece) => piece !== '')
        .join(': ');
    })
    .filter((line) => line !== '')
    .join('\n');
}

/** Returns the id of the row or button that the contact chose; null for other messages, and if there is no id. */
export function gatewayReplyId(message: GatewayMessage, kind: GatewayMessageKind): string | null {
  if (kind !== 'interactive_reply') return null;
  const { selectedID, selectedButtonID, selectedButtonId, singleSelectReply: row } = message.content.fields;
  const ids = [message.buttonOrListid, selectedID, selectedButtonID, selectedButtonId];
  return firstOf(...ids, row?.selectedRowID, row?.selectedRowId) || null;
}

/** Returns the gateway id of the quoted message; null if there is none. */
export function gatewayQuotedId(message: GatewayMessage): string | null {
  const context = message.content.fields.contextInfo;
  const id = firstOf(message.quoted, context?.stanzaID, context?.stanzaId);
  return id.trim().slice(0, 255) || null;
}
