/** The list of an agent's versions: their shares, changes and outcomes, and what can be done with each. */
import { Badge, Button, Center, Group, NumberInput, Text } from '@mantine/core';
import { useState } from 'react';
import { maxRunsOfVersion } from '../../../contract/conversations/limits.ts';
import type { AgentDraft, ListedAgentVersion } from '../../../contract/conversations/agent-versions.ts';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { call } from '../../client.ts';
import { Actor } from '../../components/actor.tsx';
import { AgentFigure } from '../../components/figure-link.tsx';
import { FormDialog } from '../../components/dialogs.tsx';
import { countText, percentText } from '../../components/format.ts';
import { confirmed, RowActions } from '../../components/row-actions.tsx';
import { DataTable, RowLink, type Column } from '../../components/table.tsx';
import { Ago, Hint, Multiline, Nothing } from '../../components/text.tsx';
import { required, useServerForm, within } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import {
  RehearsalLink,
  RehearsalNote,
  rehearsalOfDraft,
  rehearsalOfVersion,
  useRehearsals,
} from '../rehearsals/rehearsal-of-content.tsx';
import { DraftActions } from './draft-actions.tsx';
import { useSavedDraft } from './use-saved-draft.ts';
import { ChangesOfVersion } from './version-changes.tsx';
import { changedLines, changesBetween, contentOf, type VersionedField } from './version-content.ts';

const t = texts.versions;
const rowsAtOnce = 30;

/** A row of the list: a version, or the draft of the next one. */
type ListRow = { version: ListedAgentVersion } | { draft: AgentDraft };

interface Versions {
  agent: Agent;
  /** All stored versions, newest first. */
  versions: readonly ListedAgentVersion[];
  path: string;
}

const candidateOf = (versions: readonly ListedAgentVersion[]) =>
  versions.find(({ candidate_percent }) => candidate_percent !== null);
const publishedOf = (versions: readonly ListedAgentVersion[], agent: Agent) =>
  versions.find(({ published }) => published)?.version ?? agent.version;

export function VersionTable({ agent, versions, path }: Versions) {
  const [shown, setShown] = useState(rowsAtOnce);
  const draft = useSavedDraft(agent.id).data;
  const rehearsals = useRehearsals(agent.id);
  const others = candidateOf(versions)?.candidate_percent ?? 0;
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
      label: t.columns.share,
      render: (row) => {
        if ('draft' in row) return <Nothing />;
        const { published, candidate_percent } = row.version;
        const share = published ? 100 - others : candidate_percent;
        return share === null ? <Nothing /> : <Share percent={share} />;
      },
    },
    {
      label: t.columns.changes,
      isBelowName: true,
      render: (row) => {
        const rehearsal =
          'draft' in row
            ? rehearsalOfDraft(rehearsals, row.draft)
            : rehearsalOfVersion(rehearsals, row.version.version);
        const changes =
          'draft' in row ? (
            <DraftChanges agent={agent} draft={row.draft} />
          ) : (
            <WhatChanged version={row.version} />
          );
        if (rehearsal === undefined) return changes;
        return (
          <div>
            {changes}
            <div>
              <RehearsalLink agentId={agent.id} of={rehearsal} />
            </div>
          </div>
        );
      },
    },
    {
      label: t.columns.outcome,
      before: '',
      render: (row) =>
        'draft' in row ? <Nothing /> : <Outcome agentId={agent.id} of={row.version.last_7_days} />,
    },
    {
      label: t.columns.at,
      before: '',
      render: (row) => {
        const { author } = 'draft' in row ? row.draft : row.version;
        const at = 'draft' in row ? row.draft.updated_at : row.version.created_at;
        if (at === null && author === null) return <Hint>{t.notRecorded}</Hint>;
        return (
          <div>
            <span>{at === null ? t.notRecorded : <Ago at={at} />}</span>
            <Text component="div" size="xs" c="dimmed" className="author">
              <Actor text={author} />
            </Text>
          </div>
        );
      },
    },
  ];
  const rows: ListRow[] = versions.slice(0, shown).map((version) => ({ version }));
  return (
    <div className="versions">
      <DataTable
        label={t.table}
        rows={draft == null ? rows : [{ draft }, ...rows]}
        rowKey={(row) => ('draft' in row ? 'draft' : String(row.version.version))}
        columns={columns}
        isLinked
        actions={(row) =>
          'draft' in row ? (
            <DraftActions
              agent={agent}
              draft={row.draft}
              rehearsal={rehearsalOfDraft(rehearsals, row.draft)}
            />
          ) : (
            <VersionActions {...{ agent, versions, path, rehearsals }} version={row.version} />
          )
        }
      />
      {versions.length > shown && (
        <Center mt="lg">
          <Button variant="default" onClick={() => setShown(shown + rowsAtOnce)}>
            {texts.common.more}
          </Button>
        </Center>
      )}
    </div>
  );
}

/** A share of the new conversations, as a number above a bar. */
function Share({ percent }: { percent: number }) {
  return (
    <span className="share">
      {percentText(percent / 100)}
      <span className="share-bar" aria-hidden>
        <span style={{ width: `${String(percent)}%` }} />
      </span>
    </span>
  );
}

