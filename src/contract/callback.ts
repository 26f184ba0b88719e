/** What is posted to a caller's webhook_url. */
import { z } from 'zod';
import { metadata } from './chat.ts';
import { timestamp } from './page.ts';

export const messageCompleted = z
  .object({
    event: z.literal('message.completed'),
    agent_id: z.uuid(),
    success: z.literal(true),
    conversation_id: z.uuid(),
    message_id: z.uuid().optional(),
    response: z.string(),
    model: z.string().optional(),
    credits_used: z.number().optional(),
    attachments_processed: z.int().optional(),
    responding_agent_name: z.string(),
    metadata: metadata.optional(),
    timestamp,
    pre_transfer: z.literal(true).optional(),
    followup: z.literal(true).optional(),
    followup_attempt: z.int().optional(),
  })
  .meta({ id: 'MessageCompleted' });

export const messageError = z
  .object({
    event: z.literal('message.error'),
    agent_id: z.uuid(),
    conversation_id: z.uuid(),
    error: z.string(),
    metadata: metadata.optional(),
    timestamp,
  })
  .meta({ id: 'MessageError' });

export type Callback = z.infer<typeof messageCompleted> | z.infer<typeof messageError>;
