/** The tab of the usage in a chosen period: figures compared with the time before, by day, agent, model and API token. */
import { SegmentedControl, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { ModelUsage, Usage } from '../../../contract/data/usage.ts';
import {
  amount,
  changeText,
  costText,
  countText,
  creditText,
  roundCredits,
} from '../../components/format.ts';
import { Heading, Section, Tile } from '../../components/page.tsx';
import { useRead } from '../../components/queries.ts';
import { Loaded } from '../../components/states.tsx';
import { DataTable, RowLink, type Column } from '../../components/table.tsx';
import { Hint, Nothing, TextLink } from '../../components/text.tsx';
import { locale } from '../../language.ts';
import { lazily } from '../../lazily.tsx';
import { texts } from '../../messages.ts';
import { useMayOpen } from '../../shell/may-open.ts';
import { hasTrend } from './has-trend.ts';
import { inBytes, OfLimit } from './of-limit.tsx';
import { daysOf, daysSince, isWithin, monthOf, periods, type Compared, type Period } from './usage-period.ts';

const t = texts.data;
interface ByDayProps extends Pick<Usage, 'days'> {
  rehearsals: ModelUsage['rehearsal_days'];
}
const Charts = lazily<'UsageCharts', ByDayProps>(
  () => import('./charts.tsx'),
  'UsageCharts',
  <div className="usage-waiting" />,
);

export function UsageTab() {
  const [period, setPeriod] = useState<Period>('month');
  const now = new Date();
  const days = daysOf(period, now);
  const count = daysSince(days.before.from, now);
  const usage = useRead<Usage>(['usage', count], '/usage', {
    query: { days: count },
    placeholderData: keepPreviousData,
  });
  const { from, to } = days;
  const parts = useRead<ModelUsage>(['model-usage', from, to], '/model-usage', {
    query: { from, to },
    placeholderData: keepPreviousData,
  });
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="sm">
        <Heading>{periodName(period, days)}</Heading>
        <SegmentedControl
          aria-label={t.period}
          data={periods.map((value) => ({ value, label: t.periods[value] }))}
          value={period}
          onChange={setPeriod}
        />
      </Group>
      <Loaded query={usage}>
        {(loaded) => (
          <>
            <Figures usage={loaded} models={parts.data?.data} period={period} days={days} />
            <Hint>{t.creditMeaning}</Hint>
            <ByDay
              days={loaded.days.filter(({ day }) => isWithin(day, days))}
              rehearsals={parts.data?.rehearsal_days ?? none}
            />
          </>
        )}
      </Loaded>
      {usage.data !== undefined && parts.data !== undefined && (
        <Parts usage={parts.data} total={totalOf(usage.data, days)} />
      )}
    </Stack>
  );
}

const dateRange = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const periodName = (period: Period, { from, to }: Compared) =>
  `${t.periods[period]}: ${dateRange.formatRange(new Date(from), new Date(to))} (UTC)`;

interface Total {
  messages: number;
  credits: number;
}

/** Adds up the usage of the days that are within the range. */
function totalOf({ days }: Usage, range: { from: string; to: string }): Total {
  const sum = (part: keyof Total) =>
    days.reduce((total, one) => total + (isWithin(one.day, range) ? one[part] : 0), 0);
  return { messages: sum('messages'), credits: sum('credits') };
}

function Figures(props: {
  usage: Usage;
  models: ModelUsage['data'] | undefined;
  period: Period;
  days: Compared;
}) {
  const { usage, period, days } = props;
  const { organization, storage } = usage;
  const [used, before] = [totalOf(usage, days), totalOf(usage, days.before)];
  const figure = (part: keyof Total) => ({
    used: used[part],
    compared: compared(used[part], before[part], period, days),
  });
  const [credits, messages] = [figure('credits'), figure('messages')];
  // A limit is one of this month.
  const limitOf = (limit: number | null) => (period === 'month' ? limit : undefined);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing={{ base: 'xs', sm: 'md' }}>
      <Cost models={props.models} />
      <Used name={t.messages} {...messages} limit={limitOf(organization.message_limit)} format={countText} />
      <Used
        name={t.credits}
        {...credits}
        limit={limitOf(organization.limit)}
        format={amount}
        headline={roundCredits}
      />
      <OfLimit name={t.storageNow} used={storage.used_bytes} limit={storage.limit_bytes} format={inBytes} />
    </SimpleGrid>
  );
}

