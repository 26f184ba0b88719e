/** Records attempts at units of work, and the worker processes that make them, to detect work that kills its worker. */
import { z } from 'zod';
import { queryResult, resultRow, statement, type Database } from './database.ts';

export interface Attempt {
  id: string;
  /** Name of the unit of work, the same in every worker. */
  unit: string;
  worker: string;
}

const begin = statement('begin-attempt', resultRow(z.number()))`
  with begun as (insert into work_attempts (id, unit, worker) values ($1, $2, $3) on conflict do nothing)
  select lost_workers($2) as result`;
/** Records the attempt. Idempotent. @returns how many workers were lost during earlier attempts at its unit of work */
export async function beginAttempt(db: Database, attempt: Attempt): Promise<number> {
  return await queryResult(db, begin, [attempt.id, attempt.unit, attempt.worker]);
}

/** @returns how many workers were lost during this unit of work since its attempts were last deleted */
export const countLostWorkers = statement('lost-workers', z.number()).result<[unit: string]>`
  select lost_workers($1) as result`;

/** Deletes attempts, after they have ended. Ignores ids that do not exist. */
export const deleteAttempts = statement('forget-attempts').write<[ids: readonly string[]]>`
  delete from work_attempts where id = any($1::uuid[])`;

/** Deletes all attempts at a finished unit of work, so that workers lost during these attempts no longer count. */
export const deleteAttemptsOf = statement('forget-unit').write<[unit: string]>`
  delete from work_attempts where unit = $1`;

/**
 * Records that this worker is alive. If 10 s pass without a call, the worker counts as lost (see lost_workers.sql),
 * unless `recordLeaving` was called.
 */
export const recordWorker = statement('worker-seen').write<[worker: string]>`
  insert into worker_processes (id) values ($1) on conflict (id) do update set seen_at = clock_timestamp()`;

/** Records that this worker stops on purpose, so that it does not count as lost. Idempotent. */
export const recordLeaving = statement('worker-leaves').write<[worker: string]>`
  update worker_processes set leaving = true where id = $1`;
