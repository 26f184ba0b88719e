/** Decides how often a timeline is polled, and which part of it. */
import type { Timeline, TimelineRun } from '../../../../contract/conversations/timeline.ts';

/** The part of a timeline that is shown. Polls read only the newest runs; the older ones stay. */
export interface Shown extends Timeline {
  /** When the whole timeline was read, and when it last changed; milliseconds since 1970. */
  readAt: number;
  changedAt: number;
}

const minMs = 400;
const maxMs = 5000;
const quietMs = 3000;
/** After this time a poll reads the whole timeline, because older runs may be erased or replaced elsewhere. Chosen. */
const wholeMs = 60_000;
/** Number of runs read before the first one that may change: a regenerated answer marks an earlier one as replaced. */
const alsoRuns = 2;

/** Returns the ordinal of the first run that a poll reads; undefined if it reads all. */
export function sinceOf({ runs, readAt }: Shown, now: number): number | undefined {
  const from = runs.find(isChanging) ?? runs.at(-1);
  return from === undefined || now - readAt > wholeMs ? undefined : Math.max(0, from.ordinal - alsoRuns);
}

/**
 * Puts the known older runs before a page, unless runs between them are missing.
 * @param page the newest runs: those from `since` on, or as many as fit on one page
 */
export function merged(
  before: Shown | undefined,
  page: Timeline,
  since: number | undefined,
  now: number,
): Shown {
  const alone = { ...page, readAt: now, changedAt: now };
  if (before === undefined || (since === undefined && !page.older)) return alone;
  const first = page.runs[0]?.ordinal ?? since ?? 0;
  const meets = since === undefined ? before.runs.some(({ ordinal }) => ordinal === first) : first <= since;
  if (page.older && !meets) return alone;
  const known = before.runs.filter(({ ordinal }) => ordinal < (since ?? first));
  const runs = [...known, ...page.runs];
  const isSame = JSON.stringify(page.runs) === JSON.stringify(before.runs.slice(known.length));
  return {
    ...page,
    runs,
    older: before.older,
    readAt: since === undefined ? now : before.readAt,
    changedAt: isSame ? before.changedAt : now,
  };
}

/**
 * Returns the milliseconds until the next poll. While a run or a delivery is in progress, the interval grows with the
 * time since the last change, because a reply may wait for hours. Otherwise it is constant.
 */
export function askedAgainAfter(shown: Shown | undefined, now: number): number {
  if (shown?.runs.some(isChanging) !== true) return quietMs;
  return Math.min(maxMs, Math.max(minMs, (now - shown.changedAt) / 5));
}

function isChanging(run: TimelineRun): boolean {
  return (
    isInProgress(run) || run.deliveries.some(({ status }) => status === 'pending' || status === 'attempting')
  );
}

/** True if the run has not ended. */
export function isInProgress({ state }: Pick<TimelineRun, 'state'>): boolean {
  return state === 'collecting' || state === 'ready' || state === 'running';
}
