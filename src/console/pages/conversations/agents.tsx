/** The organization's agents, with buttons for a new agent and for all agents as a file. */
import { Badge, TextInput } from '@mantine/core';
import { Suspense } from 'react';
import { useLocation } from 'wouter';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { call } from '../../client.ts';
import { DialogButton, FormDialog } from '../../components/dialogs.tsx';
import { IconFileImport, IconPlus, IconRobot } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { PagedTable, RowLink, type Column } from '../../components/table.tsx';
import { When } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { lazily } from '../../lazily.ts';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { NoModelBanner } from '../models/no-model.tsx';

const t = texts.agents;
const AgentsFile = lazily(() => import('./agents-file.tsx'), 'AgentsFile');

const columns: readonly Column<Agent>[] = [
  {
    label: t.columns.name,
    render: ({ id, name }) => <RowLink to={`/agents/${id}`}>{name}</RowLink>,
  },
  { label: t.columns.model, render: ({ model }) => <span className="mono">{model}</span> },
  {
    label: t.columns.state,
    render: ({ active }) => <Badge color={active ? 'green' : 'gray'}>{active ? t.active : t.inactive}</Badge>,
  },
  {
    label: t.columns.grouping,
    render: ({ grouping_window_seconds: seconds }) => (seconds > 0 ? t.window(seconds) : t.noGrouping),
  },
  { label: t.columns.changed, render: ({ updated_at }) => <When at={updated_at} /> },
];

export function Agents() {
  const can = useCan();
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <>
          <DialogButton variant="default" leftSection={<IconFileImport />} label={t.file}>
            {(close) => (
              <Suspense fallback={null}>
                <AgentsFile close={close} />
              </Suspense>
            )}
          </DialogButton>
          {can('agents.manage') && (
            <DialogButton leftSection={<IconPlus />} label={t.create}>
              {(close) => <NewAgent close={close} />}
            </DialogButton>
          )}
        </>
      }
    >
      <NoModelBanner />
      <PagedTable<Agent>
        path="/agents"
        limit={100}
        label={t.table}
        columns={columns}
        empty={<Empty icon={IconRobot} title={t.emptyTitle} text={t.emptyText} />}
      />
    </Page>
  );
}

function NewAgent({ close }: { close: () => void }) {
  const [, navigate] = useLocation();
  const creating = useServerForm({
    values: { name: '' },
    check: { name: required },
    send: ({ name }) => call<Agent>('POST', '/agents', { body: { name: name.trim() } }),
    meta: { refetches: [['agents'], ['/agents']] },
    sent: (agent) => navigate(`/agents/${agent.id}`),
  });
  return (
    <FormDialog title={t.create} action={t.createSubmit} of={creating} close={close}>
      <TextInput
        label={texts.agent.name}
        required
        maxLength={200}
        data-autofocus
        {...creating.form.getInputProps('name')}
      />
    </FormDialog>
  );
}
