import { z } from 'zod';
import { metadata } from './chat.ts';
import { pageQuery, timestamp } from './page.ts';

export const conversation = z
  .object({
    id: z.uuid(),
    agent_id: z.uuid().describe('The agent that answers now, after any transfer'),
    target_id: z.uuid().describe('The agent or inbox identifier it was begun with'),
    channel: z.string(),
    contact: z.object({ id: z.string(), name: z.string().optional() }).optional(),
    paused_until: timestamp
      .optional()
      .describe('A person has taken over: the agent does not answer before this'),
    paused_by: z.string().optional().describe('phone, console or api'),
    paused_by_name: z.string().optional().describe('Who it was, where it was made in the console'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Conversation' });
export type Conversation = z.infer<typeof conversation>;

/** A filter that names nothing of this organization gives an empty list. */
export const conversationsQuery = pageQuery.extend({
  agent_id: z.string().max(64).optional(),
  contact_id: z.string().max(255).optional(),
});

export const deliveryStatus = z.enum(['pending', 'attempting', 'delivered', 'failed', 'blocked', 'unknown']);

const attachment = z.object({
  id: z.uuid(),
  filename: z.string().nullable(),
  content_type: z.string().nullable(),
  size: z.int().nullable().describe('Bytes; null while a URL has not been fetched'),
  url: z
    .url()
    .optional()
    .describe('Where the file can be had without a token, for a day at least; absent while it is not kept'),
});
const shared = {
  id: z.uuid(),
  conversation_id: z.uuid(),
  text: z.string(),
  attachments: z.array(attachment),
  created_at: timestamp,
};
export const message = z
  .discriminatedUnion('role', [
    z.object({
      ...shared,
      role: z.literal('user'),
      status: z.enum(['queued', 'processing', 'answered', 'failed', 'cancelled']),
      group_id: z.uuid().optional(),
      metadata: metadata.optional(),
    }),
    z.object({
      ...shared,
      role: z.literal('agent'),
      agent_id: z.uuid(),
      responding_agent_name: z.string(),
      model: z.string().optional(),
      credits_used: z.number().optional(),
      in_reply_to: z.array(z.uuid()),
      pre_transfer: z.literal(true).optional(),
      followup: z.literal(true).optional(),
      followup_attempt: z.int().optional(),
      replaced: z.literal(true).optional().describe('Another answer was made in its place'),
      by_person: z.literal(true).optional().describe('Written by a person, not by the agent'),
      delivery: z.object({ status: deliveryStatus, attempted_at: timestamp.optional() }).optional(),
    }),
  ])
  .meta({ id: 'Message' });
export type Message = z.infer<typeof message>;

export const messagesQuery = pageQuery.extend({ order: z.enum(['asc', 'desc']).default('asc') });

export const delivery = z
  .object({
    id: z.uuid(),
    event: z.enum(['message.completed', 'message.error', 'channel.session_down', 'channel.timelocked']),
    url: z.string(),
    status: deliveryStatus,
    http_status: z.int().optional(),
    response_body: z.string().optional().describe('At most 5,000 characters'),
    error: z.string().optional(),
    conversation_id: z.uuid().optional().describe("Absent for a channel's alert"),
    agent_id: z.uuid().optional().describe("Of a channel's alert: the agent whose channel it is"),
    message_id: z.uuid().optional(),
    attempted_at: timestamp.optional(),
    duration_ms: z.int().optional(),
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.infer<typeof delivery>;

export const deliveriesQuery = pageQuery.extend({
  conversation_id: z.string().max(64).optional(),
  status: deliveryStatus.optional(),
});
