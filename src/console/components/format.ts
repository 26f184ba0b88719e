/** Formats numbers and times. */
const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'always' });

/**
 * @param at ISO 8601, in the past
 * @returns for example `40 seconds ago`
 */
export function ago(at: string, now = Date.now()): string {
  const seconds = Math.max(1, Math.round((now - Date.parse(at)) / 1000));
  const [unit, length] = units.find(([, one]) => seconds >= one) ?? units[3];
  return relative.format(-Math.floor(seconds / length), unit);
}

/** 850 → `850 ms`, 2300 → `2.3 s`, 95000 → `1 min 35 s` */
export function duration(ms: number): string {
  if (ms < 1000) return `${String(Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${String(Math.floor(seconds / 60))} min ${String(seconds % 60)} s`;
}

const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 3 });
export function amount(value: number): string {
  return number.format(value);
}

/** Formats a limit. @returns null if there is no limit */
export function limitText(limit: number | null): string | null {
  return limit === null ? null : amount(limit);
}
