/** The page that lists the agents. It also creates agents, edits them as a file, and restores deleted ones. */
import { Badge, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Agent, DeletedAgent } from '../../../contract/conversations/agents.ts';
import { restoreDays } from '../../../contract/conversations/limits.ts';
import { call } from '../../client.ts';
import { Dialog, DialogButton, Done, FormDialog } from '../../components/dialogs.tsx';
import { AgentFigure } from '../../components/figure-link.tsx';
import { duration, percentText } from '../../components/format.ts';
import { IconBrandWhatsapp, IconPlus, IconRobot, IconTrash } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import {
  maxAgentsRead,
  useAgentChannels,
  useAgentWeek,
  useAllAgents,
  useList,
} from '../../components/queries.ts';
import { RowActions } from '../../components/row-actions.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Empty, Loaded, Problem } from '../../components/states.tsx';
import { DataTable, idOf, PagedTable, RowLink, type Column } from '../../components/table.tsx';
import { Ago, Hint, Left, Nothing } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { lazily } from '../../lazily.tsx';
import { texts } from '../../messages.ts';
import { useCan, useSession } from '../../shell/session.ts';
import { NoModelBanner } from '../models/no-model.tsx';
import { channelStatus } from '../whatsapp/channel-status.ts';

const t = texts.agents;
const AgentsFile = lazily(() => import('./agents-file.tsx'), 'AgentsFile');

const columns: readonly Column<Agent>[] = [
  {
    label: t.columns.name,
    hasTextBelow: true,
    render: ({ id, name, description }) => (
      <>
        <RowLink to={`/agents/${id}`}>{name}</RowLink>
        {description !== '' && (
          <Hint size="xs" fw={400} lineClamp={1}>
            {description}
          </Hint>
        )}
      </>
    ),
  },
  {
    label: t.columns.state,
    isStatus: true,
    render: ({ id, active, candidate }) => (
      <Group gap={6}>
        <Badge color={active ? 'green' : 'gray'}>{active ? t.active : t.inactive}</Badge>
        {candidate !== undefined && (
          <Badge color="indigo">{texts.versions.versionShare(candidate.version, candidate.percent)}</Badge>
        )}
        <DraftOf agentId={id} />
      </Group>
    ),
  },
  { label: t.columns.channel, isBelowName: true, render: ({ id }) => <ChannelOf agentId={id} /> },
  {
    label: t.columns.model,
    before: '',
    render: ({ model }) => (
      <span className="mono clipped" title={model}>
        {model}
      </span>
    ),
  },
  {
    label: t.columns.week,
    isFigure: true,
    before: '',
    render: ({ id }) => <WeekOf agentId={id} />,
  },
  {
    label: t.columns.changed,
    render: ({ updated_at }) => <Ago at={updated_at} />,
  },
];

/** Marks an agent that has a draft. */
function DraftOf({ agentId }: { agentId: string }) {
  const { data } = useList<{ agent_id: string }>('agent-drafts', '/agent-drafts', {
    refetchInterval: 30_000,
  });
  return (
    data?.some(({ agent_id }) => agent_id === agentId) === true && <Badge color="indigo">{t.draft}</Badge>
  );
}

/**
 * Shows the agent's messages of the last 7 days, the median time to their answers, and how many answers failed, with
 * their share; a dash if there are none. Shows nothing for an agent that is not among the organization's
 * `maxOverviewAgents` busiest.
 */
function WeekOf({ agentId }: { agentId: string }) {
  const week = useAgentWeek(agentId);
  if (week === undefined || week === 'unlisted') return null;
  if (week === 'none') return <Nothing />;
  const { received, answered, failed, median_ms } = week;
  const share = percentText(failed / (answered + failed));
  return (
    <div>
      <span className="short">
        <AgentFigure of={agentId} count={received} value={t.received(received)} />
      </span>
      {median_ms !== null && (
        <Hint size="xs" className="short">
          {t.median(duration(median_ms))}
        </Hint>
      )}
      {failed > 0 && (
        <Text size="xs" c="var(--mantine-color-error)" className="short">
          <AgentFigure of={agentId} count={failed} only="failed" value={t.failed(failed, share)} />
        </Text>
      )}
    </div>
  );
}

