/** A whole Parley to be broken: its own Postgres and Temporal, one API and two workers, or two behind one address and
 *  three with Temporal's real server on the same Postgres; lines in between that can be cut. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { connectDatabase, type Database } from '../../src/adapters/postgres/database.ts';
import { migrate } from '../../src/adapters/postgres/migrate.ts';
import { createOrganization } from '../../src/adapters/postgres/accounts/organizations.ts';
import { createToken } from '../../src/adapters/postgres/accounts/tokens.ts';
import { startNodeChild } from '../../src/local/node-child.ts';
import { freePort } from '../../src/local/ports.ts';
import { startPostgres } from '../../src/local/postgres.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { startTemporal } from '../../src/local/temporal.ts';
import { ensureTemporalCli } from '../../src/local/temporal-binary.ts';
import { ensureWorkflowBundle } from '../../src/local/workflow-bundle.ts';
import { ApiClient } from '../support/api-client.ts';
import { startBalancer } from '../support/balancer.ts';
import { compileCache } from '../support/compile-cache.ts';
import { prepareCluster } from '../support/prepared-postgres.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { ensureTemporalServer } from '../support/temporal-server/build-temporal-server.ts';
import { prepareTemporalServer } from '../support/temporal-server/start-temporal-server.ts';
import { KeptProcess } from './kept-process.ts';

export type Stand = {
  api: ApiClient;
  organizationId: string;
  db: Database;
  databaseUrl: string;
  client: Client;
  namespace: string;
  apis: readonly KeptProcess[];
  workers: readonly KeptProcess[];
  postgres: KeptProcess;
  temporal: KeptProcess;
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
  /**
   * Folder from which src/, activities/ and workflows/ are read: a copy with a planted fault, or the project itself.
   */
  root?: string;
  env?: NodeJS.ProcessEnv;
  /** Two APIs, three workers, Temporal's real server. */
  many?: boolean;
};

const namespace = 'default';

