/** The switch, in the head of an agent's pages, that decides whether the agent accepts messages. It applies at once. */
import { Switch } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { call } from '../../client.ts';
import { Question } from '../../components/dialogs.tsx';
import { texts } from '../../messages.ts';

const t = texts.agent.activity;

/** Asks before it switches the agent off, because customers get no answers then. */
export function AgentActive({ agent }: { agent: Agent }) {
  const [asks, dialog] = useDisclosure(false);
  const switching = useMutation({
    mutationFn: (active: boolean) => call<Agent>('PATCH', `/agents/${agent.id}`, { body: { active } }),
    meta: { refetches: [['agents'], ['/agents']], notifiesError: true },
  });
  return (
    <>
      <Switch
        size="xs"
        fw={500}
        styles={{ label: { fontSize: 'var(--mantine-font-size-sm)', paddingInlineStart: 8 } }}
        label={agent.active ? texts.agents.active : texts.agents.inactive}
        checked={agent.active}
        disabled={switching.isPending}
        onChange={() => (agent.active ? dialog.open() : switching.mutate(true))}
      />
      {asks && (
        <Question
          title={t.offTitle(agent.name)}
          text={t.offText}
          action={t.off}
          no={dialog.close}
          yes={() => {
            dialog.close();
            switching.mutate(false);
          }}
        />
      )}
    </>
  );
}
