/** Reads the gateway's timestamps: milliseconds in most builds; seconds, numeric strings or ISO 8601 in others. */

const aDayMs = 24 * 60 * 60 * 1000;
/** A smaller number must be seconds: as milliseconds it would be a date before 1973. */
const minMs = 1e11;

/** @returns milliseconds since 1970; the receive time if the value is unreadable or more than a day in the future */
export function gatewayTimeMs(value: number | string | undefined, receivedAtMs: number): number {
  const read = readTime(value);
  return Number.isFinite(read) && read > 0 && read <= receivedAtMs + aDayMs ? Math.trunc(read) : receivedAtMs;
}

function readTime(value: number | string | undefined): number {
  if (value === undefined) return NaN;
  const numeric = typeof value === 'number' ? value : /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : NaN;
  if (Number.isFinite(numeric)) return numeric < minMs ? numeric * 1000 : numeric;
  return typeof value === 'string' ? Date.parse(value.trim().replace(/^(\d{4}-\d\d-\d\d) /, '$1T')) : NaN;
}
