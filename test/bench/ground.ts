/** Starts what the product and the bare workflow both use: one Postgres, one Temporal. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { freePort } from '../../src/local/ports.ts';
import { startPostgres } from '../../src/local/postgres.ts';
import { ensureTemporalCli } from '../../src/local/temporal-binary.ts';
import { startTemporal } from '../../src/local/temporal.ts';
import { ensureTemporalServer } from '../support/temporal-server/build-temporal-server.ts';
import { startTemporalServer } from '../support/temporal-server/start-temporal-server.ts';

export interface Ground {
  folder: string;
  temporalAddress: string;
  client: Client;
  pids: Record<string, number>;
  /** A new database. @returns its URL */
  database: (name: string) => Promise<string>;
  stop: () => Promise<void>;
}

export const namespace = 'default';

/** @param options.temporal the dev server, as `npm start` uses it, or the real server on a Postgres of its own */
export async function startGround(options: { temporal?: 'dev' | 'server' } = {}): Promise<Ground> {
  // An exit ends the children; a signal alone would leave them.
  for (const [signal, code] of [['SIGINT', 130] as const, ['SIGTERM', 143] as const]) {
    process.once(signal, () => process.exit(code));
  }
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const [postgres, temporal] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'postgres') }),
    options.temporal === 'server' ? startServer(folder) : startDevServer(folder),
  ]);
  const connection = await Connection.connect({ address: temporal.address });
  return {
    folder,
    temporalAddress: temporal.address,
    client: new Client({ connection, namespace }),
    pids: { ...temporal.pids, postgres: postgres.pid },
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

interface Temporal {
  address: string;
  pids: Record<string, number>;
  stop: () => Promise<void>;
}

const say = (line: string) => {
  console.error(line);
};

async function startDevServer(folder: string): Promise<Temporal> {
  const binary = await ensureTemporalCli(say);
  const [port, uiPort] = [await freePort(), await freePort()];
  const log = join(folder, 'temporal.log');
  const temporal = await startTemporal({ binary, dataDir: folder, port, uiPort, namespace, log });
  return { address: temporal.address, pids: { temporal: temporal.pid }, stop: () => temporal.stop() };
}

async function startServer(folder: string): Promise<Temporal> {
  const programs = await ensureTemporalServer(say);
  const store = await startPostgres({ dataDir: join(folder, 'temporal-postgres') });
  const server = await startTemporalServer({ programs, postgresUrl: store.url, folder, namespace });
  return {
    address: server.address,
    pids: { temporal: server.pid, 'temporal-postgres': store.pid },
    stop: async () => {
      await server.stop();
      await store.stop();
    },
  };
}
