/** The organization's agents, with buttons for a new agent and for all agents as a file. */
import { Badge, Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFileImport, IconPlus, IconRobot } from '../../components/icons.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Link, useLocation } from 'wouter';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { call } from '../../client.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { useAgents } from '../../components/use-agents.ts';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { When } from '../../components/when.tsx';
import { useCan } from '../../shell/session.ts';
import { words } from '../../messages.ts';

const w = words.agents;
const AgentsFile = lazy(async () => ({ default: (await import('./agents-file.tsx')).AgentsFile }));

const columns: readonly Column<Agent>[] = [
  {
    label: w.columns.name,
    lead: true,
    render: ({ id, name }) => (
      <Link href={`/agents/${id}`} className="row-link">
        {name}
      </Link>
    ),
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
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={dialog.open}>
      {w.create}
    </Button>
  );
  return (
    <Page
      title={w.title}
      lead={w.lead}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconFileImport size={16} aria-hidden />}
            onClick={file.open}
          >
            {w.file}
          </Button>
          {create}
        </>
      }
    >
      <Loaded query={agents}>
        {(rows) => (
          <DataTable
            label={w.table}
            rows={rows}
            rowKey={({ id }) => id}
            columns={columns}
            empty={<Empty icon={IconRobot} title={w.emptyTitle} text={w.emptyText} />}
          />
        )}
      </Loaded>
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
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const creating = useServerForm({
    values: { name: '' },
    check: { name: required },
    send: ({ name }) => call<Agent>('POST', '/agents', { body: { name: name.trim() } }),
    sent: async (agent) => {
      await queries.invalidateQueries({ queryKey: ['agents'] });
      navigate(`/agents/${agent.id}`);
    },
  });
  return (
    <FormDialog title={w.create} action={w.createSubmit} of={creating} close={close}>
      <TextInput
        label={words.agent.name}
        required
        withAsterisk={false}
        maxLength={200}
        data-autofocus
        {...creating.form.getInputProps('name')}
      />
    </FormDialog>
  );
}
