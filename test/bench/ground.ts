/** What the product and the bare shape stand on, both on the same: one Postgres, one Temporal. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { freePort } from '../../src/local/ports.ts';
import { startPostgres } from '../../src/local/postgres.ts';
import { ensureTemporalCli } from '../../src/local/temporal-binary.ts';
import { startTemporal } from '../../src/local/temporal.ts';

export interface Ground {
  folder: string;
  temporalAddress: string;
  client: Client;
  pids: { temporal: number; postgres: number };
  /** A new database. @returns its URL */
  database: (name: string) => Promise<string>;
  stop: () => Promise<void>;
}

export const namespace = 'default';

export async function startGround(): Promise<Ground> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const binary = await ensureTemporalCli((line) => {
    console.error(line);
  });
  const [port, uiPort] = [await freePort(), await freePort()];
  const [postgres, temporal] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'postgres') }),
    startTemporal({ binary, dataDir: folder, port, uiPort, namespace, log: join(folder, 'temporal.log') }),
  ]);
  const connection = await Connection.connect({ address: temporal.address });
  return {
    folder,
    temporalAddress: temporal.address,
    client: new Client({ connection, namespace }),
    pids: { temporal: temporal.pid, postgres: postgres.pid },
    database: async (name) => {
      const admin = new pg.Client(postgres.url);
      await admin.connect();
      try {
        await admin.query(`create database ${name}`);
      } finally {
        await admin.end();
      }
      const url = new URL(postgres.url);
      url.pathname = `/${name}`;
      return url.href;
    },
    stop: async () => {
      await connection.close();
      await Promise.all([postgres.stop(), temporal.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
