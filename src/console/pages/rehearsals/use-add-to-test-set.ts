/**
 * An action that adds a conversation's turns to the test sets of the agents that made the first step of an answered run.
 * Considers only the loaded part of the timeline, and no follow-ups.
 */
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { Timeline } from '../../../contract/conversations/timeline.ts';
import { call } from '../../client.ts';
import { useAgents } from '../../components/queries.ts';
import type { RowAction } from '../../components/row-actions.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';

const t = texts.rehearsals;

/** @returns false if the user may not add the turns, or there are none */
export function useAddToTestSet({ conversation, entries }: Timeline): RowAction | false {
  const can = useCan();
  const agents = useAgents().data ?? [];
  const began = new Set(
    entries.flatMap((entry) =>
      entry.kind === 'run' && entry.state === 'answered' && entry.mode !== 'follow_up'
        ? entry.steps.slice(0, 1).map((step) => step.agent_name)
        : [],
    ),
  );
  const chosen = agents.filter(({ name }) => began.has(name));
  const adding = useMutation({
    mutationFn: async () => {
      for (const { id, name } of chosen) {
        const body = { conversation_id: conversation.id };
        const { added } = await call<{ added: number }>('POST', `/agents/${id}/test-turns`, { body });
        notifications.show({ message: t.added(added, name) });
      }
    },
    meta: { refetches: chosen.map(({ id }) => [`/agents/${id}/test-turns`]), notifiesError: true },
  });
  return chosen.length > 0 && can('agents.manage') && { label: t.add, run: () => adding.mutate() };
}
