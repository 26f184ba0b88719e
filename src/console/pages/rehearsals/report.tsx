/**
 * The page of a rehearsal's report: progress, verdict, cost and time compared with the recording, and the turns, with a
 * filter by outcome.
 */
import { Alert, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link, useParams, useSearchParams } from 'wouter';
import type { Agent } from '../../../contract/conversations/agents.ts';
import type { Rehearsal, RehearsalTurn, TurnOutcome } from '../../../contract/rehearsals/rehearsals.ts';
import { call } from '../../client.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { ConfirmButton, DialogButton } from '../../components/dialogs.tsx';
import { amount, changeText, duration } from '../../components/format.ts';
import {
  IconAlertTriangle,
  IconCheck,
  IconMessages,
  IconPlayerPlay,
  IconPlayerStop,
} from '../../components/icons.tsx';
import { Section } from '../../components/page.tsx';
import { useAgents, usePages, useRead, type PageOf } from '../../components/queries.ts';
import { Empty, Loaded } from '../../components/states.tsx';
import { DataTable, More, type Column } from '../../components/table.tsx';
import { Facts, Fold, Hint, Nothing, TextLink, When, type Fact } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { AgentFrame } from '../conversations/agent-frame.tsx';
import { useSavedDraft } from '../conversations/use-saved-draft.ts';
import { Author } from '../conversations/version-table.tsx';
import { RehearsalStatus, whatOf } from './rehearsal-result.tsx';
import { ruleText } from './rule-text.ts';
import { StartRehearsal } from './start-rehearsal.tsx';
import { TurnPanel } from './turn-panel.tsx';

const t = texts.rehearsals;
const pollMs = 1000;
const turnsAtOnce = 20;

export function RehearsalReport() {
  const { rehearsalId = '' } = useParams();
  return (
    <AgentFrame>
      {(agent) => (
        <Opened key={rehearsalId} agent={agent} path={`/agents/${agent.id}/rehearsals/${rehearsalId}`} />
      )}
    </AgentFrame>
  );
}

interface Of {
  agent: Agent;
  path: string;
  rehearsal: Rehearsal;
}

function Opened({ agent, path }: { agent: Agent; path: string }) {
  const query = useRead<Rehearsal>([path], path, {
    refetchInterval: ({ state: { data } }) => (data?.status === 'running' ? pollMs : false),
  });
  return <Loaded query={query}>{(rehearsal) => <Report {...{ agent, path, rehearsal }} />}</Loaded>;
}

function Report({ agent, path, rehearsal }: Of) {
  const { status, error, turns, done } = rehearsal;
  return (
    <Stack gap="lg">
      <div>
        <Link href={path.replace(/\/[^/]+$/, '')} className="back-link">
          ← {t.back}
        </Link>
        <Group justify="space-between" gap="sm">
          <Group gap="sm">
            <Title order={2} size="h3">
              {t.reportTitle(whatOf(rehearsal))}
            </Title>
            {status !== 'completed' && <RehearsalStatus of={rehearsal} />}
          </Group>
          <Actions {...{ agent, path, rehearsal }} />
        </Group>
      </div>
      {status === 'running' && (
        <Stack gap={6} role="status">
          <Progress
            value={turns === 0 ? 0 : (100 * done) / turns}
            size="lg"
            aria-label={t.progress}
            animated
          />
          <Text size="sm">{t.asked(done, turns)}</Text>
        </Stack>
      )}
      {status !== 'running' && <Verdict rehearsal={rehearsal} />}
      {error !== undefined && (
        <Alert color="red" role="alert">
          {error}
        </Alert>
      )}
      <div className="rehearsal-summary">
        <Section title={t.compared}>
          <Compared rehearsal={rehearsal} />
        </Section>
        <Section title={t.facts.about}>
          <About rehearsal={rehearsal} />
        </Section>
      </div>
      <Turns path={path} rehearsal={rehearsal} />
    </Stack>
  );
}

