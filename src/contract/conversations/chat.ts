import { z } from 'zod';
import { FileBytes } from '../file-bytes.ts';
import { asUri, JsonText, stringify, text, textLike } from '../text.ts';
import { flag, timestamp } from '../page.ts';
import { contentTypePattern, maxAttachments } from './limits.ts';

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

/**
 * The caller's metadata. Parley stores and returns the original JSON text, without the white space between tokens. A
 * client that parses a response gets an object.
 */
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
    description: 'Any JSON object, returned unchanged in the callback; at most 16 KiB as JSON and 10 levels',
  });

/** The JSON object of an answer with an output schema. Parley returns the text of the answer, unchanged, as JSON. */
export const output = z
  .custom<JsonText | Record<string, unknown>>(
    (value) => value instanceof JsonText || isObject(value),
    'must be an object',
  )
  .meta({
    id: 'Output',
    type: 'object',
    additionalProperties: {},
    description:
      'The answer as a JSON object that fits the `output_schema` of the agent; absent if it has none',
  });

const filename = text(255).describe('Name of the file for the model and in the history');
const contentType = textLike(255, contentTypePattern, 'must be a media type such as image/png').describe(
  'Media type, such as image/png',
);
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
    description: 'Content of the file as base64',
  });
export const attachmentWithContent = z
  .strictObject({
    content_base64: fileContent,
    filename: filename.optional(),
    content_type: contentType.optional(),
  })
  .meta({ id: 'AttachmentContent', description: 'A file, given by its content' });
const attachmentByUrl = z
  .strictObject({
    url: z
      .url({ protocol: /^https$/ })
      .max(2048)
      .describe('Public https URL, which Parley fetches'),
    filename: filename.optional(),
    content_type: contentType.optional(),
  })
  .meta({ id: 'AttachmentUrl', description: 'A file, given by its URL' });
const attachment = z
  .union([attachmentByUrl, attachmentWithContent])
  .meta({ id: 'Attachment', description: 'A file, given by its URL or its content' });
export type AttachmentInput = z.infer<typeof attachment>;

/** Validates only the form of the URL. Before each callback or alert, Parley checks whether it may call the address. */
export const webhookUrl = text(2048)
  .refine(
    (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
    'must be an absolute http or https URL',
  )
  .meta(asUri('Callback destination: an absolute http or https URL'));

export const chatRequest = z
  .strictObject({
    message: text(32_000)
      .optional()
      .describe('Text of the message, 1 to 32,000 characters; may be empty only with attachments'),
    sync: z.boolean().default(false).describe('true: this call waits for the answer and returns it'),
    webhook_url: webhookUrl.optional(),
    metadata: metadata.optional().describe('Your own metadata, returned unchanged in the callback'),
    conversation_id: z
      .uuid()
      .optional()
      .describe(
        'Continues this conversation, which must have been started with the same {id}. Without it and without contact, a new conversation starts',
      ),
    contact: z
      .strictObject({
        id: text(255).min(1).describe('Your own id of the user'),
        name: text(255).optional().describe('Display name'),
      })
      .meta({ id: 'ContactKey', description: 'Your own key for the end user' })
      .optional()
      .describe('Your own key for the end user: continues the conversation of this contact, or starts it'),
    attachments: z
      .array(attachment)
      .max(maxAttachments)
      .optional()
      .describe('Files of the message, by URL or content'),
    draft: z
      .boolean()
      .optional()
      .describe(
        "true: begins a test conversation that the agent's draft answers, as it is now. A token also needs the scope agents.manage",
      ),
    candidate: z
      .boolean()
      .optional()
      .describe(
        "true: begins a test conversation that the agent's candidate answers while it is the candidate, and the published version afterwards. A token also needs the scope agents.manage",
      ),
    read_only: z
      .boolean()
      .optional()
      .describe(
        'true: begins a test conversation in which no tool changes data. Calls of tools that may change data, or that a person must approve, are not executed, and the agent answers as if they had succeeded',
      ),
  })
  .refine(({ draft, conversation_id, contact }) => !draft || (conversation_id ?? contact) === undefined, {
    path: ['draft'],
    error: 'begins a conversation: without conversation_id and contact',
  })
  .refine(
    ({ candidate, draft, conversation_id, contact }) =>
      !candidate || (draft !== true && (conversation_id ?? contact) === undefined),
    { path: ['candidate'], error: 'begins a conversation: without draft, conversation_id and contact' },
  )
  .refine(
    ({ read_only, conversation_id, contact }) => !read_only || (conversation_id ?? contact) === undefined,
    {
      path: ['read_only'],
      error: 'begins a conversation: without conversation_id and contact',
    },
  )
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
      .enum(['processing', 'debounced', 'paused'])
      .describe(
        "processing: the message is answered separately; debounced: it waits for the agent's grouping window, and is answered together with the other messages in it; paused: a person has taken over the conversation, so the message is stored for them and the agent does not answer it",
      ),
    conversation_id: z.uuid().describe('The conversation of the message'),
    group_id: z.uuid().optional().describe('The group of the message; present only if status is debounced'),
  })
  .meta({ id: 'Acknowledgement', description: 'The message is stored durably' });
export type Acknowledgement = z.infer<typeof acknowledgement>;

export const chatAnswer = z
  .object({
    success: z.literal(true).describe('Always true'),
    conversation_id: z.uuid().describe('The conversation of the message'),
    agent_id: z.uuid().describe('The agent that answered'),
    message_id: z
      .uuid()
      .optional()
      .describe('Id of the answer in the history; absent if the response is empty'),
    response: z.string().describe("Text of the answer; after a transfer, the last agent's"),
    output: output.optional().describe('The answer as JSON; absent if the agent has no output schema'),
    model: z.string().describe('The model that the provider reports'),
    credits_used: z.number().describe('Cost of the run'),
    attachments_processed: z.int().describe('Number of files in the answered message'),
    responding_agent_name: z.string().describe('Name of the agent that answered'),
    metadata: metadata.optional().describe('Your own metadata, returned unchanged in the callback'),
    timestamp: timestamp.describe('When the answer was assembled, ISO 8601 in UTC'),
    messages: z
      .array(
        z
          .object({
            message_id: z.uuid().describe('Id of the message in the history'),
            agent_id: z.uuid().describe('The agent that wrote the message'),
            responding_agent_name: z.string().describe('Name of the agent that wrote the message'),
            response: z.string().describe('Text of the message'),
            output: output
              .optional()
              .describe('The answer as JSON; absent if the agent has no output schema'),
            pre_transfer: flag('True if the message was written before a transfer'),
          })
          .meta({ id: 'AnswerMessage', description: 'A message of the run' }),
      )
      .describe('All messages of the run, in order; the fields above describe the last one'),
  })
  .meta({ id: 'ChatAnswer', description: 'Answer to a synchronous call' });
export type ChatAnswer = z.infer<typeof chatAnswer>;
