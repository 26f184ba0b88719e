/** A Postgres of its own for interleavings: real locks and transactions, no waiting for the disk. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { connectDatabase, type Database } from '../../../src/adapters/postgres/database.ts';
import { migrate } from '../../../src/adapters/postgres/migrate.ts';
import { startPostgres } from '../../../src/local/postgres.ts';
import { prepareCluster } from '../prepared-postgres.ts';
import { newCast, saveCast, type Cast } from './cast.ts';

export interface Ground {
  url: string;
  db: Database;
  cast: Cast;
  /** A second database beside it, with this SQL run after the migrations. */
  variant(name: string, sql: string): Promise<Ground>;
  close(): Promise<void>;
}

export async function openGround(connections = 6): Promise<Ground> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-interleavings-'));
  chmodSync(folder, 0o755);
  const dataDir = join(folder, 'pg');
  await prepareCluster(dataDir);
  const postgres = await startPostgres({ dataDir });
  const variants: Database[] = [];
  const ready = async (url: string, sql: string): Promise<Ground> => {
    await migrate(url);
    const db = connectDatabase(url, connections);
    // A busy machine may take longer than the product waits; that is not what the interleavings are about.
    (db.pool as pg.Pool).options.connectionTimeoutMillis = 60_000;
    variants.push(db);
    if (sql !== '') await db.pool.query(sql);
    // Opened before the first scene: the time limit for connecting runs on while a scene keeps the event loop busy.
    await Promise.all(Array.from({ length: connections }, () => db.pool.query('select pg_sleep(0.1)')));
    const close = async () => {
      for (const open of variants.splice(0)) await open.close();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    };
    const cast = newCast();
    await saveCast(db, cast);
    return { url, db, cast, variant, close };
  };
  const variant = async (name: string, sql: string): Promise<Ground> => {
    const admin = connectDatabase(postgres.url, 1);
    await admin.pool.query(`create database ${name}`);
    await admin.close();
    return await ready(postgres.url.replace(/\/parley$/, `/${name}`), sql);
  };
  const admin = connectDatabase(postgres.url, 1);
  for (const setting of ['synchronous_commit', 'jit'])
    await admin.pool.query(`alter system set ${setting} = off`);
  await admin.pool.query('select pg_reload_conf()');
  await admin.close();
  return await ready(postgres.url, '');
}