function Verdict({ rehearsal }: { rehearsal: Rehearsal }) {
  const { turns, done, passed, passed_turns: passing } = rehearsal;
  if (turns === 0) return <Alert color="gray">{t.noTurns}</Alert>;
  if (passed)
    return (
      <Alert color="green" icon={<IconCheck size={20} />}>
        {t.passed}
      </Alert>
    );
  return (
    <Alert color={passing < done ? 'red' : 'gray'} icon={<IconAlertTriangle size={20} />}>
      {passing < done ? t.notPassed(done - passing, done) : t.incomplete(turns - done)}
    </Alert>
  );
}

function Actions({ agent, path, rehearsal }: Of) {
  const draft = useSavedDraft(agent.id).data;
  const may = useCan()('agents.manage');
  const list = path.replace(/\/[^/]+$/, '');
  if (!may) return null;
  const { status, turns, done, outcomes } = rehearsal;
  if (status === 'running')
    return (
      <ConfirmButton
        leftSection={<IconPlayerStop />}
        {...t.cancel}
        run={() => call('POST', `${path}/cancel`)}
        query={path}
      />
    );
  if (done === turns && outcomes.failed === 0)
    return (
      <Group gap="sm">
        {rehearsal.version === 'draft' && draft != null && (
          <TextLink to={`/agents/${agent.id}`}>{texts.versions.openDraft}</TextLink>
        )}
        <DialogButton variant="default" leftSection={<IconPlayerPlay />} label={t.again}>
          {(close) => <StartRehearsal agent={agent} hasDraft={draft != null} close={close} />}
        </DialogButton>
      </Group>
    );
  return (
    <ActionButton
      leftSection={<IconPlayerPlay />}
      label={t.resume}
      run={() => call('POST', `${path}/resume`)}
      refetches={[[path], [list]]}
      done={t.resumed}
    />
  );
}

interface Sum {
  label: string;
  recorded: number;
  now: number;
  format: (value: number) => string;
}

function Change({ recorded, now }: Sum) {
  return changeText(recorded, now) ?? <Nothing />;
}

const sumColumns: readonly Column<Sum>[] = [
  { label: t.comparedColumns.what, render: ({ label }) => label },
  { label: t.comparedColumns.recorded, isFigure: true, render: ({ recorded, format }) => format(recorded) },
  { label: t.comparedColumns.now, isFigure: true, render: ({ now, format }) => format(now) },
  { label: t.comparedColumns.change, isFigure: true, render: (sum) => <Change {...sum} /> },
];

function Compared({ rehearsal }: { rehearsal: Rehearsal }) {
  const { credits, recorded_credits, model_ms, recorded_model_ms, done, turns } = rehearsal;
  const rows: Sum[] = [
    { label: t.credits, recorded: recorded_credits, now: credits, format: amount },
    { label: t.modelTime, recorded: recorded_model_ms, now: model_ms, format: duration },
  ];
  return (
    <>
      <DataTable
        label={t.comparedTable}
        rows={rows}
        rowKey={({ label }) => label}
        columns={sumColumns}
        isSmall
      />
      {done < turns && <Hint size="xs">{t.partly}</Hint>}
    </>
  );
}

function About({ rehearsal }: { rehearsal: Rehearsal }) {
  const { source, turns, run_read_only_tools, accepts, rules, judge, author, created_at, finished_at } =
    rehearsal;
  const f = t.facts;
  const isUsual = accepts.length === 2 && accepts.includes('same') && accepts.includes('other_text');
  const facts: Fact[] = [
    rules.length > 0 && [f.rules, rules.map(ruleText).join('; ')],
    judge !== undefined && [f.judge, `${judge.model}: ${judge.criterion}`],
    [f.author, <Author key="author" of={author} />],
    [
      f.started,
      <Fragment key="started">
        <When at={created_at} />
        {finished_at !== undefined &&
          `, ${f.took(duration(Date.parse(finished_at) - Date.parse(created_at)))}`}
      </Fragment>,
    ],
  ];
  return (
    <div className="panel facts rehearsal-facts">
      <Text size="sm" mb="md">
        {[
          f.asked[source](turns),
          run_read_only_tools ? f.toolsRun : f.toolsNotRun,
          isUsual ? f.wordingPasses : f.passing(accepts.map((outcome) => t.outcomes[outcome])),
        ].join(' ')}
      </Text>
      <Facts facts={facts} />
    </div>
  );
}