/** Shows the state of the agent's WhatsApp channel, and its number; a dash for an agent without a channel. */
function ChannelOf({ agentId }: { agentId: string }) {
  const { data } = useAgentChannels();
  const found = data?.find(({ agent_id }) => agent_id === agentId);
  if (found === undefined) return data === undefined ? null : <Nothing />;
  const { state, problem, connected_number: number } = found;
  const { color, text } = channelStatus(state, problem);
  return (
    <Stack gap={2} align="flex-start" className="line-on-phone">
      <Badge color={color} leftSection={<IconBrandWhatsapp size={12} />}>
        {text}
      </Badge>
      {number !== null && <Hint size="xs">+{number}</Hint>}
    </Stack>
  );
}

const table = { label: t.table, columns, isLinked: true };

/** Lists the agents whose name contains a text. */
function FoundAgents({ wanted }: { wanted: string }) {
  return (
    <Loaded query={useAllAgents()}>
      {(agents) => (
        <>
          <DataTable
            {...table}
            rows={agents.filter(({ name }) => name.toLowerCase().includes(wanted))}
            rowKey={idOf}
            empty={<Empty icon={IconRobot} title={t.notFoundTitle} text={t.notFoundText} />}
          />
          {agents.length >= maxAgentsRead && <Hint>{t.searchedFirst(maxAgentsRead)}</Hint>}
        </>
      )}
    </Loaded>
  );
}

export function Agents() {
  const can = useCan();
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <>
          {can('agents.manage') && (
            <DialogButton leftSection={<IconPlus />} label={t.create}>
              {(close) => <NewAgent close={close} />}
            </DialogButton>
          )}
          <RowActions
            name={t.title}
            buttons={0}
            actions={[
              { label: t.file, dialog: (close) => <AgentsFile close={close} /> },
              { label: t.deleted.label, dialog: (close) => <DeletedAgents close={close} /> },
            ]}
          />
        </>
      }
    >
      <NoModelBanner />
      <SearchField label={t.search} text={search} setText={setSearch} />
      {wanted === '' ? (
        <PagedTable<Agent>
          {...table}
          path="/agents"
          limit={100}
          empty={<Empty icon={IconRobot} title={t.emptyTitle} text={t.emptyText} />}
        />
      ) : (
        <FoundAgents wanted={wanted} />
      )}
    </Page>
  );
}

const deletedColumns: readonly Column<DeletedAgent>[] = [
  { label: t.deleted.columns.name, render: ({ name }) => name },
  { label: t.deleted.columns.deleted, render: ({ deleted_at }) => <Ago at={deleted_at} /> },
  { label: t.deleted.columns.until, render: ({ restorable_until }) => <Left at={restorable_until} /> },
];

function DeletedAgents({ close }: { close: () => void }) {
  const isAllowed = useCan()('agents.manage');
  return (
    <Dialog title={t.deleted.label} size="xl" onClose={close}>
      <Stack>
        <Text size="sm">{t.deleted.lead(restoreDays)}</Text>
        <PagedTable<DeletedAgent>
          path="/deleted-agents"
          label={t.deleted.table}
          columns={deletedColumns}
          actions={isAllowed ? (row) => <Restore {...row} /> : undefined}
          empty={<Empty icon={IconTrash} title={t.deleted.emptyTitle} text={t.deleted.emptyText} />}
        />
        <Done close={close} />
      </Stack>
    </Dialog>
  );
}

function Restore({ id, name }: DeletedAgent) {
  const restoring = useMutation({
    mutationFn: () => call<Agent>('POST', `/deleted-agents/${id}/restore`),
    meta: { done: t.deleted.done, refetches: [['agents'], ['/agents'], ['/deleted-agents']] },
  });
  return (
    <Stack gap="xs">
      <Button
        variant="default"
        size="xs"
        aria-label={`${t.deleted.restore}: ${name}`}
        loading={restoring.isPending}
        onClick={() => restoring.mutate()}
      >
        {t.deleted.restore}
      </Button>
      <Problem of={restoring} />
    </Stack>
  );
}

function NewAgent({ close }: { close: () => void }) {
  const [, navigate] = useLocation();
  const { organization } = useSession();
  const creating = useServerForm({
    values: { name: '', instructions: t.firstInstructions(organization.name) },
    check: { name: required },
    send: ({ name, instructions }) =>
      call<Agent>('POST', '/agents', { body: { name: name.trim(), instructions } }),
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
      <Textarea
        label={texts.agent.instructions}
        description={t.firstInstructionsHelp}
        minRows={4}
        maxRows={12}
        {...creating.form.getInputProps('instructions')}
      />
    </FormDialog>
  );
}
