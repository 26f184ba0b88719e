/**
 * The page of a rehearsal's report: progress, verdict, cost and time compared with the recording, and the turns, with a
 * filter by outcome.
 */
import { Alert, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { Link, useParams, useSearchParams } from 'wouter';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { keysOf } from '../../../contract/keys-of.ts';
import type { Rehearsal, RehearsalTurn, TurnOutcome } from '../../../contract/rehearsals/rehearsals.ts';
import { call } from '../../client.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { ConfirmButton, DialogButton } from '../../components/dialogs.tsx';
import { IconMessages, IconPlayerPlay, IconPlayerStop } from '../../components/icons.tsx';
import { Section } from '../../components/page.tsx';
import { useAgents, usePages, useRead, type PageOf } from '../../components/queries.ts';
import { Empty, Loaded } from '../../components/states.tsx';
import { More } from '../../components/table.tsx';
import { Fold, Hint, TextLink } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { AgentFrame } from '../conversations/agent-frame.tsx';
import { useSavedDraft } from '../conversations/use-saved-draft.ts';
import { RehearsalStatus, whatOf } from './rehearsal-result.tsx';
import { Summary, Verdict } from './report-summary.tsx';
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
      {status !== 'running' && <Verdict agent={agent} rehearsal={rehearsal} />}
      {error !== undefined && (
        <Alert color="red" role="alert">
          {error}
        </Alert>
      )}
      <Summary rehearsal={rehearsal} />
      <Turns path={path} rehearsal={rehearsal} />
    </Stack>
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
        {rehearsal.version === 'draft' && draft != null && !rehearsal.passed && (
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

const isOutcome = (value: string): value is TurnOutcome => value in t.outcomes;

/** The turns that are shown: those with an outcome, or those that do not pass. */
type Shown = TurnOutcome | 'failing';
const isShown = (value: string | null): value is Shown =>
  value === 'failing' || (value !== null && isOutcome(value));

function Turns({ path, rehearsal }: { path: string; rehearsal: Rehearsal }) {
  const [params] = useSearchParams();
  const chosen = params.get('outcome');
  const outcome = isShown(chosen) ? chosen : undefined;
  const isRunning = rehearsal.status === 'running';
  const agents = useAgents().data ?? [];
  const query = usePages<PageOf<RehearsalTurn>>(
    [`${path}/turns`, outcome, rehearsal.status],
    `${path}/turns`,
    {
      query: { ...(outcome === 'failing' ? { passed: 'false' } : { outcome }), limit: turnsAtOnce },
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
                  <TurnPanel key={turn.position} turn={turn} rehearsal={rehearsal} nameOf={nameOf} />
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

/** Links that filter the turns by outcome, or show those that do not pass, each with the number of its turns. The URL contains the selected outcome. */
function Filter({ rehearsal, outcome }: { rehearsal: Rehearsal; outcome: Shown | undefined }) {
  const { agent_id, id, turns, outcomes, done, passed_turns } = rehearsal;
  const page = `/agents/${agent_id}/rehearsals/${id}`;
  const counts: readonly (readonly [Shown, string, number])[] = [
    ['failing', t.fails, done - passed_turns],
    ...keysOf(t.outcomes).map((one) => [one, t.outcomes[one], outcomes[one]] as const),
  ];
  const counted = counts.filter(([one, , count]) => count > 0 || one === outcome);
  return (
    <nav className="views" aria-label={t.filter}>
      <Link href={page} className="view" aria-current={outcome === undefined ? 'page' : undefined}>
        {t.count(t.all, turns)}
      </Link>
      {counted.map(([one, label, count]) => (
        <Link
          key={one}
          href={`${page}?outcome=${one}`}
          className="view"
          aria-current={outcome === one ? 'page' : undefined}
        >
          {t.count(label, count)}
        </Link>
      ))}
    </nav>
  );
}
