/** A whole Parley for one test file: a database and a namespace of its own, the API and a worker as real processes. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { connectDatabase, type Database } from '../../src/adapters/postgres/database.ts';
import { createOrganization } from '../../src/adapters/postgres/accounts/organizations.ts';
import { createToken } from '../../src/adapters/postgres/accounts/tokens.ts';
import { freePort } from '../../src/local/ports.ts';
import { isAlive } from '../../src/local/processes.ts';
import { Client, Connection } from '@temporalio/client';
import { ApiClient } from './api-client.ts';
import { backing, beforeBackingStops } from './backing.ts';
import { compileCache } from './compile-cache.ts';
import { startOwnProcess, together, type OwnProcess } from './own-process.ts';
import { shape } from './shape.ts';
import { startBalancer } from './balancer.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

export type Stack = {
  /** `http://127.0.0.1:…/v1` */
  apiUrl: string;
  organizationId: string;
  token: string;
  tokenId: string;
  /** Calls the API with the first token. */
  api: ApiClient;
  db: Database;
  databaseUrl: string;
  temporal: { client: Client; address: string; namespace: string };
  receiver: Receiver;
  /** Proxies through which the API and the worker reach Postgres and Temporal; a stack that files share has none. */
  postgresLine: TcpProxy;
  temporalLine: TcpProxy;
  apis: readonly OwnProcess[];
  workers: readonly OwnProcess[];
  /** All APIs as one. */
  apiProcess: OwnProcess;
  /** All workers as one. */
  worker: OwnProcess;
  /** The files that they write their log into. */
  logs: { api: string; worker: string };
  /** The settings that both processes have. */
  env: NodeJS.ProcessEnv;
  /** Another organization with a token of its own. */
  stranger: () => Promise<{ organizationId: string; token: string; tokenId: string; api: ApiClient }>;
  stop: () => Promise<void>;
};

export type StackOptions = {
  /** Settings over those of the harness, for both processes. */
  env?: NodeJS.ProcessEnv;
  /** A database with the newest schema, used instead of a fresh one. */
  databaseUrl?: string;
  /** False: no proxies before Postgres and Temporal, which cost processors. */
  lines?: boolean;
  /** How many of each; those of shape.ts when missing. */
  apis?: number;
  workers?: number;
};

let stacks = 0;

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const shared = await backing();
  const [databaseUrl, namespace, port, receiver] = await Promise.all([
    options.databaseUrl ?? shared.freshDatabase(),
    shared.freshNamespace(),
    freePort(),
    startReceiver(),
  ]);
  const { apis: apiCount = shape.apis, workers: workerCount = shape.workers, lines = true } = options;
  const toPostgres = new URL(databaseUrl);
  const toTemporal = new URL(`tcp://${shared.temporalAddress}`);
  const proxies = lines ? await Promise.all([toPostgres, toTemporal].map(proxyBefore)) : [];
  const [postgresLine = noLine, temporalLine = noLine] = proxies;
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    ...compileCache,
    NODE_ENV: 'test',
    PORT: String(port),
    DATABASE_URL: toPostgres.href,
    DATABASE_POOL: '6',
    TEMPORAL_ADDRESS: toTemporal.host,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_CONFIG_FILE: join(shared.folder, 'no-temporal-settings.toml'),
    WORKFLOW_BUNDLE: shared.workflowBundle,
    CALLBACK_ALLOW: receiver.host,
    // Nothing answers there: a test that wants names starts its own server, test/support/name-server.ts.
    DNS_SERVERS: '127.0.0.1:9',
    CALLBACK_LOOKUP_SECONDS: '0.1',
    RATE_LIMIT: 'off',
    SWEEP_SECONDS: '2',
    // Settings that several processes must share.
    ...(apiCount > 1 && {
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    }),
    // `WARM_TURNS=1 npm run test:one -- FILES` runs any tests without warm conversations.
    ...(process.env['WARM_TURNS'] !== undefined && { WARM_TURNS: process.env['WARM_TURNS'] }),
    // Nothing listens there: a test that wants a workspace names its own.
    DOCS_API_URL: 'http://127.0.0.1:9',
    ...options.env,
  };
  stacks += 1;
  const log = (name: string) => join(shared.folder, `${name}-${stacks}.log`);
  const logs = { api: log('api'), worker: log('worker') };
  const db = connectDatabase(databaseUrl, 4);
  const apiPorts = apiCount === 1 ? [port] : await Promise.all(times(apiCount, freePort));
  const balancer = apiCount === 1 ? undefined : await startBalancer({ port, targets: apiPorts });
  const [apis, workers, connection] = await Promise.all([
    Promise.all(apiPorts.map((one) => startOwnProcess('api', { ...env, PORT: String(one) }, logs.api))),
    Promise.all(times(workerCount, () => startOwnProcess('worker', env, logs.worker))),
    Connection.connect({ address: shared.temporalAddress }),
  ]);
  const apiUrl = `http://127.0.0.1:${port}/v1`;
  const newCaller = async () => {
    const { id: organizationId } = await createOrganization(db, 'an organization');
    const { id: tokenId, token } = await createToken(db, { organizationId, name: 'a token' });
    return { organizationId, token, tokenId, api: new ApiClient(apiUrl, token) };
  };
  return {
    ...(await newCaller()),
    apiUrl,
    db,
    databaseUrl,
    temporal: { client: new Client({ connection, namespace }), address: shared.temporalAddress, namespace },
    receiver,
    postgresLine,
    temporalLine,
    apis,
    workers,
    apiProcess: together(apis),
    worker: together(workers),
    logs,
    env,
    stranger: newCaller,
    stop: async () => {
      // Killed: a clean stop would wait for runs that a test has left behind. That it works has tests of its own.
      await Promise.all([...apis, ...workers].filter(({ pid }) => isAlive(pid)).map((one) => one.kill()));
      await Promise.all([
        balancer?.close(),
        receiver.close(),
        ...proxies.map((one) => one.close()),
        db.close(),
      ]);
      await connection.close();
    },
  };
}

