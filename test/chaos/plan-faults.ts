/** The faults, decided before the run from the seed alone: what happens when, and how often. */
import { randomOf } from './random.ts';

export const faultKinds = [
  ...['workerKill', 'apiKill', 'temporalKill', 'postgresKill', 'backendKill', 'poolExhausted'],
  ...['workerPause', 'postgresLatency', 'temporalLatency', 'postgresCut', 'temporalCut'],
  ...['postgresFreeze', 'connectionReset', 'clockJump', 'workerStall', 'listenCut'],
  ...['workflowReset', 'workflowTerminate', 'activityReset', 'rollingRestart'],
] as const;
export type FaultKind = (typeof faultKinds)[number];

export type PlannedFault = { atMs: number; kind: FaultKind; which: number; forMs: number };

/** Those of the short form on any day: they are over at once. */
const quickKinds: readonly FaultKind[] = [
  ...(['workerKill', 'apiKill', 'temporalKill', 'postgresKill', 'backendKill', 'connectionReset'] as const),
  ...(['workflowReset', 'workflowTerminate', 'activityReset'] as const),
];
/** Left out of the short form, which has too few warm conversations for them. */
export const warmKinds: readonly FaultKind[] = ['listenCut'];
const slowKinds = faultKinds.filter((kind) => !quickKinds.includes(kind) && !warmKinds.includes(kind));
const slowADay = 2;

/**
 * @param day days since some day
 * @returns the kinds of the short form on it: in any seven days each kind but `warmKinds` has its turn
 */
export function faultsOfDay(day: number): FaultKind[] {
  const slow = Array.from({ length: slowADay }, (_, n) => slowKinds[(day * slowADay + n) % slowKinds.length]);
  return faultKinds.filter((kind) => quickKinds.includes(kind) || slow.includes(kind));
}

/** How often in ten minutes, and for how long (ms). Of every kind at least one, however short the run. */
const doses: Record<FaultKind, { times: number; forMs: [number, number] }> = {
  workerKill: { times: 110, forMs: [0, 0] },
  apiKill: { times: 52, forMs: [0, 0] },
  temporalKill: { times: 10, forMs: [0, 500] },
  postgresKill: { times: 10, forMs: [0, 500] },
  backendKill: { times: 52, forMs: [0, 0] },
  poolExhausted: { times: 4, forMs: [6000, 10_000] },
  // Longer than the heartbeat limits of all activities.
  workerPause: { times: 20, forMs: [17_000, 19_000] },
  // Longer than the time after which a worker counts as lost, shorter than the heartbeat limits.
  workerStall: { times: 20, forMs: [4500, 5500] },
  listenCut: { times: 30, forMs: [0, 0] },
  postgresLatency: { times: 5, forMs: [8000, 12_000] },
  temporalLatency: { times: 5, forMs: [8000, 12_000] },
  postgresCut: { times: 4, forMs: [3000, 10_000] },
  temporalCut: { times: 4, forMs: [3000, 10_000] },
  postgresFreeze: { times: 3, forMs: [3000, 6000] },
  connectionReset: { times: 20, forMs: [0, 0] },
  clockJump: { times: 6, forMs: [6000, 12_000] },
  workflowReset: { times: 22, forMs: [0, 0] },
  workflowTerminate: { times: 22, forMs: [0, 0] },
  activityReset: { times: 22, forMs: [0, 0] },
  rollingRestart: { times: 2, forMs: [0, 0] },
};

/** Milliseconds of a round, whose end (`peacefulShare`) has no faults: there the recovery is measured. */
export const roundMs = 60_000;
const peacefulShare = 0.35;

export type FaultOptions = { seed: number; durationMs: number; only?: readonly FaultKind[]; dose?: number };

export function planFaults({ seed, durationMs, only = faultKinds, dose = 1 }: FaultOptions): PlannedFault[] {
  const planned: PlannedFault[] = [];
  for (const kind of faultKinds) {
    const random = randomOf(seed, kind);
    const { times, forMs } = doses[kind];
    const count = Math.max(1, Math.round((times * dose * durationMs) / 600_000));
    if (!only.includes(kind)) continue;
    for (let index = 0; index < count; index++) {
      const lasts = Math.round(random.between(...forMs));
      // Spread evenly, each at a random place of its share.
      const place = (index + random.next()) / count;
      planned.push({
        atMs: 2000 + outsidePeace(place * (durationMs - 2000), durationMs, lasts),
        kind,
        which: random.whole(0, 1_000_000),
        forMs: lasts,
      });
    }
  }
  return planned.sort((a, b) => a.atMs - b.atMs);
}

/** Moves a time into the part of its round that has faults, so early that the fault is over at that part's end. */
function outsidePeace(atMs: number, durationMs: number, lasts: number): number {
  const length = Math.min(roundMs, durationMs);
  const start = Math.floor(atMs / length) * length;
  const end = Math.max(1, length * (1 - peacefulShare) - lasts);
  return Math.round(start + ((atMs - start) / length) * end);
}
