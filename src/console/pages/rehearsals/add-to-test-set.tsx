/**
 * A button that adds a conversation's turns to the test sets of the agents that made the first step of an answered run.
 * Considers only the loaded part of the timeline, and no follow-ups.
 */
import { notifications } from '@mantine/notifications';
import type { Timeline } from '../../../contract/conversations/timeline.ts';
import { call } from '../../client.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { IconPlus } from '../../components/icons.tsx';
import { useAgents } from '../../components/queries.ts';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';

const t = texts.rehearsals;

export function AddToTestSet({ timeline: { conversation, entries } }: { timeline: Timeline }) {
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
  const add = async () => {
    for (const { id, name } of chosen) {
      const body = { conversation_id: conversation.id };
      const { added } = await call<{ added: number }>('POST', `/agents/${id}/test-turns`, { body });
      notifications.show({ message: t.added(added, name) });
    }
  };
  if (chosen.length === 0 || !can('agents.manage')) return null;
  return (
    <ActionButton
      size="xs"
      variant="default"
      leftSection={<IconPlus size={14} />}
      label={t.add}
      run={add}
      refetches={chosen.map(({ id }) => [`/agents/${id}/test-turns`])}
    />
  );
}
