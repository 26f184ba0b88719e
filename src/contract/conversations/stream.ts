/** What a streamed call tells, event by event. The last one holds what the call would have answered otherwise. */
import { z } from 'zod';
import { chatAnswer } from './chat.ts';
import { errorBody } from '../errors.ts';

const step = z
  .int()
  .describe(
    'Number of the model call within the run; the text of one step is one text, a new step begins anew',
  );

const told = <E extends string, D extends z.ZodType>(event: E, data: D, description: string) =>
  z
    .object({
      event: z.literal(event).describe('The kind of event'),
      data: data.describe('What there is to tell of it'),
    })
    .describe(description);

export const streamEvent = z
  .discriminatedUnion('event', [
    told(
      'accepted',
      z.object({
        conversation_id: z.uuid().describe('The conversation that the message is in'),
        message_id: z.uuid().describe('Of the message that was sent'),
        stream_url: z.string().describe('GET it with Last-Event-ID to go on after a cut'),
      }),
      'The message is durable. Whatever happens to this connection, it will be answered.',
    ),
    told(
      'delta',
      z.object({ step, text: z.string().describe('To be put behind what came before it') }),
      'More text. The pieces of a step together are the answer; before a transfer, the message of the agent that hands over; before tool calls, what the agent says beside them, which is in no message.',
    ),
    told(
      'restart',
      z.object({ step }),
      'The text of this step so far is void: the model is asked again, and its text comes anew.',
    ),
    told(
      'tool_call',
      z.object({
        step,
        call_id: z.string().describe('The same in both events of a call'),
        name: z.string().describe('The action'),
        status: z.enum(['started', 'succeeded', 'failed']).describe('What has become of it'),
      }),
      'A tool call has started, or has ended.',
    ),
    told(
      'transfer',
      z.object({
        step,
        agent_id: z.uuid().describe('The agent that takes over'),
        responding_agent_name: z.string().describe('Its name'),
      }),
      'The conversation is handed over to this agent.',
    ),
    told('completed', chatAnswer, 'The last event: exactly the body of the synchronous call.'),
    told('failed', errorBody, 'The last event where there is no answer: the body of the error.'),
  ])
  .meta({ id: 'StreamEvent', description: 'One event of a streamed call; event tells which' });
export type StreamEvent = z.infer<typeof streamEvent>;
