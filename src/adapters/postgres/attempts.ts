/** Records attempts at units of work, and the worker processes that make them, to detect work that kills its worker. */
import { z } from 'zod';
import { queryRow, queryRows, statement, type Database } from './database.ts';

export interface Attempt {
  id: string;
  /** Name of the unit of work, the same in every worker. */
  unit: string;
  worker: string;
}

const begin = statement('begin-attempt', z.object({ lost: z.number() }))`
  with begun as (insert into work_attempts (id, unit, worker) values ($1, $2, $3) on conflict do nothing)
  select lost_workers($2) as lost`;
/** Records the attempt. Idempotent. @returns how many workers were lost during earlier attempts at its unit of work */
export async function beginAttempt(db: Database, attempt: Attempt): Promise<number> {
  const row = await queryRow(db, begin, [attempt.id, attempt.unit, attempt.worker]);
  return row?.lost ?? 0;
}

const lost = statement('lost-workers', z.object({ lost: z.number() }))`select lost_workers($1) as lost`;
/** @returns how many workers were lost during this unit of work since its attempts were last deleted */
export async function countLostWorkers(db: Database, unit: string): Promise<number> {
  const row = await queryRow(db, lost, [unit]);
  return row?.lost ?? 0;
}

const forget = statement('forget-attempts')`delete from work_attempts where id = any($1::uuid[])`;
/** Deletes attempts, after they have ended. Ignores ids that do not exist. */
export async function deleteAttempts(db: Database, ids: readonly string[]): Promise<void> {
  await queryRows(db, forget, [ids]);
}

const forgetAll = statement('forget-unit')`delete from work_attempts where unit = $1`;
/** Deletes all attempts at a finished unit of work, so that workers lost during these attempts no longer count. */
export async function deleteAttemptsOf(db: Database, unit: string): Promise<void> {
  await queryRows(db, forgetAll, [unit]);
}

const seen = statement('worker-seen')`
  insert into worker_processes (id) values ($1) on conflict (id) do update set seen_at = clock_timestamp()`;
/**
 * Records that this worker is alive. If 10 s pass without a call, the worker counts as lost (see lost_workers.sql),
 * unless `recordLeaving` was called.
 */
export async function recordWorker(db: Database, worker: string): Promise<void> {
  await queryRows(db, seen, [worker]);
}

const leaves = statement('worker-leaves')`update worker_processes set leaving = true where id = $1`;
/** Records that this worker stops on purpose, so that it does not count as lost. Idempotent. */
export async function recordLeaving(db: Database, worker: string): Promise<void> {
  await queryRows(db, leaves, [worker]);
}
