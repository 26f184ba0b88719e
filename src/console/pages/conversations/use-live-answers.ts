/** Streams the answers that the playground shows until the timeline contains them. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { Agent } from '../../../contract/conversations/agents.ts';
import type { StreamEvent } from '../../../contract/conversations/stream.ts';
import { listen } from '../../client.ts';

export interface LiveAnswer {
  conversationId: string;
  messageId: string;
  agentName: string;
  /** The text of the current step, as far as it has arrived. */
  text: string;
}

/**
 * Sends messages and streams their answers.
 * @returns `answers`, the answers that are being streamed, and `ask`, which sends a message, calls `accepted` with the
 * conversation's id as soon as the message is accepted, and resolves after the answer
 */
export function useLiveAnswers(agent: Agent) {
  const queries = useQueryClient();
  const [answers, setAnswers] = useState<readonly LiveAnswer[]>([]);
  const ask = useCallback(
    async (body: Record<string, unknown>, accepted: (conversationId: string) => void) => {
      let mine: LiveAnswer | undefined;
      const show = (answer: LiveAnswer | undefined) => {
        const before = mine;
        mine = answer;
        setAnswers((all) => [
          ...all.filter((one) => one.messageId !== before?.messageId),
          ...(answer ? [answer] : []),
        ]);
      };
      const refresh = async () => {
        await queries.invalidateQueries({ queryKey: ['timeline', mine?.conversationId] });
      };
      try {
        await listen(`/chat/${agent.id}`, { ...body, sync: true }, (event) => {
          if (event.event === 'accepted') {
            accepted(event.data.conversation_id);
            const { conversation_id: conversationId, message_id: messageId } = event.data;
            show({ conversationId, messageId, agentName: agent.name, text: '' });
          } else if (mine !== undefined) show(after(mine, event));
          if (event.event === 'accepted' || event.event === 'tool_call' || event.event === 'transfer')
            void refresh();
        });
      } finally {
        // Reads the timeline before the streamed text is removed; otherwise the answer would briefly disappear.
        await refresh();
        show(undefined);
      }
    },
    [agent, queries],
  );
  return { answers, ask };
}

function after(answer: LiveAnswer, event: StreamEvent): LiveAnswer {
  switch (event.event) {
    case 'delta':
      return { ...answer, text: answer.text + event.data.text };
    case 'transfer':
      return { ...answer, text: '', agentName: event.data.responding_agent_name };
    case 'restart':
    case 'tool_call':
      return { ...answer, text: '' };
    case 'accepted':
    case 'completed':
    case 'failed':
      return answer;
  }
}