/** Shows what the model calls of the period cost in US dollars. Links to the prices if a model has none. */
function Cost({ models }: { models: ModelUsage['data'] | undefined }) {
  const mayOpen = useMayOpen();
  if (models === undefined) return <Tile label={c.cost} figure={<Nothing />} children={null} />;
  const { cost_usd, unpriced } = costOf(models);
  return (
    <Tile label={c.cost} figure={cost_usd === null ? <Nothing /> : costText(cost_usd)}>
      {unpriced > 0 && (
        <Text size="xs">
          {mayOpen('/models') ? (
            <TextLink to="/models">{t.withoutPrice(unpriced)}</TextLink>
          ) : (
            t.withoutPrice(unpriced)
          )}
        </Text>
      )}
      <Hint size="xs">{t.costHelp}</Hint>
    </Tile>
  );
}

/**
 * Adds up the known costs: null if none of several is known. `unpriced` counts the rows with tokens and without a price.
 */
function costOf(rows: readonly Pick<Part, 'cost_usd' | 'input_tokens' | 'output_tokens'>[]) {
  const known = rows.flatMap(({ cost_usd }) => cost_usd ?? []);
  const unpriced = rows.filter(
    ({ cost_usd, input_tokens = 0, output_tokens = 0 }) =>
      cost_usd == null && input_tokens + output_tokens > 0,
  ).length;
  const isKnown = known.length > 0 || unpriced === 0;
  return { cost_usd: isKnown ? known.reduce((sum, cost) => sum + cost, 0) : null, unpriced };
}

/** Compares a figure with that of the days before, for example `+12% against October until the same day`. */
function compared(used: number, before: number, period: Period, { before: days }: Compared): string {
  const change = changeText(before, used);
  const month = monthOf(days.from);
  return change === null ? t.nothingBefore[period](month) : t.compared[period](change, month);
}

/** @param props.limit the month's limit, null for none; undefined if the period has no limits */
function Used(props: {
  name: string;
  used: number;
  compared: string;
  limit: number | null | undefined;
  format: (value: number) => string;
  /** Formats what is used if there is no limit; by default, `format`. */
  headline?: (value: number) => string;
}) {
  const { name, used, limit, format, headline = format } = props;
  const note = <Hint size="xs">{props.compared}</Hint>;
  if (limit == null)
    return (
      <Tile label={name} figure={headline(used)}>
        {note}
      </Tile>
    );
  return (
    <OfLimit name={name} used={used} limit={limit} format={format}>
      {note}
    </OfLimit>
  );
}

/** One array for all renders, so that a chart is not drawn again. */
const none: ModelUsage['rehearsal_days'] = [];

function ByDay(props: ByDayProps) {
  if (hasTrend(props.days, ({ messages, credits }) => messages + credits)) return <Charts {...props} />;
  return <Hint>{texts.overview.charts.later}</Hint>;
}

/** A part of the credits: of an agent, a model or a token, or of everything that is stored without it. */
interface Part {
  key: string;
  name: ReactNode;
  credits: number;
  calls?: number;
  messages?: number;
  input_tokens?: number;
  output_tokens?: number;
  cost_usd?: number | null;
  /** The number of added rows that have no known cost. */
  unpriced?: number;
}

