/** What tests of follow-ups share. */
import type { Callback } from '../../src/contract/conversations/callback.ts';
import { conversationWorkflowId, statusQuery } from '../../src/contract/workflows.ts';
import type { Stack } from '../support/stack.ts';

/** Answers a message, and a follow-up with its instructions. */
export const script = [
  { on: 'follow_up', when: '(.+)', reply: 'follow-up: $1' },
  { when: '(?s)(.+)', reply: 'answer: $1' },
];

/** @returns what callbacks say of follow-ups, in order */
export function told(callbacks: Callback[]) {
  return callbacks.map((one) =>
    one.event === 'message.completed'
      ? [one.response, one.followup, one.followup_attempt, one.metadata]
      : [one.event],
  );
}

/** @returns whether the conversation waits for the user, and whether a follow-up is planned */
export async function planned({ temporal }: Stack, conversationId: string) {
  const handle = temporal.client.workflow.getHandle(conversationWorkflowId(conversationId));
  const status = await handle.query(statusQuery);
  return { waits: /^(answered|waiting for the user)/.test(status.doing), followUp: status.followUp };
}
