const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;
const format = new Intl.RelativeTimeFormat(undefined, { numeric: 'always' });

/**
 * @param at ISO 8601, in the past
 * @returns for example `40 seconds ago`
 */
export function ago(at: string, now = Date.now()): string {
  const seconds = Math.max(1, Math.round((now - Date.parse(at)) / 1000));
  const [unit, length] = units.find(([, one]) => seconds >= one) ?? units[3];
  return format.format(-Math.floor(seconds / length), unit);
}
