/** A run's figures: one table for people, one JSON line for machines. */
import type { Verdict } from './check.ts';
import type { FaultRecord, Observed } from './observed.ts';
import { faultKinds } from './plan-faults.ts';

export type Report = { figures: Record<string, number | string>; breaches: string[] };

export function reportOf(
  run: { seed: number; minutes: number; plant?: string },
  observed: Observed,
  verdict: Verdict,
  others: Record<string, number | string>,
): Report {
  const { messages, callbacks, events, replies, audit, recovery, breaches } = verdict;
  const lost = count(breaches, /^I1 (?!event ).*(accepted and is lost|has no end|answered by nothing)/);
  const twice = count(breaches, /^I1 (?!event ).*(was taken|was answered \d+ times)/);
  return {
    figures: {
      ...run,
      ...{ accepted: messages.accepted, answered: messages.answered, failed: messages.failed },
      ...{ lost, answeredTwice: twice, refused: messages.refused, ambiguous: messages.ambiguous },
      ...{ refusedButTaken: messages.refusedButTaken },
      ...{ callbacks: callbacks.logical, received: callbacks.received, duplicates: callbacks.duplicates },
      ...{ delivered: callbacks.delivered, deliveryFailed: callbacks.failed, unknown: callbacks.unknown },
      ...{ unknownReceived: callbacks.unknownReceived, inversions: callbacks.inversions },
      ...{
        longestCallbackMs: callbacks.maxMs,
        inFlightAtKills: atKills(observed.faults, ({ inFlight }) => inFlight),
      },
      ...{ cutConnections: observed.cutConnections, drainedMs: observed.drainedMs ?? 'never' },
      ...prefixed('events', events),
      ...prefixed('replies', replies),
      repliesInFlightAtKills: atKills(observed.faults, ({ sendsInFlight }) => sendsInFlight),
      ...prefixed('audit', audit),
      ...prefixed('recovery', recovery),
      ...{ memoryGrowthMb: Math.round(observed.memoryGrowthMb), leaks: observed.leaks.length },
      ...{ nonDeterminism: observed.nonDeterminism, failedWorkflows: observed.failedWorkflows },
      warmRuns: observed.warmRuns,
      ...faultCounts(observed.faults),
      ...others,
      breaches: breaches.length,
    },
    breaches,
  };
}

/** Requests that receivers or gateways were holding when a process was killed. */
function atKills(faults: readonly FaultRecord[], held: (fault: FaultRecord) => number): number {
  const kills = faults.filter(({ kind }) => kind.endsWith('Kill') && kind !== 'backendKill');
  return kills.reduce((sum, fault) => sum + held(fault), 0);
}

function count(breaches: readonly string[], what: RegExp): number {
  return breaches.filter((one) => what.test(one)).length;
}

function faultCounts(faults: readonly FaultRecord[]): Record<string, number> {
  const done = faults.filter(({ skipped }) => skipped === undefined);
  const counts = faultKinds.map((kind) => [`F ${kind}`, done.filter((one) => one.kind === kind).length]);
  return { ...Object.fromEntries(counts), 'F skipped': faults.length - done.length } as Record<
    string,
    number
  >;
}

function prefixed(prefix: string, values: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [`${prefix}${key[0]?.toUpperCase()}${key.slice(1)}`, value]),
  );
}

export function printed({ figures, breaches }: Report): string {
  const widest = Math.max(...Object.keys(figures).map((key) => key.length));
  const rows = Object.entries(figures).map(([key, value]) => `  ${key.padEnd(widest)}  ${value}`);
  const named = breaches.slice(0, 40).map((one) => `  ! ${one}`);
  return [...rows, ...named, JSON.stringify(figures)].join('\n');
}
