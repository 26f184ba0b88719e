/** Adds up the outcomes of callbacks and alerts for each webhook endpoint, and for each URL that no endpoint covers. */
import { endpointOf } from './callback.ts';

interface LastOutcome {
  /** The delivery's id. The newest delivery has the largest one. */
  id: string;
  at: string;
  status: 'delivered' | 'failed' | 'blocked' | 'unknown';
  http_status: number | null;
  error: string | null;
}

/**
 * Outcomes of one day's callbacks and alerts to all URLs that differ only in query or fragment. `url` has neither.
 * `failed` includes unknown outcomes.
 */
export interface ReceiverDay {
  url: string;
  host: string;
  /** YYYY-MM-DD in UTC. */
  day: string;
  attempts: number;
  failed: number;
  blocked: number;
  /** How long each response took. */
  durations_ms: readonly number[];
  last: LastOutcome;
}

export interface Outcomes {
  attempts: number;
  failed: number;
  blocked: number;
  median_ms: number | null;
  last: Omit<LastOutcome, 'id'>;
  days: { day: string; attempts: number; delivered: number }[];
}

/**
 * @param days the days that the outcomes list, in their order
 * @returns `endpoints`: the outcomes of each endpoint that covers at least one of the URLs (see `endpointOf`). `others`:
 * those of each URL that none covers; URLs with a delivery that did not arrive come first, then the busiest.
 */
export function outcomesByReceiver(
  rows: readonly ReceiverDay[],
  endpoints: readonly { readonly id: string; readonly url: string }[],
  days: readonly string[],
): { endpoints: (Outcomes & { id: string })[]; others: (Outcomes & { url: string; host: string })[] } {
  const ofEndpoint = new Map<string, ReceiverDay[]>();
  const ofUrl = new Map<string, ReceiverDay[]>();
  for (const row of rows) {
    const id = endpointOf(row.url, endpoints)?.id;
    const [groups, key] = id === undefined ? [ofUrl, row.url] : [ofEndpoint, id];
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  const others = [...ofUrl].map(([url, group]) => ({
    url,
    host: group[0]?.host ?? '',
    ...summed(group, days),
  }));
  const hasFault = ({ failed, blocked }: Outcomes) => (failed + blocked > 0 ? 0 : 1);
  others.sort((one, other) => hasFault(one) - hasFault(other) || other.attempts - one.attempts);
  return { endpoints: [...ofEndpoint].map(([id, group]) => ({ id, ...summed(group, days) })), others };
}

/** @param rows at least one */
function summed(rows: readonly ReceiverDay[], days: readonly string[]): Outcomes {
  const sum = (part: (row: ReceiverDay) => number, of = rows) =>
    of.reduce((total, row) => total + part(row), 0);
  const newest = rows.map(({ last }) => last).reduce((one, other) => (other.id > one.id ? other : one));
  return {
    attempts: sum(({ attempts }) => attempts),
    failed: sum(({ failed }) => failed),
    blocked: sum(({ blocked }) => blocked),
    median_ms: median(rows.flatMap(({ durations_ms }) => durations_ms)),
    last: {
      at: newest.at,
      status: newest.status,
      http_status: newest.http_status,
      error: newest.error,
    },
    days: days.map((day) => {
      const ofDay = rows.filter((row) => row.day === day);
      return {
        day,
        attempts: sum(({ attempts }) => attempts, ofDay),
        delivered: sum(({ attempts, failed, blocked }) => attempts - failed - blocked, ofDay),
      };
    }),
  };
}

/** @returns the middle value, or the lower one of the two in the middle; null if there is none */
function median(values: readonly number[]): number | null {
  return values.toSorted((one, other) => one - other)[Math.ceil(values.length / 2) - 1] ?? null;
}
