/** Finds the faults that can have hurt a process that was sending, and when. Pure. */
import type { FaultRecord } from './observed.ts';
import type { FaultKind } from './plan-faults.ts';

type Span = { from: number; to: number };

/**
 * Faults that can make a send's outcome unknown: the sender ends, is paused, or cannot reach the rows. Temporal's state
 * and a clean restart cannot.
 */
const hurting: ReadonlySet<FaultKind> = new Set([
  ...(['workerKill', 'workerPause', 'workerStall', 'postgresKill', 'backendKill', 'poolExhausted'] as const),
  ...(['postgresCut', 'postgresFreeze', 'connectionReset'] as const),
]);
/** Faults that can delay a sender by seconds, so that it must not send, or has too little time left. */
const slowing: ReadonlySet<FaultKind> = new Set([
  ...([
    'workerPause',
    'workerStall',
    'postgresKill',
    'postgresLatency',
    'postgresCut',
    'postgresFreeze',
  ] as const),
  'poolExhausted',
]);
/** Connections are made again within this time. */
const reconnectMs = 1000;

/** @returns true if the outcome of a send in this span can be lost to a fault */
export function hurtSender(faults: readonly FaultRecord[], span: Span): boolean {
  return faults.some((fault) => hurting.has(fault.kind) && meets(fault, span));
}

/** @returns true if a send in this span can have been late because of a fault */
export function slowedSender(faults: readonly FaultRecord[], span: Span): boolean {
  return faults.some((fault) => slowing.has(fault.kind) && meets(fault, span));
}

function meets({ kind, at, backAt, line }: FaultRecord, { from, to }: Span): boolean {
  if (line === 'temporalLine') return false;
  // A killed process sends nothing afterwards: only the send in progress is hurt.
  const end = kind === 'workerKill' ? at : backAt;
  return at <= to && end + reconnectMs >= from;
}