/** @param server from then on that of the proxy @returns the proxy */
async function proxyBefore(server: URL): Promise<TcpProxy> {
  const proxy = await startTcpProxy({ host: server.hostname, port: Number(server.port) });
  server.host = `127.0.0.1:${proxy.port}`;
  return proxy;
}

/** Takes the place of the proxies of a stack without them; throws if a test uses it. */
const noLine = new Proxy({} as TcpProxy, {
  get: () => {
    throw new Error('This stack was started without lines.');
  },
});

function times<T>(count: number, make: () => Promise<T>): Promise<T>[] {
  return Array.from({ length: count }, make);
}

/**
 * A stack for the tests of this `describe` alone, which may break it: started before the first, stopped after the last.
 */
export function useStack(options?: StackOptions | (() => Promise<StackOptions>)): () => Stack {
  return provide(
    async () => await startStack(typeof options === 'function' ? await options() : options),
    async (stack) => {
      await stack.stop();
    },
  );
}

/** The stack that all files share that leave it as it is, with an organization of one's own in it. */
export const useSharedStack = shareStack(async () => {
  // A second: many files wait until a workflow is idle.
  const env = {
    WARM_SECONDS: '1',
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    TOOL_ALLOW: '127.0.0.1',
  };
  const stack = await startStack({ env, lines: false });
  beforeBackingStops(stack.stop);
  return stack;
});

/** The shared stack for files that call every operation, which is more than a token or an organization may. */
export const useUnlimitedStack = shareStack(async () => {
  const env = {
    RATE_LIMIT: 'off',
    ORGANIZATION_RATE_LIMIT: 'off',
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  };
  const stack = await startStack({ env, lines: false });
  beforeBackingStops(stack.stop);
  return stack;
});

/** One of an API alone, behind a proxy, for files about sign-in: no worker is needed for it. */
export const useSignInStack = shareStack(async () => {
  const env = {
    TRUST_PROXY: '1',
    ORGANIZATION_RATE_LIMIT: 'off',
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  };
  const stack = await startStack({ workers: 0, env });
  beforeBackingStops(stack.stop);
  return stack;
});

/** @param start begins it once, for all files that use it, and sees to its end
 *  @returns what gives a file that stack, with an organization of its own in it */
export function shareStack<S extends Stack>(start: () => Promise<S>): () => () => S {
  let shared: Promise<S> | undefined;
  const joined = async () => {
    shared ??= start();
    const stack = await shared;
    return { ...stack, ...(await stack.stranger()) };
  };
  return () => provide(joined, () => undefined);
}

/** A stack that is started before the tests of a file, with its own way to end it, if any. */
function provide<S extends Stack>(
  start: () => Promise<S>,
  stop: (stack: S) => Promise<void> | undefined,
): () => S {
  let stack: S | undefined;
  before(async () => {
    stack = await start();
  });
  after(async () => {
    if (stack !== undefined) await stop(stack);
  });
  return () => {
    if (stack === undefined) throw new Error('the stack is there only while tests run');
    return stack;
  };
}
