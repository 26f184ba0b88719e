/** How soon all was well again: what was open when faults had ceased, and how long it took to its end. Pure. */
import type { FaultRecord, Observed } from './observed.ts';

export type RecoveryFigures = {
  /** Moments from which on nothing was broken for at least ten seconds. */
  moments: number;
  /** Runs, callbacks and replies that were open then. */
  open: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** From an input's acceptance to its answer, all faults included. */
  answerP50Ms: number;
  answerP99Ms: number;
};

const peaceMs = 10_000;

export function recoveryFigures(observed: Observed): RecoveryFigures {
  const spans = [
    ...observed.runs.map((run) => ({ from: run.closes_at, to: run.finished_at })),
    ...[...observed.deliveries, ...observed.replies].map((row) => ({
      from: row.created_at,
      to: row.finished_at,
    })),
  ].map(({ from, to }) => ({ from: from.getTime(), to: to?.getTime() ?? Infinity }));
  const moments = peacefulMoments(observed.faults.filter(({ skipped }) => skipped === undefined));
  const taken = moments.flatMap((moment) =>
    spans.filter(({ from, to }) => from <= moment && to > moment).map(({ to }) => to - moment),
  );
  const answers = answerTimes(observed);
  return {
    ...{ moments: moments.length, open: taken.length },
    ...{ p50Ms: share(taken, 0.5), p99Ms: share(taken, 0.99), maxMs: share(taken, 1) },
    ...{ answerP50Ms: share(answers, 0.5), answerP99Ms: share(answers, 0.99) },
  };
}

/** Ends of faults (epoch ms) after which nothing was broken for a while. */
function peacefulMoments(faults: readonly FaultRecord[]): number[] {
  return faults
    .map(({ backAt }) => backAt)
    .filter((moment) => !faults.some(({ at, backAt }) => at < moment + peaceMs && backAt > moment));
}

function answerTimes({ histories }: Observed): number[] {
  return [...histories.values()].flatMap((history) =>
    history.flatMap((answer) => {
      if (answer.role !== 'agent' || answer.pre_transfer === true || answer.followup === true) return [];
      return history
        .filter((one) => answer.in_reply_to.includes(one.id))
        .map((input) => Date.parse(answer.created_at) - Date.parse(input.created_at));
    }),
  );
}

function share(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0);
}
