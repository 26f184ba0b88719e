/** Reads the gateway's times: milliseconds in most builds, seconds, numeric strings or ISO in others. */

const aDayMs = 24 * 60 * 60 * 1000;
/** Below this a number is seconds: as milliseconds it would lie before 1973. */
const leastMs = 1e11;

/** @returns milliseconds since 1970; the receive time where the value is unreadable or over a day in the future. */
export function gatewayTimeMs(value: number | string | undefined, receivedAtMs: number): number {
  const read = readTime(value);
  return Number.isFinite(read) && read > 0 && read <= receivedAtMs + aDayMs ? Math.trunc(read) : receivedAtMs;
}

function readTime(value: number | string | undefined): number {
  if (value === undefined) return NaN;
  const numeric = typeof value === 'number' ? value : /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : NaN;
  if (Number.isFinite(numeric)) return numeric < leastMs ? numeric * 1000 : numeric;
  return typeof value === 'string' ? Date.parse(value.trim().replace(/^(\d{4}-\d\d-\d\d) /, '$1T')) : NaN;
}
