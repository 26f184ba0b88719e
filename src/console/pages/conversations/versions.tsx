/**
 * The page of an agent's versions: the published version, the candidate and its share of new conversations, and a list
 * of all versions with their changes and rollbacks.
 */
import { Badge, Button, Center, Drawer, Group, NumberInput, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { AgentDraft, ListedAgentVersion } from '../../../contract/conversations/agent-versions.ts';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { call } from '../../client.ts';
import { Actor } from '../../components/actor.tsx';
import { ConfirmButton, DialogButton, FormDialog } from '../../components/dialogs.tsx';
import { useFilter } from '../../components/filters.tsx';
import { useWholeList } from '../../components/queries.ts';
import { confirmed, RowActions } from '../../components/row-actions.tsx';
import { Loaded } from '../../components/states.tsx';
import { DataTable, RowLink, type Column } from '../../components/table.tsx';
import { Ago, Facts, Hint, Label, Multiline, Nothing, When, type Fact } from '../../components/text.tsx';
import { required, useServerForm, within } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { AgentFrame } from './agent-frame.tsx';
import { useSavedDraft } from './use-saved-draft.ts';
import { Changes, ChangesOfVersion, Content, useVersion } from './version-changes.tsx';
import { changesBetween, contentOf, type VersionedField } from './version-content.ts';

const t = texts.versions;
const rowsAtOnce = 30;

export function Versions() {
  return <AgentFrame lead={t.lead}>{(agent) => <Shown key={agent.id} agent={agent} />}</AgentFrame>;
}

function Shown({ agent }: { agent: Agent }) {
  const path = `/agents/${agent.id}/versions`;
  // All stored versions, newest first.
  const query = useWholeList<ListedAgentVersion>(['agents', agent.id, 'versions'], path);
  const [opened] = useFilter('version');
  const [, navigate] = useLocation();
  const number = Number(opened);
  return (
    <Loaded query={query}>
      {(versions) => (
        <>
          <Answering agent={agent} versions={versions} />
          <List agent={agent} versions={versions} path={path} />
          <Drawer
            opened={opened !== undefined}
            onClose={() => navigate(path)}
            size="min(720px, 100vw)"
            title={t.detailTitle(number)}
          >
            {opened !== undefined && (
              <Opened key={number} agentId={agent.id} number={number} versions={versions} />
            )}
          </Drawer>
        </>
      )}
    </Loaded>
  );
}

const candidateOf = (versions: readonly ListedAgentVersion[]) =>
  versions.find(({ candidate_percent }) => candidate_percent !== null);
const publishedOf = (versions: readonly ListedAgentVersion[], agent: Agent) =>
  versions.find(({ published }) => published)?.version ?? agent.version;

/** Shows the published version, and the candidate with its share and buttons. */
function Answering({ agent, versions }: { agent: Agent; versions: readonly ListedAgentVersion[] }) {
  const may = useCan()('agents.manage');
  const published = publishedOf(versions, agent);
  const candidate = candidateOf(versions);
  if (candidate === undefined) return <Text fw={600}>{t.publishedIs(published)}</Text>;
  const percent = candidate.candidate_percent ?? 0;
  return (
    <Stack className="panel card" gap="xs">
      <Group justify="space-between" gap="sm">
        <Text fw={600}>{t.candidateIs(candidate.version, percent)}</Text>
        {may && (
          <Group gap="xs">
            <DialogButton size="xs" variant="default" label={t.share.change}>
              {(close) => (
                <ShareForm
                  agent={agent}
                  version={candidate.version}
                  percent={percent}
                  candidate={candidate}
                  close={close}
                />
              )}
            </DialogButton>
            <ConfirmButton
              size="xs"
              variant="default"
              color="dark"
              {...t.share.publish(candidate.version, published)}
              run={() => setShare(agent.id, candidate.version, 100)}
              query="agents"
            >
              <ChangesOfVersion agentId={agent.id} version={candidate.version} comparedWith={published} />
            </ConfirmButton>
            <ConfirmButton
              size="xs"
              {...t.share.end(candidate.version, published)}
              run={() => setShare(agent.id, candidate.version, 0)}
              query="agents"
            />
          </Group>
        )}
      </Group>
      <Text>{t.publishedIsBeside(published)}</Text>
    </Stack>
  );
}

function Author({ of: author }: { of: string | null }) {
  return author === null ? <Hint>{t.unknownAuthor}</Hint> : <Actor text={author} />;
}

const setShare = (agentId: string, version: number, percent: number) =>
  call('PUT', `/agents/${agentId}/candidate`, { body: { version, percent } });

function ShareForm(props: {
  agent: Agent;
  version: number;
  percent?: number;
  candidate: ListedAgentVersion | undefined;
  close: () => void;
}) {
  const { agent, version, percent = 10, candidate, close } = props;
  const values: { percent: number | string } = { percent };
  const inBounds = within({ min: 1, max: 100, whole: true });
  const saving = useServerForm({
    values,
    check: { percent: (value) => (value === '' ? required('') : inBounds(value)) },
    send: (typed) => setShare(agent.id, version, Number(typed.percent)),
    meta: { refetches: [['agents']], done: t.share.saved },
    sent: close,
  });
  return (
    <FormDialog title={t.share.title(version)} action={t.share.save} of={saving} close={close}>
      {candidate !== undefined && candidate.version !== version && (
        <Text size="sm">{t.share.replaces(candidate.version)}</Text>
      )}
      <NumberInput
        label={t.share.label}
        description={t.share.help}
        min={1}
        max={100}
        allowDecimal={false}
        required
        data-autofocus
        {...saving.form.getInputProps('percent')}
      />
    </FormDialog>
  );
}

/** A row of the list: a version, or the draft of the next one. */
type ListRow = { version: ListedAgentVersion } | { draft: AgentDraft };

function List(props: { agent: Agent; versions: readonly ListedAgentVersion[]; path: string }) {
  const { agent, versions, path } = props;
  const [shown, setShown] = useState(rowsAtOnce);
  const draft = useSavedDraft(agent.id).data;
  const columns: readonly Column<ListRow>[] = [
    {
      label: t.columns.version,
      render: (row) =>
        'draft' in row ? (
          <Group gap={8}>
            <RowLink to={`/agents/${agent.id}`}>{t.draft.row}</RowLink>
            <Badge color="indigo">{t.draft.unpublished}</Badge>
          </Group>
        ) : (
          <Group gap={8}>
            <RowLink to={`${path}?version=${String(row.version.version)}`}>
              {t.version(row.version.version)}
            </RowLink>
            <Marks version={row.version} />
          </Group>
        ),
    },
    {
      label: t.columns.changes,
      render: (row) =>
        'draft' in row ? (
          <ChangedFields
            fields={changesBetween(contentOf(agent), row.draft.content).map(({ field }) => field)}
          />
        ) : (
          <WhatChanged version={row.version} />
        ),
    },
    {
      label: t.columns.author,
      render: (row) => <Author of={'draft' in row ? row.draft.author : row.version.author} />,
    },
    {
      label: t.columns.at,
      render: (row) => {
        const at = 'draft' in row ? row.draft.updated_at : row.version.created_at;
        return at === null ? <Hint>{t.notRecorded}</Hint> : <Ago at={at} />;
      },
    },
  ];
  const rows: ListRow[] = versions.slice(0, shown).map((version) => ({ version }));
  return (
    <>
      <DataTable
        label={t.table}
        rows={draft == null ? rows : [{ draft }, ...rows]}
        rowKey={(row) => ('draft' in row ? 'draft' : String(row.version.version))}
        columns={columns}
        isLinked
        actions={(row) =>
          'draft' in row ? (
            <Button component={Link} href={`/agents/${agent.id}`} variant="default" size="xs">
              {t.openDraft}
            </Button>
          ) : (
            <VersionActions {...{ agent, versions, path }} version={row.version} />
          )
        }
      />
      {versions.length > shown && (
        <Center>
          <Button variant="default" onClick={() => setShown(shown + rowsAtOnce)}>
            {texts.common.more}
          </Button>
        </Center>
      )}
    </>
  );
}

function VersionActions(props: {
  agent: Agent;
  versions: readonly ListedAgentVersion[];
  path: string;
  version: ListedAgentVersion;
}) {
  const { agent, versions, path } = props;
  const { version, published: isPublished, candidate_percent, created_at, changed } = props.version;
  const may = useCan()('agents.manage');
  const published = publishedOf(versions, agent);
  const candidate = candidateOf(versions);
  return (
    <>
      {changed !== null && (
        <Button
          component={Link}
          href={`${path}?version=${String(version)}`}
          variant="default"
          size="xs"
          aria-label={t.compareOf(version)}
        >
          {t.compare}
        </Button>
      )}
      {may && !isPublished && candidate_percent === null && (
        <RowActions
          name={t.version(version)}
          actions={[
            confirmed({
              ...t.rollBack(version, published),
              run: () => call('POST', `/agents/${agent.id}/rollback`, { body: { version } }),
              query: 'agents',
              children: <ChangesOfVersion agentId={agent.id} version={version} comparedWith={published} />,
            }),
            created_at !== null && {
              label: t.share.give,
              dialog: (close) => (
                <ShareForm agent={agent} version={version} candidate={candidate} close={close} />
              ),
            },
          ]}
        />
      )}
    </>
  );
}

type Marked = Pick<ListedAgentVersion, 'published' | 'candidate_percent'>;

function Marks({ version: { published, candidate_percent } }: { version: Marked }) {
  return (
    <>
      {published && <Badge color="green">{t.published}</Badge>}
      {candidate_percent !== null && <Badge color="indigo">{t.candidate(candidate_percent)}</Badge>}
    </>
  );
}

/** The note of a version and, below it, the fields that it changes. */
function WhatChanged({ version: { note, restores, changed } }: { version: ListedAgentVersion }) {
  if (note === null && restores === null && (changed ?? []).length === 0) return <Nothing />;
  return (
    <>
      {note !== null && <Multiline lineClamp={3}>{note}</Multiline>}
      {restores !== null && <Hint>{t.restores(restores)}</Hint>}
      <ChangedFields fields={changed ?? []} />
    </>
  );
}

function ChangedFields({ fields }: { fields: readonly VersionedField[] }) {
  return fields.length > 0 && <Hint>{fields.map((field) => t.fields[field]).join(', ')}</Hint>;
}

function Opened(props: { agentId: string; number: number; versions: readonly ListedAgentVersion[] }) {
  const { agentId, number, versions } = props;
  const [chosen, choose] = useFilter('with');
  const query = useVersion(agentId, number, chosen === undefined ? undefined : Number(chosen));
  return (
    <Loaded query={query}>
      {(version) => {
        const { author, created_at, note, compared_with, changes, content, restores } = version;
        const facts: Fact[] = [
          [t.columns.author, <Author key="author" of={author} />],
          [t.columns.at, created_at === null ? t.notRecorded : <When at={created_at} />],
          note !== null && [t.columns.note, <span className="plain-text">{note}</span>],
        ];
        const others = versions.filter((one) => one.version !== number);
        return (
          <Stack gap="lg">
            {(version.published || version.candidate_percent !== null || restores !== null) && (
              <Group gap={8}>
                <Marks version={version} />
                {restores !== null && <Badge color="gray">{t.restores(restores)}</Badge>}
              </Group>
            )}
            <div className="version-facts">
              <Facts facts={facts} />
            </div>
            {compared_with === null ? (
              <Hint>{t.first}</Hint>
            ) : (
              <Stack gap="sm">
                <Select
                  label={t.compareWith}
                  data={others.map((one) => ({
                    value: String(one.version),
                    label: t.option(one.version, markOf(one)),
                  }))}
                  value={String(compared_with)}
                  onChange={(value) => choose(value ?? undefined)}
                  searchable
                  maw={320}
                />
                <Label>{t.changesFrom(compared_with, number)}</Label>
                <Changes changes={changes} />
              </Stack>
            )}
            <Stack gap="xs">
              <Label>{t.content}</Label>
              <Content content={content} />
            </Stack>
          </Stack>
        );
      }}
    </Loaded>
  );
}

function markOf({ published, candidate_percent }: ListedAgentVersion): string | undefined {
  if (published) return t.publishedMark;
  return candidate_percent === null ? undefined : t.candidateMark;
}
