/** Conversations that wait for a person, as the console announces them, and how many a member has not read. */
import { z } from 'zod';
import { timestamp } from '../page.ts';
import { countedAmong } from './limits.ts';

/** Maximum waiting conversations that are counted, because consoles poll the count. Chosen. */
export const maxWaitingCounted = 100;
/** Maximum waiting conversations that are listed with their count. Chosen. */
export const maxWaitingListed = 10;

export const waitReason = z
  .enum(['message', 'hand_over'])
  .describe(
    'Why it began to wait. message: a message that no agent answers; hand_over: the agent handed it over',
  );
export type WaitReason = z.infer<typeof waitReason>;

const waitingConversation = z.object({
  id: z.uuid(),
  contact: z.string().nullable().describe('Name of the contact; without one, your own key'),
  agent_name: z.string(),
  waiting_since: timestamp,
  reason: waitReason,
});
export type WaitingConversation = z.infer<typeof waitingConversation>;

export const waitingConversations = z.object({
  count: z.int().describe(`Waiting conversations, at most ${maxWaitingCounted}; tests are left out`),
  newest: z
    .array(waitingConversation)
    .describe(`Those of the counted ones that began to wait last, at most ${maxWaitingListed}`),
  oldest: z
    .array(waitingConversation)
    .describe(`Those of the counted ones that wait longest, the longest first, at most ${maxWaitingListed}`),
  unread: z
    .int()
    .describe(
      `Open conversations with messages that the caller has not read, of the ${countedAmong} that were active last; tests are left out`,
    ),
  approval: z
    .int()
    .describe(
      `Conversations with a tool call that waits for approval, at most ${countedAmong}; tests are left out`,
    ),
  failed: z
    .int()
    .describe(
      `Open conversations whose newest run failed, of the ${countedAmong} that were active last; tests are left out`,
    ),
  mine: z.int().describe(`Open conversations that are assigned to the caller, at most ${countedAmong}`),
  all: z.int().describe(`Open conversations, at most ${countedAmong}; tests are left out`),
  unassigned: z.int().describe('Those of `all` that were active last and are assigned to nobody'),
});
export type WaitingConversations = z.infer<typeof waitingConversations>;
