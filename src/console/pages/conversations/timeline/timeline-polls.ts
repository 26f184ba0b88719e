/** Decides how often a timeline is polled, and which part of it. */
import type { Timeline, TimelineRun } from '../../../../contract/conversations/timeline.ts';

/** The known part of a timeline: older runs stay while the newest are polled. */
export interface Shown extends Timeline {
  /** When the whole timeline was read, and when it last changed; milliseconds since 1970. */
  readAt: number;
  changedAt: number;
}

const minMs = 400;
const maxMs = 5000;
const quietMs = 3000;
/** Old runs are read again too, in case they were erased or regenerated elsewhere. */
const wholeMs = 60_000;
/** Also reads runs before the first that changes, because a regenerated answer marks the one before it as replaced. */
const alsoRuns = 2;

/** @returns the ordinal of the first run that may have changed; undefined if all must be read */
export function sinceOf({ runs, readAt }: Shown, now: number): number | undefined {
  const from = runs.find(isChanging) ?? runs.at(-1);
  return from === undefined || now - readAt > wholeMs ? undefined : Math.max(0, from.ordinal - alsoRuns);
}

/**
 * @param page the newest runs: those from `since` on, or as many as one page holds
 * @returns the page, and before it the known runs that it does not hold, unless runs between them are missing
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
 * Polls quickly while something happens, and more slowly the longer nothing has changed: a reply may wait for hours.
 * @returns milliseconds
 */
export function askedAgainAfter(shown: Shown | undefined, now: number): number {
  if (shown?.runs.some(isChanging) !== true) return quietMs;
  return Math.min(maxMs, Math.max(minMs, (now - shown.changedAt) / 5));
}

function isChanging(run: TimelineRun): boolean {
  return (
    isUnderWay(run) || run.deliveries.some(({ status }) => status === 'pending' || status === 'attempting')
  );
}

/** Whether the run has not ended yet. */
export function isUnderWay({ state }: Pick<TimelineRun, 'state'>): boolean {
  return state === 'collecting' || state === 'ready' || state === 'running';
}