export async function startStand(options: StandOptions): Promise<Stand> {
  const { receiverHost, callbackTimeoutMs, root = projectRoot, many = false } = options;
  const folder = mkdtempSync(join(tmpdir(), 'parley-chaos-'));
  const [apiPort, postgresPort] = [await freePort(), await freePort()];
  const log = (name: string) => join(folder, `${name}.log`);
  let databaseUrl = '';
  await prepareCluster(join(folder, 'postgres'));
  const postgres = new KeptProcess('postgres', async () => {
    const running = await startPostgres({
      ...{ dataDir: join(folder, 'postgres'), port: postgresPort, maxConnections: many ? 300 : 100 },
    });
    databaseUrl = running.url;
    return running;
  });
  await postgres.begin();
  const [{ address, start }, bundle] = await Promise.all([
    many ? realTemporal(folder, databaseUrl) : devTemporal(folder, log('temporal')),
    ensureWorkflowBundle(),
  ]);
  const temporal = new KeptProcess('temporal', start);
  await Promise.all([temporal.begin(), migrate(databaseUrl)]);
  const temporalPort = Number(address.split(':')[1]);
  const [postgresLine, temporalLine] = await Promise.all([
    startTcpProxy({ host: '127.0.0.1', port: postgresPort }),
    startTcpProxy({ host: '127.0.0.1', port: temporalPort }),
  ]);
  const throughLine = new URL(databaseUrl);
  throughLine.port = String(postgresLine.port);
  const clock = join(folder, 'clock');
  const env: NodeJS.ProcessEnv = {
    ...{ PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_ENV: 'test', PORT: String(apiPort) },
    ...compileCache,
    ...{ DATABASE_URL: throughLine.href, DATABASE_POOL: '6', SWEEP_SECONDS: '2' },
    // `WARM_TURNS=1 npm run test:chaos` runs without warm conversations.
    ...(process.env['WARM_TURNS'] !== undefined && { WARM_TURNS: process.env['WARM_TURNS'] }),
    // Workers are killed here without any run's doing.
    LOST_WORKERS: '1000',
    ...{ RATE_LIMIT: 'off', ORGANIZATION_RATE_LIMIT: 'off' },
    ...{ TEMPORAL_ADDRESS: `127.0.0.1:${temporalLine.port}`, TEMPORAL_NAMESPACE: namespace },
    TEMPORAL_CONFIG_FILE: join(folder, 'no-temporal-settings.toml'),
    ...{ WORKFLOW_BUNDLE: bundle, CALLBACK_ALLOW: receiverHost },
    ...{ ENCRYPTION_KEY: randomBytes(32).toString('base64'), GATEWAY_ALLOW: '127.0.0.1/32' },
    ...{ GATEWAY_PACE: 'none', GATEWAY_SENDS_PER_MINUTE: 'off', GATEWAY_TIMEOUT_SECONDS: '2' },
    ...{ GATEWAY_ASK_SECONDS: '1' },
    CALLBACK_TIMEOUT_SECONDS: String(callbackTimeoutMs / 1000),
    // Few, so that conversations are put out of it and replayed; and full soon, so that what grows later is no cache.
    WORKFLOW_CACHE: '100',
    ...{ CLOCK_FILE: clock, NODE_OPTIONS: `--import ${join(import.meta.dirname, 'clock-shim.ts')}` },
    ...options.env,
  };
  const own = (name: string, program: 'api' | 'worker', saysWhenUp: string, more: NodeJS.ProcessEnv = {}) =>
    new KeptProcess(
      name,
      () =>
        startNodeChild({
          ...{ name, script: join(root, `src/main-${program}.ts`), saysWhenUp, log: log(name) },
          env: { ...env, ...more },
        }),
      log(name),
    );
  const apiPorts = many ? [await freePort(), await freePort()] : [apiPort];
  const balancer = many ? await startBalancer({ port: apiPort, targets: apiPorts }) : undefined;
  const apis = apiPorts.map((port, index) => own(`api${index}`, 'api', 'listening', { PORT: String(port) }));
  const workers = Array.from({ length: many ? 3 : 2 }, (_, index) =>
    own(`worker${index}`, 'worker', 'running'),
  );
  await Promise.all([...apis, ...workers].map((one) => one.begin()));

  const db = connectDatabase(databaseUrl, 4);
  const { id: organizationId } = await createOrganization(db, 'chaos');
  const { token } = await createToken(db, { organizationId, name: 'chaos' });
  const connection = await Connection.connect({ address });
  return {
    ...{ api: new ApiClient(`http://127.0.0.1:${apiPort}/v1`, token), organizationId, db, databaseUrl },
    ...{ client: new Client({ connection, namespace }), namespace, apis, workers, postgres, temporal },
    ...{ postgresLine, temporalLine },
    setClock: (seconds) => {
      writeFileSync(clock, String(seconds));
    },
    logs: () =>
      readdirSync(folder)
        .filter((name) => /^(api|worker)\d\.log/.test(name))
        .map((name) => readFileSync(join(folder, name), 'utf8'))
        .join('\n'),
    stop: async () => {
      await Promise.all([...apis, ...workers].map((one) => one.end()));
      await Promise.all([
        balancer?.close(),
        postgresLine.close(),
        temporalLine.close(),
        db.close(),
        connection.close(),
      ]);
      await temporal.end();
      await postgres.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type StartOfTemporal = {
  address: string;
  start: () => Promise<{ pid: number; exited: Promise<string>; stop: () => Promise<void> }>;
};

async function devTemporal(folder: string, log: string): Promise<StartOfTemporal> {
  const binary = await ensureTemporalCli();
  const [port, uiPort] = [await freePort(), await freePort()];
  return {
    address: `127.0.0.1:${port}`,
    start: () => startTemporal({ binary, dataDir: folder, port, uiPort, namespace, log }),
  };
}

async function realTemporal(folder: string, postgresUrl: string): Promise<StartOfTemporal> {
  const programs = await ensureTemporalServer(console.error);
  return await prepareTemporalServer({ programs, postgresUrl, folder, namespace });
}
