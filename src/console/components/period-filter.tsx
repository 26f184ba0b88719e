/** The period of a log: a choice of the last days, or two days that the user enters. */
import { Select } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../messages.ts';
import { DayFilter, useFilterValues } from './filters.tsx';

const t = texts.common.period;

/** @returns the day `ago` days before today in the user's time zone, for example `2026-11-30` */
function dayBefore(ago: number): string {
  const date = new Date();
  date.setDate(date.getDate() - ago);
  const part = (value: number) => String(value).padStart(2, '0');
  return `${String(date.getFullYear())}-${part(date.getMonth() + 1)}-${part(date.getDate())}`;
}

/**
 * Sets the filters `from` and `to`, which are days in the page's URL. A period of the last days has no `to`, so that it
 * includes what is added later. Shows two date fields for any other period, and after the choice of one's own days.
 * @param props.all text of the choice without a period; by default, "Any time"
 * @param props.lengths numbers of days to choose from, including today
 */
export function PeriodFilter({ all = t.any, lengths = [1, 7, 30] }: { all?: string; lengths?: number[] }) {
  const [given, change] = useFilterValues();
  const [wantsDays, setWantsDays] = useState(false);
  const [from, to] = [given.get('from'), given.get('to')];
  const length = to === null ? lengths.find((days) => from === dayBefore(days - 1)) : undefined;
  const isCustom = wantsDays || ((from !== null || to !== null) && length === undefined);
  const choices = [
    { value: 'any', label: all },
    ...lengths.map((days) => ({ value: String(days), label: days === 1 ? t.today : t.lastDays(days) })),
    { value: 'custom', label: t.custom },
  ];
  return (
    <>
      <Select
        label={t.label}
        placeholder={all}
        data={choices}
        value={isCustom ? 'custom' : length === undefined ? null : String(length)}
        onChange={(chosen) => {
          setWantsDays(chosen === 'custom');
          if (chosen === 'any') change({ from: undefined, to: undefined });
          else if (chosen !== null && chosen !== 'custom')
            change({ from: dayBefore(Number(chosen) - 1), to: undefined });
        }}
        w={{ base: '100%', xs: 150 }}
      />
      {isCustom && (
        <>
          <DayFilter name="from" label={t.from} />
          <DayFilter name="to" label={t.to} />
        </>
      )}
    </>
  );
}
