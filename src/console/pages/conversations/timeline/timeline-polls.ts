/** Decides when the console polls a timeline, and which entries each poll reads. */
import type {
  DeliveryView,
  Timeline,
  TimelineEntry,
  TimelineRun,
} from '../../../../contract/conversations/timeline.ts';

/** The loaded part of a timeline. A poll reads only the newest entries; older entries that are loaded stay. */
export interface Shown extends Timeline {
  /** Epoch milliseconds of the last poll that read a whole page of entries instead of only the newest. */
  readAt: number;
  /** Epoch milliseconds of the last poll whose entries differed from the loaded ones. */
  changedAt: number;
}

const minMs = 400;
const maxMs = 5000;
const quietMs = 3000;
/**
 * Milliseconds after which a poll reads a whole page again, because others may have erased or replaced older entries.
 * Chosen.
 */
const wholeMs = 60_000;
/**
 * Number of older entries that a poll reads in addition: those before the first entry with a run or delivery in
 * progress or, if there is none, before the last entry. They can change, because a regenerated answer marks an earlier
 * answer as replaced. Chosen.
 */
const alsoEntries = 2;

/** @returns the ordinal of the first entry that the next poll reads; undefined if the poll reads a whole page */
export function sinceOf({ entries, readAt }: Shown, now: number): number | undefined {
  const from = entries.find(isChanging) ?? entries.at(-1);
  return from === undefined || now - readAt > wholeMs ? undefined : Math.max(0, from.ordinal - alsoEntries);
}

/**
 * Joins a polled page and the loaded entries that are older. If entries between them are missing, returns the page
 * alone.
 * @param before the loaded entries; undefined for the first poll
 * @param page the newest entries: those from `since` on, or as many as fit on one page
 * @param now the time of the poll, in epoch milliseconds
 */
export function merged(
  before: Shown | undefined,
  page: Timeline,
  since: number | undefined,
  now: number,
): Shown {
  const alone = { ...page, readAt: now, changedAt: now };
  if (before === undefined || (since === undefined && !page.older)) return alone;
  const first = page.entries[0]?.ordinal ?? since ?? 0;
  const meets =
    since === undefined ? before.entries.some(({ ordinal }) => ordinal === first) : first <= since;
  if (page.older && !meets) return alone;
  const known = before.entries.filter(({ ordinal }) => ordinal < (since ?? first));
  const entries = [...known, ...page.entries];
  const isSame = JSON.stringify(page.entries) === JSON.stringify(before.entries.slice(known.length));
  return {
    ...page,
    entries,
    older: before.older,
    readAt: since === undefined ? now : before.readAt,
    changedAt: isSame ? before.changedAt : now,
  };
}

/**
 * Returns the milliseconds until the next poll. While a run or a delivery is in progress, the interval is a fifth of
 * the time since the last change, between `minMs` and `maxMs`, because a reply may wait for hours. Otherwise it is
 * `quietMs`.
 */
export function askedAgainAfter(shown: Shown | undefined, now: number): number {
  if (shown?.entries.some(isChanging) !== true) return quietMs;
  return Math.min(maxMs, Math.max(minMs, (now - shown.changedAt) / 5));
}

function isChanging(entry: TimelineEntry): boolean {
  return isInProgress(entry) || entry.deliveries.some(isDelivering);
}

/** True for a run that has not ended; false for messages without a run. */
export function isInProgress(entry: TimelineEntry): boolean {
  return entry.kind === 'run' && isUnfinished(entry);
}

/** True for a run with a tool call that waits for a person's decision. */
export function waitsForDecision(entry: TimelineEntry): boolean {
  return (
    entry.kind === 'run' &&
    entry.state === 'running' &&
    entry.steps.some(({ tools }) => tools.some(({ approval }) => approval?.status === 'waiting'))
  );
}

export function isUnfinished({ state }: Pick<TimelineRun, 'state'>): boolean {
  return state === 'collecting' || state === 'ready' || state === 'running';
}

/** True if the delivery has not ended. */
export function isDelivering({ status }: Pick<DeliveryView, 'status'>): boolean {
  return status === 'pending' || status === 'attempting';
}

/**
 * True if the timeline shows the answer to the message: either the message's run has ended, or an answer of the run
 * begins with the streamed `text`. A run whose state is still in progress can have its answer in the timeline, because
 * the server reads runs before messages.
 */
export function showsAnswer(entries: readonly TimelineEntry[], messageId: string, text: string): boolean {
  return entries.some(
    (entry) =>
      entry.messages.some(({ id }) => id === messageId) &&
      (!isInProgress(entry) ||
        entry.messages.some((message) => message.origin === 'agent' && message.text.startsWith(text))),
  );
}
