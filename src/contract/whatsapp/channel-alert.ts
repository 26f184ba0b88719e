/** The payloads that Parley posts to a channel's alert_url; webhook endpoints may get conversation.waiting too. */
import { z } from 'zod';
import { channelName } from '../conversations/channel-name.ts';
import { waitReason } from '../conversations/waiting.ts';
import { timestamp } from '../page.ts';

export const sessionDown = z
  .object({
    event: z.literal('channel.session_down').describe('Kind of the event'),
    agent_id: z.uuid().describe("The channel's agent"),
    status: z.string().describe("The session's status, as the gateway last reported it"),
    reason: z.string().optional().describe('The reason, if the gateway gives one'),
    down_since: timestamp.describe('When the session was first found down'),
    timestamp: timestamp.describe('When the payload was assembled, ISO 8601 in UTC'),
  })
  .meta({
    id: 'ChannelSessionDown',
    description: "Posted to alert_url when a channel's session has been down for long",
  });

export const timelocked = z
  .object({
    event: z.literal('channel.timelocked').describe('Kind of the event'),
    agent_id: z.uuid().describe("The channel's agent"),
    reason: z.string().describe('The reason, as the gateway reported it'),
    until: timestamp.describe('The number may not start new chats before this time'),
    timestamp: timestamp.describe('When the payload was assembled, ISO 8601 in UTC'),
  })
  .meta({
    id: 'ChannelTimelocked',
    description: 'Posted to alert_url when WhatsApp forbids the number to start new chats',
  });

export const conversationWaiting = z
  .object({
    event: z.literal('conversation.waiting').describe('Kind of the event'),
    agent_id: z.uuid().describe("The conversation's agent"),
    conversation_id: z.uuid().describe('The conversation'),
    channel: channelName.describe('Where the contact writes'),
    reason: waitReason,
    waiting_since: timestamp.describe('When the conversation began to wait'),
    timestamp: timestamp.describe('When the payload was assembled, ISO 8601 in UTC'),
  })
  .meta({
    id: 'ConversationWaiting',
    description:
      'Posted to alert_url or, if there is none, to webhook endpoints with `waiting_alerts`, when a conversation begins to wait for a person, once for each wait',
  });

/** The alerts that code writes; the trigger announce_wait writes conversation.waiting. */
export type ChannelAlert = z.infer<typeof sessionDown> | z.infer<typeof timelocked>;
