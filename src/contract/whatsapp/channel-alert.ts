/** What is posted to a channel's alert_url. */
import { z } from 'zod';
import { timestamp } from '../page.ts';

export const sessionDown = z
  .object({
    event: z.literal('channel.session_down').describe('What has happened'),
    agent_id: z.uuid().describe('The agent whose channel it is'),
    status: z.string().describe("The gateway's own word, as it was last seen"),
    reason: z.string().optional().describe('The reason, if the gateway gives one'),
    down_since: timestamp.describe('When it was first seen to be down'),
    timestamp: timestamp.describe('When the payload was assembled, ISO 8601 in UTC'),
  })
  .meta({
    id: 'ChannelSessionDown',
    description: "A channel's session is down for long, posted to alert_url",
  });

export const timelocked = z
  .object({
    event: z.literal('channel.timelocked').describe('What has happened'),
    agent_id: z.uuid().describe('The agent whose channel it is'),
    reason: z.string().describe('As the gateway said it'),
    until: timestamp.describe('WhatsApp lets the number begin no new chats before'),
    timestamp: timestamp.describe('When the payload was assembled, ISO 8601 in UTC'),
  })
  .meta({
    id: 'ChannelTimelocked',
    description: 'WhatsApp forbids the number to begin new chats, posted to alert_url',
  });

export type ChannelAlert = z.infer<typeof sessionDown> | z.infer<typeof timelocked>;
