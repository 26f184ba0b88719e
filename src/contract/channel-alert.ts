/** What is posted to a channel's alert_url. */
import { z } from 'zod';
import { timestamp } from './page.ts';

export const sessionDown = z
  .object({
    event: z.literal('channel.session_down'),
    agent_id: z.uuid(),
    status: z.string().describe("The gateway's own word, as it was last seen"),
    reason: z.string().optional(),
    down_since: timestamp,
    timestamp,
  })
  .meta({ id: 'ChannelSessionDown' });

export const timelocked = z
  .object({
    event: z.literal('channel.timelocked'),
    agent_id: z.uuid(),
    reason: z.string(),
    until: timestamp.describe('WhatsApp lets the number begin no new chats before'),
    timestamp,
  })
  .meta({ id: 'ChannelTimelocked' });

export type ChannelAlert = z.infer<typeof sessionDown> | z.infer<typeof timelocked>;
