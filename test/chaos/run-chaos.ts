/**
 * Runs chaos once: starts a stand, puts the planned load and faults on it, waits for the calm, and returns the
 * checker's result.
 */
import { availableParallelism, loadavg } from 'node:os';
import { AuditedCallers, planLives, readAudit } from './audited-changes.ts';
import { check, limitsAt } from './check.ts';
import { startChaosReceiver } from './chaos-receiver.ts';
import { FaultInjector } from './faults.ts';
import { drain, readRows, readTemporal } from './observe.ts';
import { GatewayTraffic } from './gateway-traffic.ts';
import { modelSettings, startPlannedModel } from './model-faults.ts';
import type { Observed } from './observed.ts';
import { planEvents } from './plan-events.ts';
import { planFaults, type FaultKind } from './plan-faults.ts';
import { planLoad } from './plan-load.ts';
import { randomOf } from './random.ts';
import { reportOf, type Report } from './report.ts';
import { Callers, createAgents, secret } from './send-load.ts';
import { isKeptWarm } from '../support/warm.ts';
import { startStand } from './stand.ts';

export type ChaosOptions = {
  seed: number;
  minutes: number;
  /** Messages in all. */
  messages: number;
  faults?: readonly FaultKind[];
  /** A copy of the source with a fault planted in it, and the fault's name. */
  planted?: { root: string; name: string; sql?: string | undefined };
  /** On two APIs, three workers and Temporal's real server. */
  many?: boolean;
  /** How many times as many faults. */
  dose?: number;
  /** For the rest to be done, after the last fault. */
  drainMs?: number;
  say?: (line: string) => void;
};

/** Short, so that a pause is longer than it. */
const callbackTimeoutMs = 4000;
/** The last part of the load meets hostile receivers and models alone: there memory is measured. */
const faultyShare = 0.85;
const historiesRead = 300;
/** Messages of API callers for each event of a gateway. */
const messagesAnEvent = 6;
/** Messages of API callers for each agent or token that is made, changed and ended. */
const messagesALife = 3;

/** After 503, nothing was accepted. Any other error of this kind is unexpected. */
const isServerError = (status: number) => status >= 500 && status !== 503;

export async function runChaos(options: ChaosOptions): Promise<Report> {
  const { seed, minutes, messages, planted, say = () => undefined } = options;
  const durationMs = minutes * 60_000;
  const receiver = await startChaosReceiver(randomOf(seed, 'receiver'));
  const load = planLoad({ seed, durationMs, messages });
  const events = planEvents({ seed, durationMs, events: Math.round(messages / messagesAnEvent) });
  const lives = planLives({ seed, durationMs, lives: Math.round(messages / messagesALife) });
  const model = await startPlannedModel(load);
  const gateways = await GatewayTraffic.start(events);
  const stand = await startStand({
    ...{ receiverHost: receiver.host, callbackTimeoutMs, env: modelSettings(model) },
    ...(planted && { root: planted.root }),
    ...(options.many !== undefined && { many: options.many }),
  });
  if (planted?.sql !== undefined) await stand.db.pool.query(planted.sql);
  const own = [...stand.apis, ...stand.workers];
  let busiest = 0;
  const memory = setInterval(() => {
    busiest = Math.max(busiest, loadavg()[0] ?? 0);
    for (const one of own) one.sampleMemory();
  }, 1000);
  try {
    const callers = new Callers(stand.api, await createAgents(stand.api), receiver.url);
    await gateways.connect(stand.api);
    const audited = await AuditedCallers.start(stand);
    const injector = new FaultInjector(
      stand,
      { callbacks: receiver.inFlight, replies: () => gateways.inFlight() },
      {
        busy: () => callers.busy + gateways.busy,
        taken: () => callers.taken + gateways.taken,
      },
    );
    const startedAt = Date.now() + 500;
    const faults = planFaults({
      ...{ seed, durationMs: durationMs * faultyShare },
      ...(options.faults && { only: options.faults }),
      ...(options.dose !== undefined && { dose: options.dose }),
    });
    say(
      `seed ${seed}: ${load.length} messages, ${events.length} events and ${faults.length} faults in ${minutes} minutes`,
    );
    const progress = setInterval(() => {
      say(
        `${Math.round((Date.now() - startedAt) / 1000)} s: ${callers.sent.length} sent, ${receiver.hits.length} callbacks, ${gateways.landed().length} replies, ${injector.records.length} faults`,
      );
    }, 30_000);
    let isOver = false;
    await Promise.all([
      callers.run(load, startedAt),
      callers.goOn(startedAt + durationMs, () => isOver),
      gateways.run(events, startedAt),
      audited.run(lives, startedAt),
      injector.run(faults, startedAt).finally(() => (isOver = true)),
    ]);
    clearInterval(progress);
    const quietAt = Date.now();
    const scale = Math.min(4, Math.max(1, busiest / availableParallelism() / 2));
    const limits = { ...limitsAt(scale), ...(options.drainMs && { drainMs: options.drainMs }) };
    const drainedMs = await drain(stand, limits.drainMs);
    say(`drained after ${drainedMs ?? 'more than the limit of'} ms`);
    const observed: Observed = {
      ...{ sent: callers.sent, hits: receiver.hits, faults: injector.records, quietAt, drainedMs },
      ...{ events: gateways.events, landed: gateways.landed(), gatewayFaults: gateways.given },
      ...{ cutConnections: receiver.cut(), redirectsFollowed: receiver.redirectsFollowed() },
      ...(await readRows(stand)),
      ...(await readAudit(stand, audited.changes)),
      ...(await readTemporal(stand, secret, historiesRead)),
      crashes: own.flatMap(({ deaths }) => deaths),
      serverErrors: [...callers.statuses.keys(), ...gateways.statuses.keys()].filter(isServerError),
      memoryGrowthMb: Math.max(...own.map((one) => one.memoryGrowthMb)),
      callbackTimeoutMs,
      // On a machine with more than twice the load that it can carry, users of a short run may all write too late.
      isWarm: isKeptWarm && scale <= 2,
    };
    const verdict = check(observed, limits);
    for (const { skipped } of observed.faults) if (skipped !== undefined) say(`skipped: ${skipped}`);
    return reportOf({ seed, minutes, ...(planted && { plant: planted.name }) }, observed, verdict, {
      loadAverage: Math.round(busiest),
      limitsTimes: Math.round(scale * 10) / 10,
      deaths: [...own, stand.postgres, stand.temporal].flatMap(({ deaths }) => deaths).length,
      otherAnswers: [...callers.statuses].map(([status, count]) => `${status}×${count}`).join(' '),
    });
  } finally {
    clearInterval(memory);
    await stand.stop();
    await Promise.all([receiver.close(), model.close(), gateways.close()]);
  }
}
