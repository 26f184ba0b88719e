/** Charts by day. Screen readers cannot read a canvas, so a table with the same numbers follows each chart. */
import { Group, SimpleGrid, Table, Text, useComputedColorScheme } from '@mantine/core';
import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js';
import { useEffect, useRef } from 'react';
import type { Overview } from '../../../contract/data/overview.ts';
import type { ModelUsage, Usage } from '../../../contract/data/usage.ts';
import { costText, duration } from '../../components/format.ts';
import { locale } from '../../language.ts';
import { texts } from '../../messages.ts';
import { fontFamily } from '../../theme.ts';
import type { FigureName } from './figure-name.ts';
import { hasTrend } from './has-trend.ts';

Chart.register(
  BarController,
  BarElement,
  CategoryScale,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
);

Chart.defaults.font.family = fontFamily;

const t = texts.overview.charts;
interface Series<Day> {
  label: string;
  color: readonly [light: string, dark: string];
  value: (day: Day) => number | null;
  /** If the bars are stacked, those of one stack are; by default, all of a day. */
  stack?: string;
}

interface ChartOf<Day> {
  title: string;
  type: 'bar' | 'line';
  /** Stacks the bars of a day. */
  isStacked?: boolean;
  /** Number of decimals in the table. With 0, the axis shows no fractions either. */
  digits: number;
  /** Formats a value at the axis, at a point and in the table; by default, it is a number with `digits` decimals. */
  format?: (value: number) => string;
  /** True if the values are milliseconds: the lines of the axis are at whole numbers of a unit. */
  isTime?: boolean;
  series: readonly Series<Day>[];
}

const creditsByDay = {
  title: t.credits,
  type: 'bar',
  digits: 3,
  series: [{ label: t.credit, color: ['#7048e8', '#b197fc'], value: ({ credits }) => credits }],
} as const satisfies ChartOf<{ credits: number }>;

/** The charts of the overview, each below the figure that it shows by day. */
const charts: Readonly<Record<FigureName, ChartOf<Overview['days'][number]>>> = {
  received: {
    title: t.volume,
    type: 'bar',
    digits: 0,
    isStacked: true,
    series: [
      {
        label: t.received,
        color: ['#3b5bdb', '#91a7ff'],
        value: ({ received }) => received,
        stack: 'received',
      },
      { label: t.answered, color: ['#0ca678', '#63e6be'], value: ({ answered }) => answered },
      { label: t.failed, color: ['#e03131', '#ff8787'], value: ({ failed }) => failed },
    ],
  },
  median: {
    title: t.time,
    type: 'line',
    digits: 0,
    format: duration,
    isTime: true,
    series: [
      { label: t.median, color: ['#3b5bdb', '#91a7ff'], value: ({ median_ms }) => median_ms },
      { label: t.p95, color: ['#e8590c', '#ffa94d'], value: ({ p95_ms }) => p95_ms },
    ],
  },
  credits: creditsByDay,
};

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
/** Distances of the lines of a time axis: so that their values are whole numbers of a unit. */
const timeSteps = [
  ...[0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 20, 30].map((count) => count * minute),
  ...[1, 2, 4, 8, 12, 24, 72].map((count) => count * hour),
];
/** @returns the smallest distance with at most four lines up to the value, in milliseconds */
const timeStep = (ms: number): number => timeSteps.find((step) => ms / step <= 4) ?? Math.ceil(ms / 4);

/** The room for the name of a day, in pixels. */
const dayWidth = 64;

const dayName = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const nameOf = ({ day }: { day: string }) => dayName.format(new Date(`${day}T00:00:00Z`));

export function FigureChart({ of, days }: { of: FigureName; days: Overview['days'] }) {
  return <Drawn days={days} {...charts[of]} />;
}

const messagesByDay: ChartOf<Usage['days'][number]> = {
  title: texts.data.messagesByDay,
  type: 'bar',
  digits: 0,
  series: [{ label: t.received, color: ['#3b5bdb', '#91a7ff'], value: ({ messages }) => messages }],
};

const costByDay: ChartOf<ModelUsage['cost_days'][number]> = {
  title: texts.data.costByDay,
  type: 'bar',
  digits: 2,
  format: costText,
  series: [
    { label: texts.data.modelColumns.cost, color: ['#0ca678', '#63e6be'], value: ({ cost_usd }) => cost_usd },
  ],
};

interface CreditDay {
  day: string;
  credits: number;
  rehearsed: number;
}
const rehearsedByDay: ChartOf<CreditDay> = {
  ...creditsByDay,
  isStacked: true,
  series: [
    {
      ...creditsByDay.series[0],
      label: texts.data.withoutRehearsals,
      value: ({ credits, rehearsed }) => Math.max(0, credits - rehearsed),
    },
    { label: texts.data.rehearsals, color: ['#f08c00', '#ffc078'], value: ({ rehearsed }) => rehearsed },
  ],
};

/**
 * @param props.rehearsals the credits of rehearsals by day; the chart shows them apart
 * @param props.costs the known costs by day; with fewer than two, their chart is omitted
 */
