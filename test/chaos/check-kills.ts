/** Each kill met something in flight: otherwise it has proven nothing. Pure. */
import type { FaultRecord } from './observed.ts';
import type { FaultKind } from './plan-faults.ts';

type InFlight = Pick<FaultRecord, 'inFlight' | 'sendsInFlight' | 'callsInFlight'>;

/** @returns how much of what a process of this kind works at was in flight; undefined for faults that are no kill or pause */
export function metBy(kind: FaultKind, held: InFlight): number | undefined {
  const outgoing = held.inFlight + held.sendsInFlight;
  switch (kind) {
    case 'workerKill':
    case 'workerPause':
      return outgoing;
    case 'apiKill':
      return held.callsInFlight;
    case 'temporalKill':
    case 'postgresKill':
      return outgoing + held.callsInFlight;
    default:
      return undefined;
  }
}

export function checkKills(faults: readonly FaultRecord[], breach: (what: string) => void): void {
  for (const fault of faults.filter(({ skipped }) => skipped === undefined))
    if (metBy(fault.kind, fault) === 0)
      breach(`I9 ${fault.kind} at ${new Date(fault.at).toISOString()} met nothing in flight`);
}
