/** The product and what it is compared with, in turns: what disturbs the machine disturbs both. */
import type { Client } from '@temporalio/client';
import type { RunningSubject } from './bare-stack.ts';
import { burst, oneByOne, type Burst, type BurstLength, type Callbacks, type Turn } from './load.ts';
import { percentile } from './numbers.ts';
import { cpuOf, historySize, perTurn, type CpuByProcess, type HistorySize } from './turn-cost.ts';
import { until } from '../support/until.ts';

export interface RoundFigures {
  turnsPerSecond: number;
  /** Turns of the burst, also those that ended after its time. */
  turns: number;
  overheadP50: number;
  overheadP95: number;
  ackP50: number;
  ackP95: number;
  burstOverheadP50: number;
  burstOverheadP95: number;
  /** CPU ms a turn of the burst. */
  cpu: CpuByProcess;
}

export interface RoundSize {
  /** One after another. */
  turns: number;
  burst: BurstLength;
  inFlight: number;
  conversations: number;
}

/** One turn at a time first, then a burst over new conversations. */
export async function measureRound(
  subject: RunningSubject,
  callbacks: Callbacks,
  common: Record<string, number>,
  size: RoundSize,
  name: string,
): Promise<RoundFigures> {
  const single = await oneByOne(subject, callbacks, {
    turns: size.turns,
    conversations: 10,
    name: `${name}-one`,
  });
  const pids = { ...subject.pids, ...common };
  const before = cpuOf(pids);
  const { inFlight, conversations } = size;
  const many = await burst(subject, callbacks, {
    ...size.burst,
    inFlight,
    conversations,
    name: `${name}-burst`,
  });
  const cpu = perTurn(before, cpuOf(pids), many.turns.length);
  return roundOf(single, many, cpu);
}

/**
 * @param single turns that were taken one after another
 * @param cpu CPU ms a turn of the burst
 */
export function roundOf(single: readonly Turn[], many: Burst, cpu: CpuByProcess): RoundFigures {
  const overheads = single.map((turn) => turn.overheadMs);
  const acks = single.map((turn) => turn.ackMs);
  const underLoad = many.turns.map((turn) => turn.overheadMs);
  return {
    turnsPerSecond: many.perSecond,
    turns: many.turns.length,
    overheadP50: percentile(overheads, 0.5),
    overheadP95: percentile(overheads, 0.95),
    ackP50: percentile(acks, 0.5),
    ackP95: percentile(acks, 0.95),
    burstOverheadP50: percentile(underLoad, 0.5),
    burstOverheadP95: percentile(underLoad, 0.95),
    cpu,
  };
}

/** Events and bytes that a turn adds to a conversation that runs. */
export async function historyPerTurn(
  client: Client,
  subject: RunningSubject,
  callbacks: Callbacks,
  name: string,
): Promise<HistorySize> {
  const turns = 10;
  await oneByOne(subject, callbacks, { turns: 2, conversations: 1, name });
  const before = await settled(client, subject, name);
  await oneByOne(subject, callbacks, { turns, conversations: 1, name });
  const after = await settled(client, subject, name);
  return { events: (after.events - before.events) / turns, bytes: (after.bytes - before.bytes) / turns };
}

/** The history once nothing more is written to it. */
async function settled(client: Client, subject: RunningSubject, name: string): Promise<HistorySize> {
  let seen: HistorySize | undefined;
  let same = 0;
  return await until('a history to rest', async () => {
    const size = await historySize(client, subject.workflowId(`${name}-0`));
    same = size.events === seen?.events ? same + 1 : 0;
    seen = size;
    return same >= 8 && size;
  });
}
