/** Columns of tables that count the callbacks and alerts to a receiver by outcome. */
import { Text } from '@mantine/core';
import type { Column } from '../../components/table.tsx';
import { countText } from '../../components/format.ts';
import { locale } from '../../language.ts';
import { texts } from '../../messages.ts';

interface Counts {
  attempts: number;
  failed: number;
  blocked: number;
}

const t = texts.deliveries.counts;
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });

/** Formats the share of delivered callbacks and alerts in percent. `failed` includes unknown outcomes. */
export const deliveredShare = ({ attempts, failed, blocked }: Counts): string =>
  percent.format((attempts - failed - blocked) / attempts);

const problems = (count: number) =>
  count === 0 ? (
    countText(count)
  ) : (
    <Text span inherit c="var(--mantine-color-error)">
      {countText(count)}
    </Text>
  );

export const countColumns = {
  attempts: { label: t.attempts, isFigure: true, render: ({ attempts }) => countText(attempts) },
  delivered: { label: t.delivered, isFigure: true, render: deliveredShare },
  failed: { label: t.failed, isFigure: true, render: ({ failed }) => problems(failed) },
  blocked: { label: t.blocked, isFigure: true, render: ({ blocked }) => problems(blocked) },
} satisfies Record<string, Column<Counts>>;

/** @returns the path of the page that lists the deliveries to a host */
export const deliveriesOf = (host: string): string => `/deliveries?host=${encodeURIComponent(host)}`;
