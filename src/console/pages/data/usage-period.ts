/** The periods of the usage page, and the earlier days with which each is compared. Days are in UTC. */
export const periods = ['month', 'last_month', 'days'] as const;
export type Period = (typeof periods)[number];

/** First and last day as YYYY-MM-DD, both included. */
export interface Days {
  from: string;
  to: string;
}

/** Days of a period, and as many earlier days as can be compared with them. */
export interface Compared extends Days {
  before: Days;
}

const dayCount = 30;
const dayMs = 24 * 60 * 60 * 1000;
const textOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/**
 * @returns `month`: this month until today, and the month before until the same day, or until its end if it is shorter.
 * `last_month`: the whole month, and the whole month before it. `days`: the last 30 days, and the 30 days before them.
 */
export function daysOf(period: Period, now: Date): Compared {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const at = (...date: [month: number, day: number]) => Date.UTC(year, ...date);
  const between = (from: number, to: number): Days => ({ from: textOf(from), to: textOf(to) });
  if (period === 'days') {
    const first = at(month, day - dayCount + 1);
    return {
      ...between(first, at(month, day)),
      before: between(first - dayCount * dayMs, first - dayMs),
    };
  }
  if (period === 'last_month')
    return {
      ...between(at(month - 1, 1), at(month, 0)),
      before: between(at(month - 2, 1), at(month - 1, 0)),
    };
  return {
    ...between(at(month, 1), at(month, day)),
    before: between(at(month - 1, 1), Math.min(at(month - 1, day), at(month, 0))),
  };
}

/** @returns the number of days from `from` to today, both included */
export const daysSince = (from: string, now: Date): number =>
  Math.floor((now.getTime() - Date.parse(from)) / dayMs) + 1;

export const isWithin = (day: string, { from, to }: Days): boolean => from <= day && day <= to;
