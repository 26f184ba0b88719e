/** The tab of the usage in a chosen period: figures compared with the time before, by day, agent, model and API token. */
import { SegmentedControl, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import type { ModelUsage, Usage } from '../../../contract/data/usage.ts';
import { amount, changeText, costText, countText, roundCredits } from '../../components/format.ts';
import { Heading, Tile } from '../../components/page.tsx';
import { useRead } from '../../components/queries.ts';
import { Loaded } from '../../components/states.tsx';
import { Hint, Nothing, TextLink } from '../../components/text.tsx';
import { locale } from '../../language.ts';
import { lazily } from '../../lazily.tsx';
import { texts } from '../../messages.ts';
import { useMayOpen } from '../../shell/may-open.ts';
import { hasTrend } from './has-trend.ts';
import { inBytes, Named, OfLimit } from './of-limit.tsx';
import { costOfUsage } from './usage-cost.ts';
import { UsageParts, type Total } from './usage-parts.tsx';
import {
  daysOf,
  daysSince,
  isWithin,
  periods,
  type Compared,
  type Days,
  type Period,
} from './usage-period.ts';

const t = texts.data;
const c = t.modelColumns;
interface ByDayProps extends Pick<Usage, 'days'> {
  rehearsals: ModelUsage['rehearsal_days'];
  costs: ModelUsage['cost_days'];
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
  const parts = useModelUsage(days);
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
            <Figures usage={loaded} parts={parts.data} period={period} days={days} />
            <ByDay
              days={loaded.days.filter(({ day }) => isWithin(day, days))}
              rehearsals={parts.data?.rehearsal_days ?? none}
              costs={parts.data?.cost_days ?? none}
            />
          </>
        )}
      </Loaded>
      {usage.data !== undefined && parts.data !== undefined && (
        <UsageParts usage={parts.data} total={totalOf(usage.data, days)} />
      )}
    </Stack>
  );
}

const useModelUsage = ({ from, to }: Days) =>
  useRead<ModelUsage>(['model-usage', from, to], '/model-usage', {
    query: { from, to },
    placeholderData: keepPreviousData,
  });

const dateRange = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const periodName = (period: Period, { from, to }: Compared) =>
  `${t.periods[period]}: ${dateRange.formatRange(new Date(from), new Date(to))} (UTC)`;

/** Adds up the usage of the days that are within the range. */
function totalOf({ days }: Usage, range: { from: string; to: string }): Total {
  const sum = (part: keyof Total) =>
    days.reduce((total, one) => total + (isWithin(one.day, range) ? one[part] : 0), 0);
  return { messages: sum('messages'), credits: sum('credits') };
}

function Figures(props: { usage: Usage; parts: ModelUsage | undefined; period: Period; days: Compared }) {
  const { usage, period, days } = props;
  const { organization, storage } = usage;
  const [used, before] = [totalOf(usage, days), totalOf(usage, days.before)];
  const figure = (part: keyof Total) => ({
    used: used[part],
    compared: compared(used[part], before[part], days.before),
  });
  const [credits, messages] = [figure('credits'), figure('messages')];
  // A limit is one of this month.
  const limitOf = (limit: number | null) => (period === 'month' ? limit : undefined);
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing={{ base: 'xs', sm: 'md' }} className="usage-figures">
      <Cost of={props.parts} before={days.before} />
      <Used name={t.messages} {...messages} limit={limitOf(organization.message_limit)} format={countText} />
      <Used
        name={t.credits}
        {...credits}
        limit={limitOf(organization.limit)}
        format={amount}
        headline={roundCredits}
        info={t.creditMeaning}
      />
      <OfLimit name={t.storageNow} used={storage.used_bytes} limit={storage.limit_bytes} format={inBytes} />
    </SimpleGrid>
  );
}

/**
 * Shows what the model calls of the period cost in US dollars, compared with the days before. Links to the prices if a
 * model has none.
 */
function Cost({ of: parts, before }: { of: ModelUsage | undefined; before: Days }) {
  const mayOpen = useMayOpen();
  const earlier = useModelUsage(before).data;
  const earlierCost = (earlier && costOfUsage(earlier).cost_usd) ?? 0;
  if (parts === undefined) return <Tile label={c.cost} figure={<Nothing />} children={null} />;
  const { cost_usd, unpriced } = costOfUsage(parts);
  const note = t.withoutPrice(unpriced.length);
  return (
    <Tile label={c.cost} figure={cost_usd === null ? <Nothing /> : costText(cost_usd)}>
      {unpriced.length > 0 && (
        <Text size="xs">{mayOpen('/models') ? <TextLink to="/models">{note}</TextLink> : note}</Text>
      )}
      {cost_usd !== null && earlierCost > 0 && (
        <Hint size="xs">{compared(cost_usd, earlierCost, before)}</Hint>
      )}
      <Hint size="xs">{t.costHelp}</Hint>
    </Tile>
  );
}

/** Compares a figure with that of the days before, for example `+12% vs Oct 1 – 12`. */
function compared(used: number, before: number, { from, to }: Days): string {
  const change = changeText(before, used);
  const days = dateRange.formatRange(new Date(from), new Date(to));
  return change === null ? t.nothingBefore(days) : t.compared(change, days);
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
  info?: string;
}) {
  const { name, info, used, limit, format, headline = format } = props;
  const note = <Hint size="xs">{props.compared}</Hint>;
  if (limit == null)
    return (
      <Tile label={<Named {...{ name, info }} />} figure={headline(used)}>
        {note}
      </Tile>
    );
  return (
    <OfLimit name={name} info={info} used={used} limit={limit} format={format}>
      {note}
    </OfLimit>
  );
}

/** One array for all renders, so that a chart is not drawn again. */
const none: never[] = [];

function ByDay(props: ByDayProps) {
  if (hasTrend(props.days, ({ messages, credits }) => messages + credits)) return <Charts {...props} />;
  return <Hint>{texts.overview.charts.later}</Hint>;
}