const figure = (count: number | undefined) => (count === undefined ? <Nothing /> : countText(count));
const c = t.modelColumns;
const columns = {
  calls: { label: c.calls, isFigure: true, render: ({ calls }) => figure(calls) },
  messages: { label: t.messages, isFigure: true, render: ({ messages }) => figure(messages) },
  input: { label: c.input, isFigure: true, render: ({ input_tokens }) => figure(input_tokens) },
  output: { label: c.output, isFigure: true, render: ({ output_tokens }) => figure(output_tokens) },
  cost: {
    label: c.cost,
    isFigure: true,
    render: ({ cost_usd, unpriced = 0 }) => (
      <>
        {cost_usd == null ? <Nothing /> : costText(cost_usd)}
        {unpriced > 0 && <Hint size="xs">{t.withoutPrice(unpriced)}</Hint>}
      </>
    ),
  },
  credits: { label: c.credits, isFigure: true, render: ({ credits }) => creditText(credits) },
} satisfies Record<string, Column<Part>>;
const named = (label: string): Column<Part> => ({ label, render: ({ name }) => name });

/** The usage of the period by agent, by API token and by model. Renders nothing of which there is none. */
function Parts({ usage: data, total }: { usage: ModelUsage; total: Total }) {
  const used = (key: keyof ModelUsage['other'], name: string): Part[] =>
    data.other[key] > 0 ? [{ key, name, credits: data.other[key] }] : [];
  const rehearsals = used('rehearsals', t.rehearsals);
  const others = [...rehearsals, ...used('erased', t.erasedData)];
  const agents = data.agents.map(({ id, name, ...part }) => ({
    key: id,
    name: <RowLink to={`/agents/${id}`}>{name}</RowLink>,
    ...part,
  }));
  const models = data.data.map(({ model, by_id, ...part }) => ({
    key: model,
    // As everywhere, with its provider, unless several models of Parley are this one of the provider.
    name: <span className="mono">{by_id.length === 1 ? by_id[0]?.id : model}</span>,
    ...part,
  }));
  const tokens = data.tokens.map(({ id, name, ...part }) => ({
    key: id,
    name: name ?? texts.requests.deletedToken,
    ...part,
  }));
  const rest = (part: keyof Total) =>
    Math.max(0, total[part] - tokens.reduce((sum, token) => sum + token[part], 0));
  const withoutToken = {
    key: 'none',
    name: t.withoutToken,
    messages: rest('messages'),
    credits: Math.max(0, rest('credits') - data.other.rehearsals),
  };
  const { calls, messages, input, output, cost, credits } = columns;
  // Without prices, no model has a cost.
  const costs = models.some(({ cost_usd }) => cost_usd !== null) ? [cost] : [];
  return (
    <>
      <Hint>{t.calls}</Hint>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Table title={t.byAgent} rows={[...agents, ...others]} columns={[named(c.agent), calls, credits]} />
        <Table
          title={t.byToken}
          rows={tokens.length === 0 ? [] : [...tokens, withoutToken, ...rehearsals]}
          columns={[named(c.token), messages, credits]}
        />
      </SimpleGrid>
      <Table
        title={t.byModel}
        rows={[...models, ...others]}
        columns={[named(c.model), calls, input, output, ...costs, credits]}
      />
    </>
  );
}

/** Adds up the rows, and their costs as far as they are known. */
function sumOf(rows: readonly Part[]): Part {
  const sum = (of: 'credits' | 'calls' | 'messages' | 'input_tokens' | 'output_tokens') =>
    rows.reduce((total, row) => total + (row[of] ?? 0), 0);
  return {
    key: 'total',
    name: t.total,
    credits: sum('credits'),
    calls: sum('calls'),
    messages: sum('messages'),
    input_tokens: sum('input_tokens'),
    output_tokens: sum('output_tokens'),
    ...costOf(rows),
  };
}

function Table(props: { title: string; rows: readonly Part[]; columns: readonly Column<Part>[] }) {
  const { title, rows, columns } = props;
  if (rows.length === 0) return null;
  return (
    <Section title={title}>
      <DataTable
        label={title}
        rows={rows.length === 1 ? rows : [...rows, sumOf(rows)]}
        columns={columns}
        rowKey={({ key }) => key}
        isTotal={({ key }) => key === 'total'}
      />
    </Section>
  );
}
