/** The events of a streamed call. The last event contains the body that a synchronous call would return. */
import { z } from 'zod';
import { chatAnswer } from './chat.ts';
import { errorBody } from '../errors.ts';

const step = z.int().describe('Number of the model call within the run. Each step has a text of its own');

const eventOf = <E extends string, D extends z.ZodType>(event: E, data: D, description: string) =>
  z
    .object({
      event: z.literal(event).describe('Kind of the event'),
      data: data.describe('Data of the event'),
    })
    .describe(description);

export const streamEvent = z
  .discriminatedUnion('event', [
    eventOf(
      'accepted',
      z.object({
        conversation_id: z.uuid().describe('The conversation of the message'),
        message_id: z.uuid().describe('Id of the sent message'),
        stream_url: z
          .string()
          .describe('Path for GET with Last-Event-ID, which resumes the stream after a broken connection'),
      }),
      'The message is stored durably. It will be answered even if this connection breaks.',
    ),
    eventOf(
      'delta',
      z.object({ step, text: z.string().describe('Text to append to the previous text of the step') }),
      'More text. The pieces of a step together form the answer; before a transfer, the last message of the transferring agent; before tool calls, text that is in no message.',
    ),
    eventOf(
      'restart',
      z.object({ step }),
      'Discard the text of this step: the model is called again, and its text starts over.',
    ),
    eventOf(
      'tool_call',
      z.object({
        step,
        call_id: z.string().describe('Id of the call, the same in both of its events'),
        name: z.string().describe('Name of the action'),
        status: z.enum(['started', 'succeeded', 'failed']).describe('State of the call'),
      }),
      'A tool call has started or ended.',
    ),
    eventOf(
      'transfer',
      z.object({
        step,
        agent_id: z.uuid().describe('The agent that takes over'),
        responding_agent_name: z.string().describe('Name of the agent that takes over'),
      }),
      'The agent in `data` takes over the conversation.',
    ),
    eventOf('completed', chatAnswer, 'The last event: the body of the synchronous response.'),
    eventOf('failed', errorBody, 'The last event if there is no answer: the body of the error.'),
  ])
  .meta({ id: 'StreamEvent', description: 'One event of a streamed call; `event` is its kind' });
export type StreamEvent = z.infer<typeof streamEvent>;
