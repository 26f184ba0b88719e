/** Converts dates: an ISO date or date-time, a range `a/b`, or `{start, end, time_zone}`. */
import { isObject, shown, textAt } from '../json-value.ts';
import type { Converted } from './converted.ts';

const form = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

function isDate(text: string): boolean {
  if (!form.test(text)) return false;
  const [year, month, day] = text.slice(0, 10).split('-').map(Number);
  const date = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return (
    !Number.isNaN(Date.parse(text)) &&
    date.getUTCFullYear() === year &&
    date.getUTCMonth() + 1 === month &&
    date.getUTCDate() === day
  );
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export function readDate(value: unknown): Converted {
  const given = isObject(value) ? value : undefined;
  const [from, to, ...more] =
    typeof value === 'string'
      ? value.split('/').map((part) => part.trim().replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, '$1T'))
      : [];
  const start = given === undefined ? from : textAt(given, 'start');
  const end = given === undefined ? to : textAt(given, 'end');
  const timeZone = textAt(given, 'time_zone');
  const dates = [start, ...(end === undefined ? [] : [end])];
  if (more.length > 0 || dates.some((date) => date === undefined || !isDate(date))) {
    return {
      problem: `is ${shown(value)}; give an ISO date such as 2026-05-01, a date-time such as 2026-05-01T09:30:00+02:00, a range start/end, or {"start","end","time_zone"}`,
    };
  }
  if (start !== undefined && end !== undefined && Date.parse(end) < Date.parse(start))
    return { problem: `ends (${end}) before it starts (${start})` };
  if (timeZone !== undefined && !isTimeZone(timeZone))
    return {
      problem: `has the time zone ${shown(timeZone)}, which is not known; give an IANA name such as Europe/Berlin`,
    };
  return {
    value: {
      start,
      ...(end === undefined ? {} : { end }),
      ...(timeZone === undefined ? {} : { time_zone: timeZone }),
    },
  };
}
