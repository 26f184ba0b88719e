/**
 * Defines the metrics that show how an API or worker process reaches Postgres and Temporal; docs/observability.md has a
 * table of all metrics.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Database, PoolUse } from '../adapters/postgres/database.ts';
import { gauge, type Reading } from './metric.ts';

/** Milliseconds without a response after which a server counts as unreachable. Chosen. */
const probeMs = 2000;

/**
 * Defines gauges of the connection pools, and a gauge that shows whether this process reaches each server. Must be
 * called only once.
 * @param reach a check for each server, by the server's name; it rejects while the server is unreachable
 */
export function observeProcess(db: Database, reach: Record<string, () => Promise<unknown>>): void {
  const ofPools = (read: (use: PoolUse) => Reading[]) => () =>
    Object.entries(db.poolUse()).flatMap(([pool, use]) =>
      read(use).map(({ labels, value }) => ({ labels: { pool, ...labels }, value })),
    );
  gauge(
    'parley_database_pool_connections',
    'Connections to Postgres, by pool: statements for hot paths, queries for all others.',
    ['pool', 'state'],
    ofPools(({ used, idle }) => [
      { labels: { state: 'used' }, value: used },
      { labels: { state: 'idle' }, value: idle },
    ]),
  );
  gauge(
    'parley_database_pool_limit',
    'Maximum connections of a pool.',
    ['pool'],
    ofPools(({ limit }) => [{ value: limit }]),
  );
  gauge(
    'parley_database_pool_waiting',
    'Queries that wait for a connection.',
    ['pool'],
    ofPools(({ waiting }) => [{ value: waiting }]),
  );
  gauge(
    'parley_dependency_up',
    '1 if this process reaches the server, checked at each scrape.',
    ['dependency'],
    async () =>
      await Promise.all(
        Object.entries(reach).map(async ([dependency, ask]) => ({
          labels: { dependency },
          value: (await answers(ask)) ? 1 : 0,
        })),
      ),
  );
}

async function answers(ask: () => Promise<unknown>): Promise<boolean> {
  const asked = ask().then(
    () => true,
    () => false,
  );
  return await Promise.race([asked, delay(probeMs, false, { ref: false })]);
}
