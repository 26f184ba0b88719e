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
