/**
 * The start page: what needs attention, and the agents' activity in a chosen period. A new organization also
 * sees the three steps to its first answer.
 */
import { SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import type { Overview } from '../../../contract/data/overview.ts';
import { AgentFigure, FigureLink } from '../../components/figure-link.tsx';
import {
  amount,
  changeText,
  countText,
  creditText,
  duration,
  roundCredits,
  percentText,
} from '../../components/format.ts';
import { Page, Section, Tile } from '../../components/page.tsx';
import { useRead } from '../../components/queries.ts';
import { Loaded } from '../../components/states.tsx';
import { DataTable, RowLink, type Column } from '../../components/table.tsx';
import { lazily } from '../../lazily.tsx';
import { Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useMayOpen } from '../../shell/may-open.ts';
import type { FigureName } from './figure-name.ts';
import { FirstSteps } from './first-steps.tsx';
import { hasTrend } from './has-trend.ts';
import { HealthPanel } from './health.tsx';

const t = texts.overview;
const FigureChart = lazily(() => import('./charts.tsx'), 'FigureChart', <div className="chart-waiting" />);

type AgentNumbers = Overview['agents'][number];
const c = t.agentColumns;
const time = (ms: number | null) => (ms === null ? '–' : duration(ms));
const columns: readonly Column<AgentNumbers>[] = [
  {
    label: c.agent,
    render: ({ agent_id, name }) => <RowLink to={`/agents/${agent_id}`}>{name}</RowLink>,
  },
  {
    label: c.received,
    isFigure: true,
    render: ({ agent_id, received }) => <AgentFigure of={agent_id} count={received} />,
  },
  { label: c.answered, isFigure: true, render: ({ answered }) => countText(answered) },
  {
    label: c.failed,
    isFigure: true,
    render: ({ agent_id, failed }) => <AgentFigure of={agent_id} count={failed} only="failed" />,
  },
  { label: c.median, isFigure: true, render: ({ median_ms }) => time(median_ms) },
  { label: c.p95, isFigure: true, render: ({ p95_ms }) => time(p95_ms) },
  { label: c.credits, isFigure: true, render: ({ credits }) => creditText(credits) },
];

export function OverviewPage() {
  const [days, setDays] = useState('14');
  const query = useRead<Overview>(['overview', days], '/overview', {
    query: { days },
    refetchInterval: 5000,
    placeholderData: keepPreviousData,
  });
  // The first steps stay until the user leaves the page, because the last step shows that the first answer has arrived.
  const [isNew, setIsNew] = useState<boolean>();
  if (isNew === undefined && query.data !== undefined) setIsNew(query.data.start.conversation === null);
  return (
    <Page
      title={t.title}
      lead={t.lead(days)}
      actions={
        <SegmentedControl aria-label={t.period} data={[...t.periods]} value={days} onChange={setDays} />
      }
    >
      <HealthPanel failedToday={query.data?.days.at(-1)?.failed ?? 0} />
      <Loaded query={query}>
        {(overview) => (
          <Stack gap="lg">
            {isNew === true && <FirstSteps start={overview.start} />}
            <Totals overview={overview} />
            <Section title={t.agents} label={t.agents}>
              <DataTable
                label={t.agents}
                rows={overview.agents}
                rowKey={({ agent_id }) => agent_id}
                columns={columns}
                isLinked
                empty={<Text c="dimmed">{t.noAgents}</Text>}
              />
            </Section>
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Totals({ overview }: { overview: Overview }) {
  const { totals, before, days } = overview;
  const mayOpen = useMayOpen();
  const { received, answered, failed, median_ms, p95_ms, credits } = totals;
  const [yesterday, today] = days.slice(-2);
  const changeOf = (was: number | null, is: number | null) => changeText(was ?? 0, is ?? 0);
  /** Compares today's figure, which is not complete yet, with yesterday's. */
  const byDay = (textOf: (day: Overview['days'][number]) => string) =>
    yesterday && today && t.compared(textOf(today), textOf(yesterday));
  const to = (path: string) => (mayOpen(path.split('?')[0] ?? path) ? path : undefined);
  const tiles: Figure[] = [
    {
      name: 'received',
      change: changeOf(before.received, received),
      label: t.received,
      value: countText(received),
      to: to('/conversations'),
      note: t.answeredOf(countText(answered)),
      compared: byDay((day) => countText(day.received)),
    },
    {
      name: 'median',
      change: changeOf(before.median_ms, median_ms),
      label: t.median,
      value: time(median_ms),
      note: p95_ms === null ? undefined : t.p95(duration(p95_ms)),
      compared: byDay((day) => time(day.median_ms)),
    },
    {
      name: 'credits',
      change: changeOf(before.credits, credits),
      label: t.credits,
      value: roundCredits(credits),
      to: to('/data'),
      note: [
        ...(answered === 0 || credits === 0 ? [] : [t.perAnswer(amount(credits / answered))]),
        t.withoutTests,
      ].join(', '),
      compared: byDay((day) => roundCredits(day.credits)),
    },
  ];
  const figures: Summed[] = [
    {
      label: t.conversations,
      value: countText(totals.conversations),
      change: changeOf(before.conversations, totals.conversations),
      note: t.agentsAlone(countText(totals.conversations - totals.with_people)),
      to: to('/conversations?status=all'),
    },
    {
      label: t.withPeople,
      value: countText(totals.with_people),
      change: changeOf(before.with_people, totals.with_people),
      note:
        totals.conversations === 0
          ? t.withPeopleHelp
          : t.withPeopleShare(percentText(totals.with_people / totals.conversations)),
    },
    {
      label: t.failed,
      value: countText(failed),
      change: changeOf(before.failed, failed),
      note: byDay((day) => countText(day.failed)),
      to: to('/conversations?only=failed&status=all'),
    },
    {
      label: t.deliveryProblems,
      value: countText(overview.failed_deliveries),
      change: null,
      note: t.deliveryProblemsHelp(days.length),
      to: overview.failed_deliveries === 0 ? undefined : to('/deliveries'),
    },
  ];
  if (!hasTrend(overview.days, (day) => day.received + day.failed + day.credits))
    return (
      <>
        <Sums figures={figures} />
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing={{ base: 'sm', xs: 'md' }}>
          {tiles.map((tile) => (
            <FigureTile key={tile.name} {...tile} />
          ))}
        </SimpleGrid>
        <Hint>{t.charts.later}</Hint>
      </>
    );
  return (
    <>
      <Sums figures={figures} />
      <SimpleGrid cols={{ base: 1, md: 2 }} className="overview-charts">
        {tiles.map((tile) => (
          <FigureTile key={tile.name} {...tile} days={overview.days} />
        ))}
      </SimpleGrid>
    </>
  );
}

/** A figure of the whole period. */
interface Summed {
  label: string;
  value: string;
  note?: string | undefined;
  /** The change since as many days before; null if there was nothing before. */
  change: string | null;
  /** Path to which the value links; if absent, the value is plain text. */
  to?: string | undefined;
}

interface Figure extends Summed {
  name: FigureName;
  /** Today's and yesterday's value. */
  compared: string | undefined;
}

function Sums({ figures }: { figures: readonly Summed[] }) {
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 'sm', xs: 'md' }} className="usage-figures">
      {figures.map((figure) => (
        <Tile key={figure.label} label={figure.label} figure={<Value of={figure} />}>
          <Hint size="xs">{figure.note}</Hint>
        </Tile>
      ))}
    </SimpleGrid>
  );
}

/** The value, as a link if it has a path, and its change. */
function Value({ of: { label, value, change, to } }: { of: Summed }) {
  return (
    <>
      {to === undefined ? value : <FigureLink to={to} label={`${label}: ${value}`} value={value} />}
      {change !== null && (
        <Text span size="xs" fw={400} c="dimmed" className="figure-change">
          {change}
        </Text>
      )}
    </>
  );
}

/** @param props.days the days of a chart below the figure; if absent, there is no chart */
function FigureTile(props: Figure & { days?: Overview['days'] }) {
  const { name, label, note, compared, days } = props;
  return (
    <Tile label={label} figure={<Value of={props} />}>
      <Hint size="xs">{note ?? '\u00a0'}</Hint>
      {days === undefined ? <Hint size="xs">{compared}</Hint> : <FigureChart of={name} days={days} />}
    </Tile>
  );
}
