/** A whole Parley to be broken: its own Postgres and Temporal, one API, two workers, lines in between that can be cut. */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { connectDatabase, type Database } from '../../src/adapters/db/database.ts';
import { migrate } from '../../src/adapters/db/migrate.ts';
import { createOrganization } from '../../src/adapters/db/organizations.ts';
import { createToken } from '../../src/adapters/db/tokens.ts';
import { startNodeChild } from '../../src/local/node-child.ts';
import { freePort } from '../../src/local/ports.ts';
import { startPostgres } from '../../src/local/postgres.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { startTemporal } from '../../src/local/temporal.ts';
import { ensureTemporalCli } from '../../src/local/temporal-binary.ts';
import { ensureWorkflowBundle } from '../../src/local/workflow-bundle.ts';
import { ApiClient } from '../support/api-client.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { KeptProcess } from './kept-process.ts';

export type Stand = {
  api: ApiClient;
  organizationId: string;
  db: Database;
  databaseUrl: string;
  client: Client;
  namespace: string;
  processes: Record<'api' | 'worker0' | 'worker1' | 'postgres' | 'temporal', KeptProcess>;
  postgresLine: TcpProxy;
  temporalLine: TcpProxy;
  /** Seconds that the clocks of API and workers run ahead. */
  setClock: (seconds: number) => void;
  /** All that the processes have logged. */
  logs: () => string;
  stop: () => Promise<void>;
};

export type StandOptions = {
  receiverHost: string;
  callbackTimeoutMs: number;
  /** Where src/, activities/ and workflows/ are read from: a copy with a planted fault, or the project itself. */
  root?: string;
  env?: NodeJS.ProcessEnv;
};

const namespace = 'default';

export async function startStand(options: StandOptions): Promise<Stand> {
  const { receiverHost, callbackTimeoutMs, root = projectRoot } = options;
  const folder = mkdtempSync(join(tmpdir(), 'parley-chaos-'));
  const [binary, bundle] = await Promise.all([ensureTemporalCli(), ensureWorkflowBundle()]);
  const [apiPort, postgresPort, temporalPort, uiPort] = [
    ...[await freePort(), await freePort(), await freePort(), await freePort()],
  ] as const;
  const log = (name: string) => join(folder, `${name}.log`);
  let databaseUrl = '';
  const postgres = new KeptProcess('postgres', async () => {
    const running = await startPostgres({ dataDir: join(folder, 'postgres'), port: postgresPort });
    databaseUrl = running.url;
    return running;
  });
  const temporal = new KeptProcess('temporal', () =>
    startTemporal({
      ...{ binary, dataDir: folder, port: temporalPort, uiPort, namespace, log: log('temporal') },
    }),
  );
  await Promise.all([postgres.begin(), temporal.begin()]);
  await migrate(databaseUrl);
  const [postgresLine, temporalLine] = await Promise.all([
    startTcpProxy({ host: '127.0.0.1', port: postgresPort }),
    startTcpProxy({ host: '127.0.0.1', port: temporalPort }),
  ]);
  const throughLine = new URL(databaseUrl);
  throughLine.port = String(postgresLine.port);
  const clock = join(folder, 'clock');
  const env: NodeJS.ProcessEnv = {
    ...{ PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_ENV: 'test', PORT: String(apiPort) },
    ...{ DATABASE_URL: throughLine.href, DATABASE_POOL: '6', RATE_LIMIT: 'off', SWEEP_SECONDS: '2' },
    ...{ TEMPORAL_ADDRESS: `127.0.0.1:${temporalLine.port}`, TEMPORAL_NAMESPACE: namespace },
    TEMPORAL_CONFIG_FILE: join(folder, 'no-temporal-settings.toml'),
    ...{ WORKFLOW_BUNDLE: bundle, CALLBACK_ALLOW: receiverHost },
    CALLBACK_TIMEOUT_SECONDS: String(callbackTimeoutMs / 1000),
    ...{ CLOCK_FILE: clock, NODE_OPTIONS: `--import ${join(import.meta.dirname, 'clock-shim.ts')}` },
    ...options.env,
  };
  const own = (name: string, program: 'api' | 'worker', saysWhenUp: string) =>
    new KeptProcess(name, () =>
      startNodeChild({ name, script: join(root, `src/main-${program}.ts`), saysWhenUp, env, log: log(name) }),
    );
  const api = own('api', 'api', 'listening');
  const worker0 = own('worker0', 'worker', 'running');
  const worker1 = own('worker1', 'worker', 'running');
  await Promise.all([api, worker0, worker1].map((one) => one.begin()));

  const db = connectDatabase(databaseUrl, 4);
  const { id: organizationId } = await createOrganization(db, 'chaos');
  const { token } = await createToken(db, { organizationId, name: 'chaos' });
  const connection = await Connection.connect({ address: `127.0.0.1:${temporalPort}` });
  const processes = { api, worker0, worker1, postgres, temporal };
  return {
    ...{ api: new ApiClient(`http://127.0.0.1:${apiPort}/v1`, token), organizationId, db, databaseUrl },
    ...{ client: new Client({ connection, namespace }), namespace, processes, postgresLine, temporalLine },
    setClock: (seconds) => {
      writeFileSync(clock, String(seconds));
    },
    logs: () =>
      readdirSync(folder)
        .filter((name) => /^(api|worker\d)\.log/.test(name))
        .map((name) => readFileSync(join(folder, name), 'utf8'))
        .join('\n'),
    stop: async () => {
      await Promise.all([api, worker0, worker1].map((one) => one.end()));
      await Promise.all([postgresLine.close(), temporalLine.close(), db.close(), connection.close()]);
      await Promise.all([postgres.end(), temporal.end()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
