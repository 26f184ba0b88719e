import { z } from 'zod';
import { text, timestamp } from './page.ts';

const maxMetadataBytes = 16 * 1024;
const maxMetadataLevels = 10;

function levels(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(levels));
}

export const metadata = z
  .record(z.string(), z.json())
  .refine(
    (value) => Buffer.byteLength(JSON.stringify(value)) <= maxMetadataBytes,
    'must be at most 16 KiB as JSON',
  )
  .refine((value) => levels(value) <= maxMetadataLevels, 'must be at most 10 levels deep')
  .describe('Free-form correlation data, returned in the callback; at most 16 KiB as JSON and 10 levels');

const filename = text(255);
const contentType = text(255).regex(
  /^[\w.+-]+\/[\w.+-]+(\s*;.*)?$/,
  'must be a media type such as image/png',
);
export const attachmentWithContent = z.strictObject({
  content_base64: z.base64().min(1),
  filename: filename.optional(),
  content_type: contentType.optional(),
});
const attachment = z.union([
  z.strictObject({
    url: z
      .url({ protocol: /^https$/ })
      .max(2048)
      .describe('Public https address, fetched by us'),
    filename: filename.optional(),
    content_type: contentType.optional(),
  }),
  attachmentWithContent,
]);
export type AttachmentInput = z.infer<typeof attachment>;

/** Only the form is judged here: whether it may be called is decided when the callback is due. */
export const webhookUrl = text(2048)
  .refine(
    (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
    'must be an absolute http or https URL',
  )
  .describe('Callback destination: an absolute http or https URL');

export const chatRequest = z
  .strictObject({
    message: text(32_000).optional().describe('1 to 32,000 characters; may be empty only with attachments'),
    sync: z.boolean().default(false).describe('true: the answer comes back in this call'),
    webhook_url: webhookUrl.optional(),
    metadata: metadata.optional(),
    conversation_id: z.uuid().optional(),
    contact: z
      .strictObject({ id: text(255).min(1), name: text(255).optional() })
      .optional()
      .describe("The caller's own key for the end user: continues that contact's conversation"),
    attachments: z.array(attachment).max(10).optional(),
  })
  .refine((body) => (body.message ?? '') !== '' || (body.attachments ?? []).length > 0, {
    path: ['message'],
    error: 'must not be empty unless attachments are given',
  })
  .meta({
    id: 'ChatRequest',
    example: { message: 'Hello', webhook_url: 'https://example.com/hooks/3f9c', metadata: { order: 17 } },
  });

export const acknowledgement = z
  .object({
    status: z.enum(['processing', 'debounced']),
    conversation_id: z.uuid(),
    group_id: z.uuid().optional().describe('Present only when status is debounced'),
  })
  .meta({ id: 'Acknowledgement' });
export type Acknowledgement = z.infer<typeof acknowledgement>;

export const chatAnswer = z
  .object({
    success: z.literal(true),
    conversation_id: z.uuid(),
    agent_id: z.uuid(),
    message_id: z.uuid().optional(),
    response: z.string(),
    model: z.string(),
    credits_used: z.number(),
    attachments_processed: z.int(),
    responding_agent_name: z.string(),
    metadata: metadata.optional(),
    timestamp,
    messages: z.array(
      z.object({
        message_id: z.uuid(),
        agent_id: z.uuid(),
        responding_agent_name: z.string(),
        response: z.string(),
        pre_transfer: z.literal(true).optional(),
      }),
    ),
  })
  .meta({ id: 'ChatAnswer' });
export type ChatAnswer = z.infer<typeof chatAnswer>;
