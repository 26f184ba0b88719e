/** Formats numbers, times and JSON. */
import { locale } from '../language.ts';

/** Formats a count of at most 100, which means "100 or more". */
export const cappedCount = (count: number): string => (count < 100 ? String(count) : '99+');

/** Begins a text with a capital letter, for example a state or an error of another system. */
export const sentenceCase = (text: string): string =>
  text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });

/**
 * Formats how long ago a time was, in whole days or, below one day, in whole hours, minutes or seconds, for example
 * `40 seconds ago`.
 * @param at ISO 8601
 */
export function ago(at: string, now = Date.now()): string {
  const seconds = Math.max(1, Math.round((now - Date.parse(at)) / 1000));
  const [unit, length] = units.find(([, one]) => seconds >= one) ?? units[3];
  return relative.format(-Math.floor(seconds / length), unit);
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const brief = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'narrow' });
// `auto` would show 1 day as `yesterday` or `tomorrow`. This could be wrong: 47 hours also count as 1 day, but are
// usually two dates away.
const briefDays = new Intl.RelativeTimeFormat(locale, { numeric: 'always', style: 'narrow' });
const dayAndMonth = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' });
const wholeDate = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });

/**
 * Formats a past time briefly for lists: `now`, `5m ago`, `3h ago`, `2d ago`. From 7 days on, returns the date.
 * @param at ISO 8601
 */
export function briefly(at: string, now = Date.now()): string {
  const date = new Date(at);
  const ms = Math.max(0, now - date.getTime());
  if (ms < minuteMs) return brief.format(0, 'second');
  if (ms < 60 * minuteMs) return brief.format(-Math.floor(ms / minuteMs), 'minute');
  if (ms < dayMs) return brief.format(-Math.floor(ms / (60 * minuteMs)), 'hour');
  if (ms < 7 * dayMs) return briefDays.format(-Math.floor(ms / dayMs), 'day');
  return dateText(at, now);
}

const inUnits = (
  [
    ['day', 24 * 60 * minuteMs],
    ['hour', 60 * minuteMs],
    ['minute', minuteMs],
  ] as const
).map(([unit, ms]) => ({
  ms,
  format: new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }),
}));

/**
 * Formats the time since a past time, in whole days, hours or minutes, at least one minute: `2 days`, `3 hr`, `12 min`.
 * @param at ISO 8601
 */
export function lasted(at: string, now = Date.now()): string {
  const ms = Math.max(minuteMs, now - Date.parse(at));
  const found = inUnits.find((unit) => ms >= unit.ms);
  return found === undefined ? '' : found.format.format(Math.floor(ms / found.ms));
}

/** Formats the date of a time, without the current year: `Oct 21`, `Oct 21, 2024`. @param at ISO 8601 */
export function dateText(at: string, now = Date.now()): string {
  const date = new Date(at);
  return (date.getFullYear() === new Date(now).getFullYear() ? dayAndMonth : wholeDate).format(date);
}

/**
 * Formats the time until a future time briefly: `in 40s`, `in 5m`, `in 3h`, `in 2d`; `now` if it has passed.
 * @param at ISO 8601
 */
export function left(at: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((Date.parse(at) - now) / 1000));
  const [unit, length] = units.find(([, one]) => seconds >= one) ?? units[3];
  return (unit === 'day' ? briefDays : brief).format(Math.floor(seconds / length), unit);
}

const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' });
/** Formats a time with its whole date, seconds and time zone, for what a relative time shows on hover. @param at ISO 8601 */
export const exactTime = (at: string): string => exact.format(new Date(at));

const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', month: 'long', day: 'numeric' });
const fullDate = new Intl.DateTimeFormat(locale, { dateStyle: 'full' });
const nearDays = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

/**
 * Names the day of a time, in the user's time zone: `today`, `yesterday`, or the date.
 * @param at ISO 8601
 */
export function dayOf(at: string, now = new Date()): string {
  const date = new Date(at);
  const midnight = (day: Date) => new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime();
  const days = Math.round((midnight(now) - midnight(date)) / dayMs);
  if (days === 0 || days === 1) return nearDays.format(-days, 'day');
  return (date.getFullYear() === now.getFullYear() ? weekday : fullDate).format(date);
}

const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Formats milliseconds: 850 as `850 ms`, 2300 as `2.3 s`, 95000 as `1 min 35 s`, 5400000 as `1 h 30 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${String(Math.round(ms))} ms`;
  if (ms < 59_950) return `${tenths.format(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${String(minutes)} min ${String(seconds % 60)} s`;
  return `${String(Math.floor(minutes / 60))} h ${String(minutes % 60)} min`;
}

