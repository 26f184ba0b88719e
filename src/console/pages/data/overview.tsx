/**
 * The start page: what needs attention, and the agents' activity in a chosen period. A new organization also
 * sees the three steps to its first answer.
 */
import { SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import type { Overview } from '../../../contract/data/overview.ts';
import { AgentFigure, FigureLink } from '../../components/figure-link.tsx';
import { changeText, countText, creditText, duration } from '../../components/format.ts';
import { Page, Section, Tile } from '../../components/page.tsx';
import { useRead } from '../../components/queries.ts';
import { Loaded } from '../../components/states.tsx';
import { DataTable, RowLink, type Column } from '../../components/table.tsx';
import { lazily } from '../../lazily.tsx';
import { Hint, TextLink } from '../../components/text.tsx';
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
      lead={t.lead}
      actions={
        <SegmentedControl aria-label={t.period} data={[...t.periods]} value={days} onChange={setDays} />
      }
    >
      <HealthPanel />
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
  const { totals, before, days, failed_deliveries } = overview;
  const mayOpen = useMayOpen();
  const { received, answered, failed, median_ms, p95_ms, credits } = totals;
  const [yesterday, today] = days.slice(-2);
  /** Compares today's figure, which is not complete yet, with yesterday's. */
  const byDay = (textOf: (day: Overview['totals']) => string) =>
    yesterday && today && t.compared(textOf(today), textOf(yesterday));
  const to = (path: string) => (mayOpen(path.split('?')[0] ?? path) ? path : undefined);
  const tiles: Figure[] = [
    {
      name: 'received',
      change: changeText(before.received, received),
      label: t.received,
      value: countText(received),
      to: to('/conversations'),
      note: t.answeredOf(countText(answered)),
      compared: byDay((day) => countText(day.received)),
    },
    {
      name: 'median',
      change: changeText(before.median_ms ?? 0, median_ms ?? 0),
      label: t.median,
      value: time(median_ms),
      note: p95_ms === null ? undefined : t.p95(duration(p95_ms)),
      compared: byDay((day) => time(day.median_ms)),
    },
    {
      name: 'failed',
      change: changeText(before.failed, failed),
      label: t.failed,
      value: countText(failed),
      to: to('/conversations?only=failed&status=all'),
      note: t.failedDeliveries(failed_deliveries),
      noteTo: failed_deliveries === 0 ? undefined : to('/deliveries'),
      compared: byDay((day) => countText(day.failed)),
    },
    {
      name: 'credits',
      change: changeText(before.credits, credits),
      label: t.credits,
      value: creditText(credits),
      to: to('/data'),
      note: answered === 0 || credits === 0 ? undefined : t.perAnswer(creditText(credits / answered)),
      compared: byDay((day) => creditText(day.credits)),
    },
  ];
  if (!hasTrend(overview.days, (day) => day.received + day.failed + day.credits))
    return (
      <>
        <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 'sm', xs: 'md' }}>
          {tiles.map((tile) => (
            <FigureTile key={tile.name} {...tile} />
          ))}
        </SimpleGrid>
        <Hint>{t.charts.later}</Hint>
      </>
    );
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      {tiles.map((tile) => (
        <FigureTile key={tile.name} {...tile} days={overview.days} />
      ))}
    </SimpleGrid>
  );
}

interface Figure {
  name: FigureName;
  label: string;
  value: string;
  note?: string | undefined;
  /** The change since as many days before; null if there was nothing before. */
  change: string | null;
  /** Today's and yesterday's value. */
  compared: string | undefined;
  /** Path to which the value links; if absent, the value is plain text. */
  to?: string | undefined;
  /** Path to which the note links; if absent, the note is plain text. */
  noteTo?: string | undefined;
}

/** @param props.days the days of a chart below the figure; if absent, there is no chart */
function FigureTile(props: Figure & { days?: Overview['days'] }) {
  const { name, label, value, change, note = '\u00a0', compared, to, noteTo, days } = props;
  return (
    <Tile
      label={label}
      figure={
        <>
          {to === undefined ? value : <FigureLink to={to} label={`${label}: ${value}`} value={value} />}
          {change !== null && (
            <Text span size="sm" c="dimmed" ml={8} title={t.change}>
              {change}
            </Text>
          )}
        </>
      }
    >
      {noteTo === undefined ? (
        <Hint size="xs">{note}</Hint>
      ) : (
        <TextLink to={noteTo} size="xs" display="block" w="fit-content">
          {note}
        </TextLink>
      )}
      <Hint size="xs">{compared}</Hint>
      {days !== undefined && <FigureChart of={name} days={days} />}
    </Tile>
  );
}
