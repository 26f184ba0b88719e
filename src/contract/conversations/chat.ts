import { z } from 'zod';
import { FileBytes } from '../file-bytes.ts';
import { JsonText, stringify } from '../json-text.ts';
import { asUri, text, textLike, timestamp } from '../page.ts';

const maxMetadataBytes = 16 * 1024;
const maxMetadataLevels = 10;

function levels(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(levels));
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: JsonText | Record<string, unknown>): string {
  return value instanceof JsonText ? value.text : stringify(value);
}

/** Sent on as its text; who reads an answer has the object. */
export const metadata = z
  .custom<JsonText | Record<string, unknown>>(
    (value) => (value instanceof JsonText ? value.text.startsWith('{') : isObject(value)),
    'must be an object',
  )
  .refine(
    (value) => new TextEncoder().encode(textOf(value)).length <= maxMetadataBytes,
    'must be at most 16 KiB as JSON',
  )
  .refine((value) => levels(JSON.parse(textOf(value))) <= maxMetadataLevels, 'must be at most 10 levels deep')
  .meta({
    id: 'Metadata',
    type: 'object',
    additionalProperties: {},
    description:
      'Free-form correlation data, returned in the callback as it was written; at most 16 KiB as JSON and 10 levels',
  });

const filename = text(255).describe('How the model and the history name it');
const contentType = textLike(
  255,
  /^[\w.+-]+\/[\w.+-]+(\s*;[^\x00\r\n]*)?$/,
  'must be a media type such as image/png',
).describe('Media type, such as image/png');
const base64 = z.base64().min(1);
const fileContent = z
  .custom<string | FileBytes>(
    (value) => value instanceof FileBytes || base64.safeParse(value).success,
    'must be base64, and not empty',
  )
  .meta({
    type: 'string',
    contentEncoding: 'base64',
    minLength: 1,
    description: 'The file itself, as base64',
  });
export const attachmentWithContent = z
  .strictObject({
    content_base64: fileContent,
    filename: filename.optional(),
    content_type: contentType.optional(),
  })
  .meta({ id: 'AttachmentContent', description: 'A file, given whole' });
const attachmentByUrl = z
  .strictObject({
    url: z
      .url({ protocol: /^https$/ })
      .max(2048)
      .describe('Public https address, fetched by us'),
    filename: filename.optional(),
    content_type: contentType.optional(),
  })
  .meta({ id: 'AttachmentUrl', description: 'A file, given by its address' });
const attachment = z
  .union([attachmentByUrl, attachmentWithContent])
  .meta({ id: 'Attachment', description: 'A file, by its address or whole' });
export type AttachmentInput = z.infer<typeof attachment>;

/** Only the form is judged here: whether it may be called is decided when the callback is due. */
export const webhookUrl = text(2048)
  .refine(
    (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
    'must be an absolute http or https URL',
  )
  .meta(asUri('Callback destination: an absolute http or https URL'));

export const chatRequest = z
  .strictObject({
    message: text(32_000).optional().describe('1 to 32,000 characters; may be empty only with attachments'),
    sync: z.boolean().default(false).describe('true: the answer comes back in this call'),
    webhook_url: webhookUrl.optional(),
    metadata: metadata.optional().describe('Free-form correlation data, as the caller gave it'),
    conversation_id: z
      .uuid()
      .optional()
      .describe(
        'Continues this conversation, which was begun with the same {id}; without it and without contact a new one begins',
      ),
    contact: z
      .strictObject({
        id: text(255).min(1).describe('Such as your user id'),
        name: text(255).optional().describe('How people call them'),
      })
      .meta({ id: 'ContactKey', description: "The caller's own key for the end user" })
      .optional()
      .describe("The caller's own key for the end user: continues that contact's conversation"),
    attachments: z
      .array(attachment)
      .max(10)
      .optional()
      .describe('Files that go with the message, by address or content'),
  })
  .refine((body) => (body.message ?? '') !== '' || (body.attachments ?? []).length > 0, {
    path: ['message'],
    error: 'must not be empty unless attachments are given',
  })
  .meta({
    id: 'ChatRequest',
    description: 'A message for an agent',
    example: { message: 'Hello', webhook_url: 'https://example.com/hooks/3f9c', metadata: { order: 17 } },
  });

export const acknowledgement = z
  .object({
    status: z
      .enum(['processing', 'debounced'])
      .describe("debounced: it waits with others for the agent's grouping window, and is answered with them"),
    conversation_id: z.uuid().describe('The conversation that the message is in'),
    group_id: z.uuid().optional().describe('Present only when status is debounced'),
  })
  .meta({ id: 'Acknowledgement', description: 'The message is durable and will be answered' });
export type Acknowledgement = z.infer<typeof acknowledgement>;

export const chatAnswer = z
  .object({
    success: z.literal(true).describe('Always true'),
    conversation_id: z.uuid().describe('The conversation that it is in'),
    agent_id: z.uuid().describe('The agent that answered'),
    message_id: z
      .uuid()
      .optional()
      .describe("The answer's id in the history; absent where the response is empty"),
    response: z.string().describe("The answer's text; after a transfer that of the last agent"),
    model: z.string().describe('The one that the provider says it used'),
    credits_used: z.number().describe('What the run cost'),
    attachments_processed: z.int().describe('Files of the message that was answered'),
    responding_agent_name: z.string().describe('Name of the agent that answered'),
    metadata: metadata.optional().describe('Free-form correlation data, as the caller gave it'),
    timestamp: timestamp.describe('When the answer was assembled, ISO 8601 in UTC'),
    messages: z
      .array(
        z
          .object({
            message_id: z.uuid().describe("The message's id in the history"),
            agent_id: z.uuid().describe('The agent that wrote it'),
            responding_agent_name: z.string().describe('Name of the agent that wrote it'),
            response: z.string().describe('The text of the message'),
            pre_transfer: z.literal(true).optional().describe('Said before the conversation was handed over'),
          })
          .meta({ id: 'AnswerMessage', description: 'A message of the run' }),
      )
      .describe('All messages of the run, in order; the fields above are those of the last one'),
  })
  .meta({ id: 'ChatAnswer', description: 'The answer to a synchronous call' });
export type ChatAnswer = z.infer<typeof chatAnswer>;
