/**
 * Parses the events that the messaging gateway posts to an agent's webhook URL. The vendor does not document their
 * bodies, and captured bodies differ between builds. So every field is optional, and a field of the wrong type counts
 * as absent. Only a body that is not a JSON object fails to parse. Unknown fields are dropped.
 */
import { z } from 'zod';

const text = z.string().catch('');
/** A boolean, which some builds send as text or as a number. Only true, 'true' and 1 count as true. */
const flag = z
  .unknown()
  .default(false)
  .transform((value) => value === true || value === 'true' || value === 1);
const numeric = z.union([
  z.number(),
  z
    .string()
    .regex(/^\s*-?\d+(\.\d+)?\s*$/)
    .transform(Number),
]);
const size = numeric.pipe(z.number().nonnegative()).optional().catch(undefined);
const degrees = numeric.optional().catch(undefined);

const contentFields = z.object({
  text,
  conversation: text,
  caption: text,
  title: text,
  selectedDisplayText: text,
  selectedID: text,
  selectedButtonID: text,
  selectedButtonId: text,
  singleSelectReply: z.object({ selectedRowID: text, selectedRowId: text }).optional().catch(undefined),
  Response: z.object({ SelectedDisplayText: text }).optional().catch(undefined),
  mimetype: text,
  fileName: text,
  fileLength: size,
  seconds: size,
  PTT: flag,
  gifPlayback: flag,
  degreesLatitude: degrees,
  degreesLongitude: degrees,
  name: text,
  address: text,
  displayName: text,
  vcard: text,
  contacts: z
    .array(z.object({ displayName: text, vcard: text }))
    .optional()
    .catch(undefined),
  contextInfo: z.object({ stanzaID: text, stanzaId: text }).optional().catch(undefined),
});

/**
 * Parses `content`, which is ordinary text, an object, or the JSON text of an object. `asText` is the received text, or
 * '' for a value of another type. `fields` are the object's fields; all are absent for ordinary text.
 */
const content = z
  .unknown()
  .default('')
  .transform((value) => {
    const asText = typeof value === 'string' ? value : '';
    let fields = value;
    if (asText.startsWith('{')) {
      try {
        fields = JSON.parse(asText);
      } catch {
        fields = undefined; // Ordinary text that starts with a brace.
      }
    }
    const parsed = contentFields.safeParse(fields);
    return { asText, fields: parsed.success ? parsed.data : contentFields.parse({}) };
  });

const message = z.object({
  id: text,
  messageid: text,
  chatid: text,
  chatlid: text,
  owner: text,
  sender: text,
  sender_pn: text,
  sender_lid: text,
  senderName: text,
  isGroup: flag,
  fromMe: flag,
  wasSentByApi: flag,
  messageType: text,
  type: text,
  mediaType: text,
  text,
  content,
  messageTimestamp: z.union([z.number(), z.string()]).optional().catch(undefined),
  quoted: text,
  edited: text,
  reaction: text,
  vote: text,
  buttonOrListid: text,
  convertOptions: text,
  fileURL: text,
  track_id: text,
  track_source: text,
});

const chat = z.object({
  phone: text,
  wa_chatid: text,
  wa_chatlid: text,
  wa_isGroup: flag,
  wa_contactName: text,
  wa_name: text,
  name: text,
});

const envelope = z.looseObject({ token: text, owner: text, instanceName: text });

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads the event's name from `EventType`, `eventType` or `event`. Takes the first of these that is a string and not
 * blank, because one of them may be an object.
 * @returns the name, trimmed and in lower case; `''` if there is none; undefined if the body is not a JSON object
 */
export function gatewayEventName(body: unknown): string | undefined {
  if (!isRecord(body)) return undefined;
  for (const value of [body['EventType'], body['eventType'], body['event']]) {
    if (typeof value === 'string' && value.trim() !== '') return value.trim().toLowerCase();
  }
  return '';
}

/**
 * Finds the messages in `message` or else in `data`: an object is one message, an array may contain several. If neither
 * field is an object or an array, the body itself counts as a message if it has `messageid` or `chatid`.
 */
function messagesOf(body: Record<string, unknown>): Record<string, unknown>[] {
  for (const value of [body['message'], body['data']]) {
    if (Array.isArray(value)) return value.filter(isRecord);
    if (isRecord(value)) return [value];
  }
  return 'messageid' in body || 'chatid' in body ? [body] : [];
}

/** Maximum number of messages that are read from one event. Chosen; captured events contain one message each. */
const maxMessages = 50;

export const gatewayEvent = envelope.transform((body) => {
  const messages = messagesOf(body);
  return {
    name: gatewayEventName(body) ?? '',
    /** The number of the paired phone, as the event contains it; '' if it is absent. */
    owner: body.owner,
    /** The instance's token; '' if it is absent. Only compare it: do not store or log it. */
    token: body.token,
    chat: chat.catch(chat.parse({})).parse(body['chat']),
    messages: messages.slice(0, maxMessages).map((one) => message.parse(one)),
    /** True if the event has more than `maxMessages` messages. Those above the maximum are not read. */
    isCut: messages.length > maxMessages,
  };
});

export type GatewayEvent = z.infer<typeof gatewayEvent>;
export type GatewayMessage = z.infer<typeof message>;
export type GatewayChat = z.infer<typeof chat>;
