/** The organization's agents, with buttons for a new agent and for all agents as a file. */
import { Badge, Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { useLocation } from 'wouter';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { call } from '../../client.ts';
import { FormDialog } from '../../components/dialogs.tsx';
import { IconFileImport, IconPlus, IconRobot } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { useAgents } from '../../components/queries.ts';
import { Empty } from '../../components/states.tsx';
import { QueryTable, RowLink, type Column } from '../../components/table.tsx';
import { When } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { lazily } from '../../lazily.ts';
import { words } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';

const w = words.agents;
const AgentsFile = lazily(() => import('./agents-file.tsx'), 'AgentsFile');

const columns: readonly Column<Agent>[] = [
  {
    label: w.columns.name,
    render: ({ id, name }) => <RowLink to={`/agents/${id}`}>{name}</RowLink>,
  },
  { label: w.columns.model, render: ({ model }) => <span className="mono">{model}</span> },
  {
    label: w.columns.state,
    render: ({ active }) => <Badge color={active ? 'green' : 'gray'}>{active ? w.active : w.inactive}</Badge>,
  },
  {
    label: w.columns.grouping,
    render: ({ grouping_window_seconds: seconds }) => (seconds > 0 ? w.window(seconds) : w.noGrouping),
  },
  { label: w.columns.changed, render: ({ updated_at }) => <When at={updated_at} /> },
];

export function Agents() {
  const can = useCan();
  const agents = useAgents();
  const [creating, dialog] = useDisclosure(false);
  const [filing, file] = useDisclosure(false);
  const create = can('agents.manage') && (
    <Button leftSection={<IconPlus />} onClick={dialog.open}>
      {w.create}
    </Button>
  );
  return (
    <Page
      title={w.title}
      lead={w.lead}
      actions={
        <>
          <Button variant="default" leftSection={<IconFileImport />} onClick={file.open}>
            {w.file}
          </Button>
          {create}
        </>
      }
    >
      <QueryTable
        query={agents}
        label={w.table}
        columns={columns}
        empty={<Empty icon={IconRobot} title={w.emptyTitle} text={w.emptyText} />}
      />
      {creating && <NewAgent close={dialog.close} />}
      {filing && (
        <Suspense fallback={null}>
          <AgentsFile close={file.close} />
        </Suspense>
      )}
    </Page>
  );
}

function NewAgent({ close }: { close: () => void }) {
  const [, navigate] = useLocation();
  const creating = useServerForm({
    values: { name: '' },
    check: { name: required },
    send: ({ name }) => call<Agent>('POST', '/agents', { body: { name: name.trim() } }),
    meta: { refetches: [['agents']] },
    sent: (agent) => navigate(`/agents/${agent.id}`),
  });
  return (
    <FormDialog title={w.create} action={w.createSubmit} of={creating} close={close}>
      <TextInput
        label={words.agent.name}
        required
        maxLength={200}
        data-autofocus
        {...creating.form.getInputProps('name')}
      />
    </FormDialog>
  );
}