export function UsageCharts(
  props: Pick<Usage, 'days'> & {
    rehearsals: ModelUsage['rehearsal_days'];
    costs: ModelUsage['cost_days'];
  },
) {
  const { days, rehearsals, costs } = props;
  const costOf = new Map(costs.map(({ day, cost_usd }) => [day, cost_usd]));
  const costDays = days.map(({ day }) => ({ day, cost_usd: costOf.get(day) ?? 0 }));
  const hasCosts = hasTrend(costDays, ({ cost_usd }) => cost_usd);
  const ofDay = new Map(rehearsals.map(({ day, credits }) => [day, credits]));
  const split = days.map((one) => ({ ...one, rehearsed: ofDay.get(one.day) ?? 0 }));
  return (
    <SimpleGrid cols={{ base: 1, md: 2, lg: hasCosts ? 3 : 2 }}>
      {hasCosts && <DayChart days={costDays} {...costByDay} />}
      <DayChart days={days} {...messagesByDay} />
      {split.some(({ rehearsed }) => rehearsed > 0) ? (
        <DayChart days={split} {...rehearsedByDay} />
      ) : (
        <DayChart days={days} {...creditsByDay} />
      )}
    </SimpleGrid>
  );
}

/** A panel with a chart under its title and its legend, so that charts side by side have one baseline. */
function DayChart<Day extends { day: string }>(props: ChartOf<Day> & { days: readonly Day[] }) {
  const { title } = props;
  return (
    <section className="panel chart" aria-label={title}>
      <Group justify="space-between" gap="4px 16px">
        <Text component="h3" fw={600} size="sm">
          {title}
        </Text>
        <Legend of={props} />
      </Group>
      <Drawn {...props} hasLegend={false} />
    </section>
  );
}

/** Names the series of a chart by their colours. Renders nothing for one series, which the title names. */
function Legend<Day>({ of: { series } }: { of: ChartOf<Day> }) {
  const isDark = useComputedColorScheme('light') === 'dark';
  if (series.length < 2) return null;
  return (
    <ul className="chart-legend">
      {series.map(({ label, color }) => (
        <li key={label}>
          <span style={{ background: color[isDark ? 1 : 0] }} />
          {label}
        </li>
      ))}
    </ul>
  );
}

/** A chart, and the table with its numbers. */
function Drawn<Day extends { day: string }>(
  props: ChartOf<Day> & {
    days: readonly Day[];
    /** False if the legend is elsewhere. */
    hasLegend?: boolean;
  },
) {
  const { title, type, isStacked = false, digits, format, isTime = false } = props;
  const { series, days, hasLegend = true } = props;
  const dark = useComputedColorScheme('light') === 'dark';
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current === null) return undefined;
    const ink = dark ? '#a6adbd' : '#495057';
    const grid = dark ? '#2c313d' : '#e9ecef';
    const chart = new Chart(canvas.current, {
      type,
      data: {
        labels: days.map(nameOf),
        datasets: series.map(({ label, color, value, stack }) => ({
          label,
          data: days.map(value),
          backgroundColor: color[dark ? 1 : 0],
          borderColor: color[dark ? 1 : 0],
          borderWidth: type === 'line' ? 2 : 0,
          borderRadius: 3,
          maxBarThickness: 18,
          ...(stack !== undefined && { stack }),
          pointRadius: 3,
          spanGaps: true,
        })),
      },
      options: {
        locale,
        animation: false,
        maintainAspectRatio: false,
        interaction: { mode: 'index', intersect: false },
        plugins: {
          ...(format !== undefined && {
            tooltip: {
              callbacks: {
                label: ({ dataset, parsed }) => `${dataset.label ?? ''}: ${format(parsed.y ?? 0)}`,
              },
            },
          }),
        },
        scales: {
          x: {
            stacked: isStacked,
            grid: { display: false },
            ticks: {
              color: ink,
              maxRotation: 0,
              autoSkip: false,
              // The last day always has its name, and as many before it as there is room for.
              callback(_, index) {
                const step = Math.ceil((days.length * dayWidth) / this.chart.width);
                return (days.length - 1 - index) % step === 0 ? this.getLabelForValue(index) : '';
              },
            },
          },
          y: {
            stacked: isStacked,
            beginAtZero: true,
            grid: { color: grid },
            border: { display: false },
            ticks: {
              color: ink,
              maxTicksLimit: 5,
              ...(digits === 0 && { precision: 0 }),
              ...(isTime && {
                stepSize: timeStep(
                  Math.max(...series.flatMap(({ value }) => days.map((day) => value(day) ?? 0))),
                ),
              }),
              ...(format !== undefined && {
                callback: (value) => (Number(value) === 0 ? '0' : format(Number(value))),
              }),
            },
          },
        },
      },
    });
    return () => chart.destroy();
  }, [days, dark, series, type, isStacked, digits, format, isTime]);
  return (
    <div className="chart-of-days">
      <div className="chart-canvas">
        <canvas ref={canvas} role="img" aria-label={title} />
      </div>
      {hasLegend && <Legend of={props} />}
      <details>
        <summary>{t.asTable}</summary>
        <Table
          data={{
            head: [t.day, ...series.map(({ label }) => label)],
            body: days.map((day) => [
              nameOf(day),
              ...series.map(({ value }) => {
                const figure = value(day);
                if (figure === null) return '–';
                const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
                return format?.(figure) ?? figure.toLocaleString(locale, decimals);
              }),
            ]),
          }}
        />
      </details>
    </div>
  );
}
