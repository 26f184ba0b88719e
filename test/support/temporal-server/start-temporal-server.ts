/** Temporal's real server on a Postgres, as it runs in production: all its services in one process here. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { prepareNamespace } from '../../../src/adapters/temporal/namespace.ts';
import { lowFreePort } from './low-free-port.ts';
import { endProcess } from '../../../src/local/processes.ts';
import { spawnLogged } from '../../../src/local/spawn-logged.ts';
import { until } from '../until.ts';
import type { TemporalServerPrograms } from './build-temporal-server.ts';
import { serverConfig } from './server-config.ts';

export interface TemporalServer {
  address: string;
  pid: number;
  exited: Promise<string>;
  stop: () => Promise<void>;
}

const databases = { temporal: 'temporal', temporal_visibility: 'visibility' } as const;

interface Options {
  programs: TemporalServerPrograms;
  postgresUrl: string;
  folder: string;
  namespace: string;
}

/**
 * @param options.postgresUrl of a user who may create databases
 * @param options.folder for its configuration and log
 * @throws Error with the end of its output
 */
export async function startTemporalServer(options: Options): Promise<TemporalServer> {
  const { start } = await prepareTemporalServer(options);
  return await start();
}

/** Makes its databases, and chooses its ports. @returns what starts it at that address, and again after its end */
export async function prepareTemporalServer({
  programs,
  postgresUrl,
  folder,
  namespace,
}: Options): Promise<{ address: string; start: () => Promise<TemporalServer> }> {
  const postgres = new URL(postgresUrl);
  await makeSchemas(programs, postgres);
  const ports = await Promise.all(Array.from({ length: 8 }, () => lowFreePort()));
  const [frontend = 0] = ports;
  const dynamic = join(folder, 'dynamic.yaml');
  writeFileSync(dynamic, dynamicSettings);
  const config = join(folder, 'temporal-server.yaml');
  writeFileSync(config, serverConfig({ postgres, ports, dynamic }), { mode: 0o600 });
  const address = `127.0.0.1:${frontend}`;
  const start = async () => {
    const { child, exited, lastOutput } = spawnLogged({
      command: programs.server,
      args: ['--config-file', config, '--allow-no-auth', 'start'],
      log: join(folder, 'temporal-server.log'),
      env: process.env,
      cwd: folder,
    });
    const { pid } = child;
    const over = exited.then((how) => {
      throw new Error(`Temporal's server did not start (${how}): ${lastOutput()}`);
    });
    try {
      await Promise.race([over, untilReady(address, namespace)]);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    } finally {
      over.catch(() => undefined);
    }
    if (pid === undefined) throw new Error(lastOutput());
    return {
      address,
      pid,
      exited,
      stop: async () => {
        await endProcess(pid, 'SIGTERM', 5000);
        await exited;
      },
    };
  };
  return { address, start };
}

/** The values of docker-compose.yml. */
const dynamicSettings = `history.transferProcessorMaxPollRPS:
  - value: 2000
history.maxInFlightUpdates:
  - value: 1000
matching.enableFairness:
  - value: true
matching.numTaskqueueReadPartitions:
  - value: 1
matching.numTaskqueueWritePartitions:
  - value: 1
`;

async function makeSchemas({ sql }: TemporalServerPrograms, postgres: URL): Promise<void> {
  const run = promisify(execFile);
  for (const [database, schema] of Object.entries(databases)) {
    const about = [
      '--plugin',
      'postgres12',
      '--ep',
      postgres.hostname,
      '--port',
      postgres.port,
      '--db',
      database,
    ];
    const call = async (...args: string[]) => {
      const env = { ...process.env, SQL_USER: postgres.username, SQL_PASSWORD: postgres.password };
      await run(sql, [...about, ...args], { env });
    };
    await call('create-database');
    await call('setup-schema', '-v', '0.0');
    await call('update-schema', '--schema-name', `postgresql/v12/${schema}`);
  }
}

/** The namespace is there and knows the search attributes. */
async function untilReady(address: string, namespace: string): Promise<void> {
  const connection = await until("Temporal's server to answer", () =>
    Connection.connect({ address, connectTimeout: 1000 }).catch(() => undefined),
  );
  try {
    await prepareNamespace(connection, namespace, 1);
  } finally {
    await connection.close();
  }
}
