/** The test message ("hello") with which a person proves that a channel sends and receives. */
import { z } from 'zod';
import { timestamp } from '../page.ts';

/** The body of the request that sends a hello. */
export const helloForm = z
  .strictObject({
    request_id: z
      .uuid()
      .describe(
        'Chosen by the caller. A call that repeats it within a day sends nothing and returns the first hello, so repeat a call without an answer with the same id',
      ),
    to: z
      .string()
      .trim()
      .min(8)
      .max(40)
      .describe("The phone number that receives it, with the country code; not the channel's own number"),
  })
  .meta({ id: 'SendHello', description: 'A test message to a phone that you can look at' });

export const helloProblem = z.object({
  code: z
    .enum([
      'session_down',
      'invalid_credentials',
      'timelocked',
      'refused',
      'gateway_busy',
      'gateway_unreachable',
      'uncertain',
      'not_confirmed',
      'webhook_wrong',
    ])
    .describe('A stable code for programs'),
  message: z.string().describe('What happened, and what to do'),
});
export type HelloProblem = z.infer<typeof helloProblem>;

export const channelHello = z
  .object({
    request_id: z.uuid().describe('The id that the caller chose'),
    to: z.string().describe('The phone number: digits with country code'),
    status: z
      .enum(['sending', 'sent', 'arrived', 'unknown', 'failed'])
      .describe(
        'sending: in progress; sent: the gateway accepted it; arrived: confirmed, see arrived_by; unknown: it may have been sent; failed: it was not sent, or WhatsApp did not deliver it. It is never sent again',
      ),
    sent_at: timestamp.describe('When Parley began to send it'),
    arrived_at: timestamp.optional().describe('When its arrival was confirmed'),
    arrived_by: z
      .enum(['event', 'reply', 'gateway'])
      .optional()
      .describe(
        "How its arrival was confirmed. event: the gateway posted the message's own event; reply: the gateway posted a message from that number; gateway: the gateway reports it as delivered",
      ),
    problem: helloProblem
      .optional()
      .describe('The problem, and what to do about it; absent if there is none'),
  })
  .meta({ id: 'ChannelHello', description: 'A test message of a WhatsApp channel' });
export type ChannelHello = z.infer<typeof channelHello>;