const isUnchanged = ({ outcome, passed }: RehearsalTurn) => outcome === 'same' && passed === true;

/** Groups consecutive turns that pass with the same answer as before. Each other turn is a group of its own. */
function grouped(turns: readonly RehearsalTurn[]): RehearsalTurn[][] {
  const groups: RehearsalTurn[][] = [];
  for (const turn of turns) {
    const before = groups.at(-1)?.[0];
    if (before !== undefined && isUnchanged(before) && isUnchanged(turn)) groups.at(-1)?.push(turn);
    else groups.push([turn]);
  }
  return groups;
}

const isOutcome = (value: string | null): value is TurnOutcome => value !== null && value in t.outcomes;

function Turns({ path, rehearsal }: { path: string; rehearsal: Rehearsal }) {
  const [params] = useSearchParams();
  const chosen = params.get('outcome');
  const outcome = isOutcome(chosen) ? chosen : undefined;
  const isRunning = rehearsal.status === 'running';
  const agents = useAgents().data ?? [];
  const query = usePages<PageOf<RehearsalTurn>>(
    [`${path}/turns`, outcome, rehearsal.status],
    `${path}/turns`,
    {
      query: { outcome, limit: turnsAtOnce },
      refetchInterval: isRunning ? 2 * pollMs : false,
      placeholderData: keepPreviousData,
    },
  );
  const nameOf = (id: string) => agents.find((agent) => agent.id === id)?.name ?? id;
  return (
    <Section title={t.turns}>
      <Filter rehearsal={rehearsal} outcome={outcome} />
      {rehearsal.diverged > 0 && <Hint>{t.divergedCount(rehearsal.diverged)}</Hint>}
      <Loaded query={query}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          if (rows.length === 0) return <Empty icon={IconMessages} title={t.noTurnsShown} />;
          return (
            <Stack gap="md">
              {grouped(rows).map((turns) => {
                const panels = turns.map((turn) => (
                  <TurnPanel key={turn.position} turn={turn} rules={rehearsal.rules} nameOf={nameOf} />
                ));
                const [first] = turns;
                if (outcome === 'same' || first === undefined || !isUnchanged(first)) return panels;
                return (
                  <Fold key={first.position} head={t.sameTurns(turns.length)}>
                    {panels}
                  </Fold>
                );
              })}
            </Stack>
          );
        }}
      </Loaded>
      <More of={query} />
    </Section>
  );
}

/** Links that filter the turns by outcome, each with the number of its turns. The URL contains the selected outcome. */
function Filter({ rehearsal, outcome }: { rehearsal: Rehearsal; outcome: TurnOutcome | undefined }) {
  const { agent_id, id, turns, outcomes } = rehearsal;
  const page = `/agents/${agent_id}/rehearsals/${id}`;
  const counted = Object.keys(outcomes)
    .filter(isOutcome)
    .filter((one) => outcomes[one] > 0 || one === outcome);
  return (
    <nav className="views" aria-label={t.filter}>
      <Link href={page} className="view" aria-current={outcome === undefined ? 'page' : undefined}>
        {t.count(t.all, turns)}
      </Link>
      {counted.map((one) => (
        <Link
          key={one}
          href={`${page}?outcome=${one}`}
          className="view"
          aria-current={outcome === one ? 'page' : undefined}
        >
          {t.count(t.outcomes[one], outcomes[one])}
        </Link>
      ))}
    </nav>
  );
}
