/** Measures a turn: CPU time by process, events and bytes of history. */
import type { Client } from '@temporalio/client';
import { cpuMs } from './process-cost.ts';

/** CPU ms by process; a process whose time cannot be read is left out. */
export type CpuByProcess = Record<string, number>;

export function cpuOf(pids: Record<string, number>): CpuByProcess {
  const read = Object.entries(pids).flatMap(([name, pid]) => {
    const ms = cpuMs(pid);
    return ms === undefined ? [] : [[name, ms] as const];
  });
  return Object.fromEntries(read);
}

/** CPU ms a turn, by process, of what ran between two readings. */
export function perTurn(before: CpuByProcess, after: CpuByProcess, turns: number): CpuByProcess {
  return Object.fromEntries(
    Object.entries(after).map(([name, ms]) => [name, (ms - (before[name] ?? 0)) / turns]),
  );
}

export interface HistorySize {
  events: number;
  bytes: number;
}

export async function historySize(client: Client, workflowId: string): Promise<HistorySize> {
  const { historyLength, historySize: bytes = 0 } = await client.workflow.getHandle(workflowId).describe();
  return { events: historyLength, bytes };
}
