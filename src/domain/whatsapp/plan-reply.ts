/** Plans the gateway calls that send one message: their order, the typing indicators, and the pauses between them. */
import { splitReply } from './split-reply.ts';
import { whatsappMarks } from './marks.ts';

export type ReplyAttachment = {
  readonly id: string;
  readonly contentType: string;
  readonly filename: string;
};

export type GatewayMediaType = 'image' | 'audio' | 'video' | 'document';

export type ReplyStep = {
  /** Number of the part, from 0. Together with the delivery's id, it identifies the send. */
  readonly partNo: number;
  /** Milliseconds for which the contact sees "typing…" before this part. */
  readonly typingMs: number;
  /** True if the gateway must mark the chat as read when it sends this part. Never true after the first part. */
  readonly readChat: boolean;
  /** Milliseconds to wait after the previous part; 0 for the first part. */
  readonly gapMs: number;
} & (
  | { readonly form: 'text'; readonly text: string }
  | {
      readonly form: 'media';
      readonly attachmentId: string;
      readonly mediaType: GatewayMediaType;
      readonly filename: string | null;
      readonly caption: string;
    }
);

export type ReplySettings = {
  readonly partLength: number;
  readonly captionLength: number;
  readonly typing: boolean;
  readonly gapMs: number;
};

export const defaultReplySettings: ReplySettings = {
  partLength: 4096,
  captionLength: 1024,
  typing: true,
  gapMs: 500,
};

/** Returns the parts in the order in which they are sent; an empty list for a blank text without attachments. */
export function planGatewayReply(
  reply: { readonly text: string; readonly attachments?: readonly ReplyAttachment[] },
  settings: ReplySettings = defaultReplySettings,
): ReplyStep[] {
  const safe = guardPlaceholders(whatsappMarks(reply.text)).trim();
  const files = reply.attachments ?? [];
  const captioned = takesCaption(files) && safe.length <= settings.captionLength;
  const texts = captioned ? [] : splitReply(safe, settings.partLength);
  const pace = (partNo: number, length: number) => ({
    partNo,
    typingMs: partNo === 0 && settings.typing ? typingMs(length) : 0,
    readChat: partNo === 0,
    gapMs: partNo === 0 ? 0 : settings.gapMs,
  });
  return [
    ...texts.map((text, index) => ({ ...pace(index, text.length), form: 'text' as const, text })),
    ...files.map((file, index) => {
      const mediaType = gatewayMediaType(file);
      return {
        ...pace(texts.length + index, safe.length),
        form: 'media' as const,
        attachmentId: file.id,
        mediaType,
        filename: mediaType === 'document' ? file.filename : null,
        caption: captioned ? safe : '',
      };
    }),
  ];
}

/** Returns the milliseconds for which "typing…" is shown before a text of this length: from 0.5 to 3 s. Chosen. */
export function typingMs(characters: number): number {
  return Math.min(3000, 500 + 15 * characters);
}

/**
 * Returns the gateway's media type for the file: `document` for GIF and WebP images, for videos other than MP4, and for
 * everything other than images, audio and video.
 */
export function gatewayMediaType(file: ReplyAttachment): GatewayMediaType {
  const type = file.contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type.startsWith('image/') && type !== 'image/webp' && type !== 'image/gif') return 'image';
  if (type.startsWith('audio/')) return 'audio';
  return type === 'video/mp4' ? 'video' : 'document';
}

/**
 * True if the reply has exactly one file, and the gateway sends it as an image or a document, so that the text can be
 * its caption. Audio cannot have a caption, and with several files, each would repeat the text.
 */
function takesCaption(files: readonly ReplyAttachment[]): boolean {
  const [only, ...others] = files;
  return only !== undefined && others.length === 0 && ['image', 'document'].includes(gatewayMediaType(only));
}

const wordJoiner = '\u2060';

/**
 * Splits each `{{` and `}}` in outgoing text with an invisible word joiner. The gateway replaces placeholders such as
 * `{{name}}` and `{{lead_email}}` in every text, and documents no escape. Without the joiner, the gateway would change
 * an answer that contains a placeholder, or insert private fields of a contact.
 */
export function guardPlaceholders(text: string): string {
  return text.replace(/\{(?=\{)/g, `{${wordJoiner}`).replace(/\}(?=\})/g, `}${wordJoiner}`);
}
