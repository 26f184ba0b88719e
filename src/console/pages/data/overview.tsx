/** The agents' activity in the last days. A new organization also sees the three steps to its first answer. */
import { SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { Overview } from '../../../contract/data/overview.ts';
import { call } from '../../client.ts';
import { amount, duration } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';
import { DataTable, RowLink, type Column } from '../../components/table.tsx';
import { lazily } from '../../lazily.ts';
import { Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { NoModelBanner } from '../models/no-model.tsx';
import { FirstSteps } from './first-steps.tsx';

const t = texts.overview;
const Charts = lazily(() => import('./charts.tsx'), 'Charts');

type AgentNumbers = Overview['agents'][number];
const c = t.agentColumns;
const time = (ms: number | null) => (ms === null ? '–' : duration(ms));
const columns: readonly Column<AgentNumbers>[] = [
  {
    label: c.agent,
    render: ({ agent_id, name }) => <RowLink to={`/agents/${agent_id}`}>{name}</RowLink>,
  },
  { label: c.received, render: ({ received }) => received.toLocaleString() },
  { label: c.answered, render: ({ answered }) => answered.toLocaleString() },
  { label: c.failed, render: ({ failed }) => failed.toLocaleString() },
  { label: c.median, render: ({ median_ms }) => time(median_ms) },
  { label: c.p95, render: ({ p95_ms }) => time(p95_ms) },
  { label: c.credits, render: ({ credits }) => amount(credits) },
];

export function OverviewPage() {
  const [days, setDays] = useState('14');
  const query = useQuery({
    queryKey: ['overview', days],
    queryFn: () => call<Overview>('GET', '/overview', { query: { days } }),
    refetchInterval: 5000,
    placeholderData: keepPreviousData,
  });
  // The steps stay until the page is left, because the last one confirms the answer.
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
      <Loaded query={query}>
        {(overview) => (
          <Stack gap="lg">
            <NoModelBanner />
            {isNew === true && <FirstSteps start={overview.start} />}
            <Totals overview={overview} />
            <Suspense fallback={<div className="charts-waiting" />}>
              <Charts days={overview.days} />
            </Suspense>
            <section aria-label={t.agents}>
              <Text component="h2" fw={600} size="lg" mb="sm">
                {t.agents}
              </Text>
              {overview.agents.length === 0 ? (
                <Text c="dimmed">{t.noAgents}</Text>
              ) : (
                <DataTable
                  label={t.agents}
                  rows={overview.agents}
                  rowKey={({ agent_id }) => agent_id}
                  columns={columns}
                />
              )}
            </section>
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Totals({ overview: { totals, failed_deliveries } }: { overview: Overview }) {
  const { received, answered, failed, median_ms, p95_ms, credits } = totals;
  const tiles: { label: string; value: string; note?: string | undefined }[] = [
    {
      label: t.received,
      value: received.toLocaleString(),
      note: `${answered.toLocaleString()} ${t.answered.toLowerCase()}`,
    },
    { label: t.median, value: time(median_ms), note: p95_ms === null ? undefined : t.p95(duration(p95_ms)) },
    { label: t.failed, value: failed.toLocaleString(), note: t.failedDeliveries(failed_deliveries) },
    {
      label: t.credits,
      value: amount(credits),
      note: answered === 0 || credits === 0 ? undefined : t.perAnswer(amount(credits / answered)),
    },
  ];
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 'sm', xs: 'md' }}>
      {tiles.map(({ label, value, note }) => (
        <div key={label} className="panel tile">
          <Hint>{label}</Hint>
          <Text fz={28} fw={700} lh={1.3}>
            {value}
          </Text>
          <Hint size="xs">{note ?? '\u00a0'}</Hint>
        </div>
      ))}
    </SimpleGrid>
  );
}
