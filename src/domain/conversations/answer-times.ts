/** Splits the time of a run, from its first message to the end of its deliveries, into parts. Times are in epoch ms. */

/** The parts in order of precedence. If parts overlap, the shared time counts only for the one that is listed first. */
const precedence = ['tools', 'model', 'retries', 'delivery', 'grouping', 'queue', 'other'] as const;
type Part = (typeof precedence)[number];

interface TimedStep {
  /** When the model call ended; null if no call of the step succeeded. */
  at: number | null;
  /** Duration of the successful call; null if it was not recorded. */
  modelMs: number | null;
  failures: readonly { at: number; ms: number | null }[];
  calls: readonly { startedAt: number | null; finishedAt: number | null }[];
}

export interface TimedRun {
  openedAt: number;
  /** When the group's window ends. If an operator flushed the group, `claimedAt` may be earlier. */
  closesAt: number;
  claimedAt: number | null;
  finishedAt: number | null;
  steps: readonly TimedStep[];
  deliveries: readonly { from: number; to: number | null }[];
}

/**
 * Returns the milliseconds of each part that took any time, in no particular order. `other` is the time after the
 * claim that no other part explains, such as waiting for a free slot or fetching files.
 * @param now the end of everything that is still in progress (epoch ms)
 */
export function timesOf(run: TimedRun, now: number): { part: Part; ms: number }[] {
  const { openedAt, closesAt, claimedAt, finishedAt, steps, deliveries } = run;
  const claimed = claimedAt ?? finishedAt ?? now;
  const spans: [part: Part, from: number, to: number][] = [
    ['grouping', openedAt, Math.min(closesAt, claimed)],
    ['queue', Math.min(closesAt, claimed), claimed],
    ['other', claimed, finishedAt ?? now],
  ];
  let before = claimed;
  for (const { at, modelMs, failures, calls } of steps) {
    // A call without a recorded duration is assumed to have started at the end of the previous step or, in the first
    // step, when the run was claimed.
    const began = at === null ? null : modelMs === null ? before : at - modelMs;
    for (const [index, { at: failedAt, ms }] of failures.entries()) {
      const next = failures[index + 1];
      const until = next === undefined ? began : next.at - (next.ms ?? 0);
      spans.push(['retries', failedAt - (ms ?? 0), Math.max(failedAt, until ?? failedAt)]);
    }
    if (at !== null && began !== null) spans.push(['model', began, at]);
    for (const { startedAt, finishedAt: endedAt } of calls)
      if (startedAt !== null) spans.push(['tools', startedAt, endedAt ?? finishedAt ?? now]);
    before = Math.max(before, at ?? 0, ...calls.map((call) => call.finishedAt ?? 0));
  }
  for (const { from, to } of deliveries) spans.push(['delivery', from, to ?? now]);
  return sumsOf(spans.map(([part, from, to]) => [part, Math.max(from, openedAt), to]));
}

/**
 * Sums the milliseconds of each part. If parts overlap, the shared time counts only for the first of them in
 * `precedence`.
 */
function sumsOf(spans: readonly [part: Part, from: number, to: number][]): { part: Part; ms: number }[] {
  const edges = spans
    .filter(([, from, to]) => to > from)
    .flatMap(([part, from, to]) => [
      { at: from, part, by: 1 },
      { at: to, part, by: -1 },
    ])
    .sort((a, b) => a.at - b.at);
  const open = new Map<Part, number>();
  const sums = new Map<Part, number>();
  let last = edges[0]?.at ?? 0;
  for (const { at, part, by } of edges) {
    const counted = precedence.find((one) => (open.get(one) ?? 0) > 0);
    if (counted !== undefined) sums.set(counted, (sums.get(counted) ?? 0) + at - last);
    open.set(part, (open.get(part) ?? 0) + by);
    last = at;
  }
  return [...sums].map(([part, ms]) => ({ part, ms: Math.round(ms) })).filter(({ ms }) => ms > 0);
}
