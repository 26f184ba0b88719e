/** Each kill met something in flight: otherwise it has proven nothing. Pure. */
import type { FaultRecord } from './observed.ts';
import type { FaultKind } from './plan-faults.ts';

type InFlight = Pick<FaultRecord, 'inFlight' | 'sendsInFlight' | 'callsInFlight'>;

const outgoing = ({ inFlight, sendsInFlight }: InFlight): number => inFlight + sendsInFlight;
const incoming = ({ callsInFlight }: InFlight): number => callsInFlight;
const both = (held: InFlight): number => outgoing(held) + incoming(held);
/** The work of each process; other faults are no kill or pause. */
const worksAt: Partial<Record<FaultKind, (held: InFlight) => number>> = {
  ...{ workerKill: outgoing, workerPause: outgoing, workerStall: outgoing },
  ...{ apiKill: incoming },
  ...{ temporalKill: both, postgresKill: both },
};

/** @returns how much of what the process works at was in flight; undefined for a fault that is no kill or pause */
export const metBy = (kind: FaultKind, held: InFlight): number | undefined => worksAt[kind]?.(held);

export function checkKills(faults: readonly FaultRecord[], breach: (what: string) => void): void {
  for (const fault of faults.filter(({ skipped }) => skipped === undefined))
    if (metBy(fault.kind, fault) === 0)
      breach(`I9 ${fault.kind} at ${new Date(fault.at).toISOString()} met nothing in flight`);
}
