/**
 * The page of an agent's versions: the published version, the candidate and its share of new conversations, and a list
 * of all versions with their changes and rollbacks.
 */
import { Badge, Button, Center, Drawer, Group, NumberInput, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { AgentVersion } from '../../../contract/conversations/agent-versions.ts';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { call } from '../../client.ts';
import { Actor, actorText } from '../../components/actor.tsx';
import { ConfirmButton, DialogButton, FormDialog } from '../../components/dialogs.tsx';
import { useFilter } from '../../components/filters.tsx';
import { useWholeList } from '../../components/queries.ts';
import { confirmed, RowActions } from '../../components/row-actions.tsx';
import { Loaded } from '../../components/states.tsx';
import { DataTable, RowLink, type Column } from '../../components/table.tsx';
import {
  Ago,
  Facts,
  Hint,
  Label,
  Multiline,
  Nothing,
  TextLink,
  When,
  type Fact,
} from '../../components/text.tsx';
import { required, useServerForm, within } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { AgentFrame } from './agent-frame.tsx';
import { useSavedDraft } from './use-saved-draft.ts';
import { Changes, ChangesOfVersion, Content, useVersion } from './version-changes.tsx';

const t = texts.versions;
const rowsAtOnce = 30;

export function Versions() {
  return <AgentFrame lead={t.lead}>{(agent) => <Shown key={agent.id} agent={agent} />}</AgentFrame>;
}

function Shown({ agent }: { agent: Agent }) {
  const path = `/agents/${agent.id}/versions`;
  // All stored versions, newest first.
  const query = useWholeList<AgentVersion>(['agents', agent.id, 'versions'], path);
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

const candidateOf = (versions: readonly AgentVersion[]) =>
  versions.find(({ candidate_percent }) => candidate_percent !== null);
const publishedOf = (versions: readonly AgentVersion[], agent: Agent) =>
  versions.find(({ published }) => published)?.version ?? agent.version;

/** Shows the published version, the candidate with its share and buttons, and the author of the draft, if any. */
function Answering({ agent, versions }: { agent: Agent; versions: readonly AgentVersion[] }) {
  const may = useCan()('agents.manage');
  const draft = useSavedDraft(agent.id).data;
  const published = publishedOf(versions, agent);
  const candidate = candidateOf(versions);
  const percent = candidate?.candidate_percent ?? 0;
  return (
    <Stack className="panel card" gap="xs">
      {candidate !== undefined && (
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
      )}
      <Text {...(candidate === undefined && { fw: 600 })}>
        {candidate === undefined ? t.publishedIs(published) : t.publishedIsBeside(published)}
      </Text>
      {draft != null && (
        <Group gap="sm">
          <Text size="sm">{t.draftBy(actorText(draft.author))}</Text>
          <TextLink to={`/agents/${agent.id}`}>{t.openDraft}</TextLink>
        </Group>
      )}
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
  candidate: AgentVersion | undefined;
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

function List(props: { agent: Agent; versions: readonly AgentVersion[]; path: string }) {
  const { agent, versions, path } = props;
  const may = useCan()('agents.manage');
  const [shown, setShown] = useState(rowsAtOnce);
  const published = publishedOf(versions, agent);
  const candidate = candidateOf(versions);
  const columns: readonly Column<AgentVersion>[] = [
    {
      label: t.columns.version,
      render: (row) => (
        <Group gap={8}>
          <RowLink to={`${path}?version=${String(row.version)}`}>{t.version(row.version)}</RowLink>
          <Marks version={row} />
        </Group>
      ),
    },
    { label: t.columns.note, render: (row) => <Note version={row} /> },
    { label: t.columns.author, render: ({ author }) => <Author of={author} /> },
    {
      label: t.columns.at,
      render: ({ created_at }) =>
        created_at === null ? <Hint>{t.notRecorded}</Hint> : <Ago at={created_at} />,
    },
  ];
  return (
    <>
      <DataTable
        label={t.table}
        rows={versions.slice(0, shown)}
        rowKey={({ version }) => String(version)}
        columns={columns}
        isLinked
        actions={
          may
            ? ({ version, published: isPublished, candidate_percent, created_at }) =>
                !isPublished &&
                candidate_percent === null && (
                  <RowActions
                    name={t.version(version)}
                    actions={[
                      confirmed({
                        ...t.rollBack(version, published),
                        run: () => call('POST', `/agents/${agent.id}/rollback`, { body: { version } }),
                        query: 'agents',
                        children: (
                          <ChangesOfVersion agentId={agent.id} version={version} comparedWith={published} />
                        ),
                      }),
                      created_at !== null && {
                        label: t.share.give,
                        dialog: (close) => (
                          <ShareForm agent={agent} version={version} candidate={candidate} close={close} />
                        ),
                      },
                    ]}
                  />
                )
            : undefined
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

function Marks({ version: { published, candidate_percent } }: { version: AgentVersion }) {
  return (
    <>
      {published && <Badge color="green">{t.published}</Badge>}
      {candidate_percent !== null && <Badge color="indigo">{t.candidate(candidate_percent)}</Badge>}
    </>
  );
}

function Note({ version: { note, restores } }: { version: AgentVersion }) {
  if (note === null && restores === null) return <Nothing />;
  return (
    <>
      {note !== null && <Multiline lineClamp={3}>{note}</Multiline>}
      {restores !== null && <Hint>{t.restores(restores)}</Hint>}
    </>
  );
}

function Opened(props: { agentId: string; number: number; versions: readonly AgentVersion[] }) {
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

function markOf({ published, candidate_percent }: AgentVersion): string | undefined {
  if (published) return t.publishedMark;
  return candidate_percent === null ? undefined : t.candidateMark;
}