/**
 * How many of a version's counted runs were answered, and below it how many failed, as a link to the agent's
 * conversations whose last answer failed.
 */
function Outcome(props: { agentId: string; of: ListedAgentVersion['last_7_days'] }) {
  const { answered, failed } = props.of;
  const runs = answered + failed;
  if (runs === 0) return <Nothing />;
  return (
    <div>
      <span>
        {t.answers(answered, runs < maxRunsOfVersion ? countText(answered) : `${countText(answered)}+`)}
      </span>
      {failed === 0 ? (
        <Hint>{t.noneFailed}</Hint>
      ) : (
        <Text size="sm" c="var(--mantine-color-error)">
          <AgentFigure
            of={props.agentId}
            count={failed}
            only="failed"
            value={t.failed(countText(failed), countText(runs), percentText(failed / runs))}
          />
        </Text>
      )}
    </div>
  );
}

function VersionActions(
  props: Versions & { version: ListedAgentVersion; rehearsals: ReturnType<typeof useRehearsals> },
) {
  const { agent, versions, path, rehearsals } = props;
  const { version, published: isPublished, candidate_percent, created_at, changed } = props.version;
  const may = useCan()('agents.manage');
  const published = publishedOf(versions, agent);
  const candidate = candidateOf(versions);
  const form = (close: () => void) => (
    <ShareForm
      {...{ agent, version, candidate, close }}
      {...(candidate_percent !== null && { percent: candidate_percent })}
    />
  );
  // There is no version before the oldest one.
  const other = changed !== null ? undefined : isPublished ? versions[0]?.version : published;
  const isCandidate = may && candidate_percent !== null;
  const isOld = may && !isPublished && candidate_percent === null;
  const whatChanges = <ChangesOfVersion agentId={agent.id} version={version} comparedWith={published} />;
  return (
    <RowActions
      name={t.version(version)}
      buttons={may && !isPublished ? 2 : 1}
      actions={[
        isCandidate &&
          confirmed({
            ...t.share.publish(version, published),
            run: () => setShare(agent.id, version, 100),
            query: 'agents',
            children: (
              <>
                <RehearsalNote agentId={agent.id} of={rehearsalOfVersion(rehearsals, version)} />
                {whatChanges}
              </>
            ),
          }),
        isOld &&
          confirmed({
            ...t.rollBack(version, published),
            run: () => call('POST', `/agents/${agent.id}/rollback`, { body: { version } }),
            query: 'agents',
            children: whatChanges,
          }),
        {
          label: t.compare,
          name: t.compareOf(version),
          isQuiet: true,
          to: `${path}?version=${String(version)}${other === undefined ? '' : `&with=${String(other)}`}`,
        },
        isOld && created_at !== null && { label: t.share.give, dialog: form },
        isCandidate && { label: t.share.change, dialog: form },
        isCandidate &&
          confirmed({
            ...t.share.end(version, published),
            run: () => setShare(agent.id, version, 0),
            query: 'agents',
          }),
      ]}
    />
  );
}

const setShare = (agentId: string, version: number, percent: number) =>
  call('PUT', `/agents/${agentId}/candidate`, { body: { version, percent } });

function ShareForm(props: {
  agent: Agent;
  version: number;
  /** The share that it has. */
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

type Marked = Pick<ListedAgentVersion, 'published' | 'candidate_percent'>;

export function Marks({ version: { published, candidate_percent } }: { version: Marked }) {
  return (
    <>
      {published && <Badge color="green">{t.published}</Badge>}
      {candidate_percent !== null && <Badge color="indigo">{t.candidate}</Badge>}
    </>
  );
}

/** The note of a version and, below it, the fields that it changes. */
function WhatChanged({ version }: { version: ListedAgentVersion }) {
  const { note, restores, changed, changed_lines } = version;
  if (note === null && restores === null && (changed ?? []).length === 0) return <Nothing />;
  return (
    <div>
      {note !== null && <Multiline lineClamp={3}>{note}</Multiline>}
      {restores !== null && <Hint>{t.restores(restores)}</Hint>}
      <ChangedFields fields={changed ?? []} lines={changed_lines} />
    </div>
  );
}

function DraftChanges({ agent, draft }: { agent: Agent; draft: AgentDraft }) {
  const fields = changesBetween(contentOf(agent), draft.content).map(({ field }) => field);
  return (
    <ChangedFields fields={fields} lines={changedLines(agent.instructions, draft.content.instructions)} />
  );
}

/** @param props.lines the lines of the instructions that are added and removed */
function ChangedFields(props: {
  fields: readonly VersionedField[];
  lines: ListedAgentVersion['changed_lines'];
}) {
  const { fields, lines } = props;
  if (fields.length === 0) return <Nothing />;
  return (
    <Hint>
      {fields.map((field, index) => (
        <span key={field}>
          {index > 0 && ', '}
          {t.fields[field]}
          {field === 'instructions' && lines !== null && (
            <span className="short">
              {lines.added > 0 && <span className="lines-added"> +{countText(lines.added)}</span>}
              {lines.removed > 0 && <span className="lines-removed"> −{countText(lines.removed)}</span>}
            </span>
          )}
        </span>
      ))}
    </Hint>
  );
}
