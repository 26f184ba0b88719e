/** The head of a rehearsal's report: its verdict with the next step, cost and time, and what was asked and checked. */
import { Alert, Button, Group, Text } from '@mantine/core';
import { Fragment } from 'react';
import { Link } from 'wouter';
import type { Agent } from '../../../contract/conversations/agents.ts';
import type { Rehearsal } from '../../../contract/rehearsals/rehearsals.ts';
import { Actor } from '../../components/actor.tsx';
import { amount, changeText, duration } from '../../components/format.ts';
import { IconAlertTriangle, IconCheck } from '../../components/icons.tsx';
import { Section } from '../../components/page.tsx';
import { DataTable, type Column } from '../../components/table.tsx';
import { Facts, Hint, Label, Nothing, TextLink, When, type Fact } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useSavedDraft } from '../conversations/use-saved-draft.ts';
import { isOfDraft, reportPath } from './rehearsal-of-content.tsx';
import { ruleText } from './rule-text.ts';

const t = texts.rehearsals;

interface Of {
  agent: Agent;
  rehearsal: Rehearsal;
}

export function Verdict({ agent, rehearsal }: Of) {
  const { turns, done, passed, passed_turns: passing } = rehearsal;
  if (turns === 0) return <Alert color="gray">{t.noTurns}</Alert>;
  if (passed)
    return (
      <Alert color="green" className="verdict" icon={<IconCheck size={20} />}>
        <Group justify="space-between" gap="xs">
          <div>{t.passed}</div>
          <NextStep agent={agent} rehearsal={rehearsal} />
        </Group>
      </Alert>
    );
  return (
    <Alert color={passing < done ? 'red' : 'gray'} icon={<IconAlertTriangle size={20} />}>
      {passing < done ? (
        <Group justify="space-between" gap="xs">
          <div>{t.notPassed(done - passing, done)}</div>
          <TextLink to={reportPath(rehearsal)}>{t.showFailing(done - passing)}</TextLink>
        </Group>
      ) : (
        t.incomplete(turns - done)
      )}
    </Alert>
  );
}

/** Where what has passed can be published: a draft in the settings, a version in the list of versions. */
function NextStep({ agent, rehearsal }: Of) {
  const query = useSavedDraft(agent.id);
  if (query.data === undefined) return null;
  const draft = rehearsal.version === 'draft' ? query.data : null;
  const look = { component: Link, size: 'xs', variant: 'default' } as const;
  if (draft === null)
    return (
      <Button {...look} href={`/agents/${agent.id}/versions`}>
        {t.next.versions}
      </Button>
    );
  return (
    <Group gap="sm">
      <Text size="sm">{isOfDraft(rehearsal, draft) ? t.next.publish : t.next.differs}</Text>
      <Button {...look} href={`/agents/${agent.id}`}>
        {texts.versions.openDraft}
      </Button>
    </Group>
  );
}

export function Summary({ rehearsal }: { rehearsal: Rehearsal }) {
  return (
    <div className="rehearsal-summary">
      <Section title={t.compared}>
        <Compared rehearsal={rehearsal} />
      </Section>
      <Section title={t.facts.about}>
        <About rehearsal={rehearsal} />
      </Section>
    </div>
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
  const acceptsWording = accepts.length === 2 && accepts.includes('other_text');
  const checks = [
    !accepts.includes('same') || (accepts.length > 1 && !acceptsWording)
      ? f.passing(accepts.map((outcome) => t.outcomes[outcome]))
      : acceptsWording
        ? f.sameDeeds
        : f.sameAnswer,
    ...rules.map((rule) => `${t.mustBe(ruleText(rule))}.`),
    ...(judge === undefined ? [] : [f.judged(judge.model, judge.criterion)]),
  ];
  const facts: Fact[] = [
    [f.author, <Actor key="author" text={author} />],
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
        {[f.asked[source](turns), run_read_only_tools ? f.toolsRun : f.toolsNotRun].join(' ')}
      </Text>
      <Label c="dimmed" fw={400}>
        {f.checks}
      </Label>
      <ul>
        {checks.map((check, index) => (
          <li key={index}>{check}</li>
        ))}
      </ul>
      <Facts facts={facts} />
    </div>
  );
}
