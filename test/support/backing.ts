/**
 * The servers that all test files share: one Postgres, one Temporal, one workflow bundle. Started when first asked for.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import pg from 'pg';
import { prepareNamespace } from '../../src/adapters/temporal/namespace.ts';
import { freePort } from '../../src/local/ports.ts';
import { startPostgres, type Postgres } from '../../src/local/postgres.ts';
import { ensureTemporalCli } from '../../src/local/temporal-binary.ts';
import { startTemporal, type Temporal } from '../../src/local/temporal.ts';
import { ensureWorkflowBundle } from '../../src/local/workflow-bundle.ts';
import { prepareCluster, template } from './prepared-postgres.ts';
import { shape } from './shape.ts';
import { ensureTemporalServer } from './temporal-server/build-temporal-server.ts';
import { startTemporalServer } from './temporal-server/start-temporal-server.ts';

export type Backing = {
  /** A folder for logs, removed at the end. */
  folder: string;
  temporalAddress: string;
  /** URL of its web pages; empty if it has none. */
  temporalUiUrl: string;
  workflowBundle: string;
  /** A database of one's own with the newest schema. @returns its URL */
  freshDatabase: () => Promise<string>;
  /** A namespace of one's own that knows the search attributes. @returns its name */
  freshNamespace: () => Promise<string>;
};

let running: Promise<{ backing: Backing; stop: () => Promise<void> }> | undefined;

/** @param options for the first that asks: more of Temporal's dynamic configuration, `name=value` each */
export async function backing(options: { temporalSettings?: string[] } = {}): Promise<Backing> {
  running ??= start(options.temporalSettings ?? []);
  return (await running).backing;
}

const first: (() => Promise<void>)[] = [];

/** For what runs on it until the end. */
export function beforeBackingStops(stop: () => Promise<void>): void {
  first.push(stop);
}

export async function stopBacking(): Promise<void> {
  await Promise.all(first.splice(0).map((stop) => stop()));
  const started = running;
  running = undefined;
  await (await started)?.stop();
}

// Without this a terminated run would leave its Postgres and its Temporal behind.
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

async function start(temporalSettings: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  const { maxConnections } = shape;
  const dataDir = join(folder, 'postgres');
  const starting = prepareCluster(dataDir).then(() => startPostgres({ dataDir, maxConnections }));
  const [postgres, temporal, workflowBundle] = await Promise.all([
    starting,
    shape.temporal === 'dev'
      ? startOwnTemporal(folder, temporalSettings)
      : starting.then((one) => startServer(folder, one)),
    ensureWorkflowBundle(),
  ]);
  const connection = await Connection.connect({ address: temporal.address });
  let count = 0;
  const freshName = () => `test_${(count += 1)}`;
  const made: Backing = {
    folder,
    temporalAddress: temporal.address,
    temporalUiUrl: temporal.uiUrl,
    workflowBundle,
    freshDatabase: async () => {
      const name = freshName();
      await ask(postgres, `create database ${name} template ${template}`);
      return databaseUrl(postgres, name);
    },
    freshNamespace: async () => {
      const namespace = freshName();
      await prepareNamespace(connection, namespace, 1);
      return namespace;
    },
  };
  const stop = async () => {
    await connection.close();
    await temporal.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { backing: made, stop };
}

async function startServer(folder: string, postgres: Postgres) {
  const programs = await ensureTemporalServer(console.error);
  const server = await startTemporalServer({
    programs,
    postgresUrl: postgres.url,
    folder,
    namespace: 'default',
  });
  return { ...server, uiUrl: '' };
}

async function startOwnTemporal(folder: string, settings: string[]): Promise<Temporal> {
  const binary = await ensureTemporalCli();
  const [port, uiPort] = [await freePort(), await freePort()];
  const log = join(folder, 'temporal.log');
  // Collects its garbage less often: a machine of tests has more memory than processors.
  const env = { GOGC: '400' };
  return await startTemporal({
    binary,
    dataDir: folder,
    port,
    uiPort,
    namespace: 'default',
    log,
    settings,
    env,
  });
}

function databaseUrl(postgres: Postgres, name: string): string {
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  return url.href;
}

async function ask(postgres: Postgres, statement: string): Promise<void> {
  const client = new pg.Client(postgres.url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