const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
/** Formats a whole number, for example 12000 as `12,000`. */
export function countText(count: number): string {
  return whole.format(count);
}

const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
/** Formats a part of 1, for example 0.125 as `12.5%`. */
export const percentText = (part: number): string => percent.format(part);

const changedPercent = new Intl.NumberFormat(locale, { style: 'percent', signDisplay: 'exceptZero' });
/** Formats a change of an amount, for example from 2 to 1.5 as `−25%`. @returns null if the amount was 0 */
export const changeText = (before: number, after: number): string | null =>
  before === 0 ? null : changedPercent.format((after - before) / before).replace('-', '−');

/**
 * Describes a change of an amount, rounded to whole percents.
 * @param words the texts for less and more get the size of the change, for example `25%`
 * @returns null if the amount was 0
 */
export function changeWords(
  words: { same: string; less: (by: string) => string; more: (by: string) => string },
  before: number,
  after: number,
): string | null {
  if (before === 0) return null;
  const percents = Math.round((100 * (after - before)) / before);
  if (percents === 0) return words.same;
  return (percents < 0 ? words.less : words.more)(percentText(Math.abs(percents) / 100));
}

const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 });
export function amount(value: number): string {
  return number.format(value);
}

const sizes = (['byte', 'kilobyte', 'megabyte'] as const).map(
  (unit) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit,
      maximumFractionDigits: 1,
      unitDisplay: unit === 'byte' ? 'long' : 'short',
    }),
);
/** Formats a number of bytes: 812 as `812 bytes`, 20400 as `20.4 kB`, 12000000 as `12 MB`. */
export function fileSize(bytes: number): string {
  const thousands = bytes < 1000 ? 0 : bytes < 999_950 ? 1 : 2;
  return sizes[thousands]?.format(bytes / 1000 ** thousands) ?? '';
}

const thousandths = new Intl.NumberFormat(locale, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
/** Formats credits with three decimals, so that the digits of a column line up. */
export function creditText(credits: number): string {
  return thousandths.format(credits);
}

const headline = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
/**
 * Formats credits for a headline, with one decimal: three could be read as thousands in some languages. Less than 0.1 keeps
 * its first digits.
 */
export const roundCredits = (credits: number): string =>
  credits !== 0 && credits < 0.1 ? amount(credits) : headline.format(credits);

/** Formats US dollars, with up to six decimals for small amounts such as the price of few tokens. */
export function dollars(value: number): string {
  return value.toLocaleString(locale, { style: 'currency', currency: 'USD', maximumFractionDigits: 6 });
}

/** The decimals of a cost in US dollars: 2; for less than a cent, as many as show two of its digits, up to 6. */
const costDecimals = (cost: number): number =>
  cost <= 0 || cost >= 0.01 ? 2 : Math.min(6, 1 - Math.floor(Math.log10(cost)));

/**
 * Formats a cost in US dollars to the cent, or one of less than a cent with two digits, for example as `$0.0053`.
 * @param column the costs of its column, which have the same number of decimals
 */
export function costText(cost: number, column: readonly number[] = [cost]): string {
  const decimals = Math.max(...column.map(costDecimals));
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return cost.toLocaleString(locale, { style: 'currency', currency: 'USD', ...digits });
}

/** Names the receiver of a delivery: its URL, or for a reply on WhatsApp the contact's number or LID. @param url as the API has it */
export const receiverText = (url: string): string =>
  url.replace(/^whatsapp:(?=\d+$)/, 'WhatsApp +').replace(/^whatsapp:/, 'WhatsApp ');

/** Formats a limit as a number. @returns null if there is no limit */
export function limitText(limit: number | null): string | null {
  return limit === null ? null : amount(limit);
}

/** @returns the JSON with indentation; for a JSON string, its content; a text that is not JSON unchanged */
export function indented(json: string): string {
  try {
    const parsed: unknown = JSON.parse(json);
    return typeof parsed === 'string' ? parsed : JSON.stringify(parsed, null, 2);
  } catch {
    return json;
  }
}

/**
 * Formats a number with the decimals of the given precision, for example 189.9 as `189.90` for 0.01.
 * @returns undefined if the precision has no decimals, or if the number has more than it, because rounding would change it
 */
export function exactNumber(value: number, precision: number): string | undefined {
  const digits = /\.(\d+)$/.exec(String(precision))?.[1]?.length ?? 0;
  if (digits === 0 || Math.abs(value) >= 1e15 || Number(value.toFixed(digits)) !== value) return undefined;
  return new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
}
