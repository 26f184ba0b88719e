/** How often a timeline is asked for, and for how much of it. */
import type { Timeline, TimelineRun } from '../../../../contract/conversations/timeline.ts';
import { isUnderWay } from './is-under-way.ts';

/** A timeline as far as it is known: older runs stay while the newest are asked for again. */
export interface Shown extends Timeline {
  /** When all of it was read, and when it was last found changed; milliseconds since 1970. */
  readAt: number;
  changedAt: number;
}

const minMs = 400;
const maxMs = 5000;
const quietMs = 3000;
/** What is old is read again too, in case it was erased or answered anew elsewhere. */
const wholeMs = 60_000;
/** Runs before the first that changes: an answer that is made anew marks the one before it as replaced. */
const alsoRuns = 2;

/** @returns the ordinal from which on runs may have changed; undefined when all are to be read */
export function sinceOf({ runs, readAt }: Shown, now: number): number | undefined {
  const from = runs.find(isChanging) ?? runs.at(-1);
  return from === undefined || now - readAt > wholeMs ? undefined : Math.max(0, from.ordinal - alsoRuns);
}

/** @param before what was known, if `page` is only what came since */
export function merged(
  before: Shown | undefined,
  page: Timeline,
  since: number | undefined,
  now: number,
): Shown {
  if (before === undefined || since === undefined) return { ...page, readAt: now, changedAt: now };
  const known = before.runs.filter(({ ordinal }) => ordinal < since);
  // More came than one page holds: the page alone has no gap.
  const first = page.runs[0]?.ordinal ?? since;
  if (page.older && first > since) return { ...page, readAt: now, changedAt: now };
  const runs = [...known, ...page.runs];
  const isSame = JSON.stringify(page.runs) === JSON.stringify(before.runs.slice(known.length));
  return {
    ...page,
    ...{ runs, older: before.older, readAt: before.readAt },
    changedAt: isSame ? before.changedAt : now,
  };
}

/** Quickly while something happens, and the longer nothing has changed the more slowly: a reply may wait for hours. */
export function askedAgainAfter(shown: Shown | undefined, now: number): number {
  if (shown?.runs.some(isChanging) !== true) return quietMs;
  return Math.min(maxMs, Math.max(minMs, (now - shown.changedAt) / 5));
}

function isChanging(run: TimelineRun): boolean {
  return (
    isUnderWay(run) || run.deliveries.some(({ status }) => status === 'pending' || status === 'attempting')
  );
}
