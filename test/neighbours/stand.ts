/** Parley as it is shipped, with its own limits, for two organizations: B, who is watched, and A, who attacks. One API
 *  and one worker, on a database and a namespace of their own; one that ends is counted and started again. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { connectDatabase, type Database } from '../../src/adapters/postgres/database.ts';
import { createOrganization } from '../../src/adapters/postgres/accounts/organizations.ts';
import { createToken } from '../../src/adapters/postgres/accounts/tokens.ts';
import { startNodeChild, type NodeChild } from '../../src/local/node-child.ts';
import { freePort } from '../../src/local/ports.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { residentBytes } from '../bench/process-cost.ts';
import { ApiClient } from '../support/api-client.ts';
import { backing } from '../support/backing.ts';
import { compileCache } from '../support/compile-cache.ts';

export interface Organization {
  organizationId: string;
  token: string;
  api: ApiClient;
}

export interface Stand {
  /** `http://127.0.0.1:…` */
  origin: string;
  db: Database;
  a: Organization;
  b: Organization;
  /** MiB that each of our processes holds now; 0 while it is being started again. */
  resident: () => Record<ProcessName, number>;
  /** SIGKILL, if it is up. */
  kill: (name: ProcessName) => void;
  /** How often one of them ended. */
  restarts: () => number;
  stop: () => Promise<void>;
}

type ProcessName = (typeof names)[number];

const names = ['api', 'worker'] as const;
const mebibyte = 1024 * 1024;

/** @param options.root where the source is read from: a copy with a fix undone, or the project itself */
export async function startStand(options: { root?: string; env: NodeJS.ProcessEnv }): Promise<Stand> {
  const { root = projectRoot, env: more } = options;
  const shared = await backing();
  const [databaseUrl, namespace, port] = await Promise.all([
    shared.freshDatabase(),
    shared.freshNamespace(),
    freePort(),
  ]);
  const env: NodeJS.ProcessEnv = {
    ...{ PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_ENV: 'test', PORT: String(port) },
    ...compileCache,
    ...{ DATABASE_URL: databaseUrl, WORKFLOW_BUNDLE: shared.workflowBundle, LOG_LEVEL: 'warn' },
    ...{ TEMPORAL_ADDRESS: shared.temporalAddress, TEMPORAL_NAMESPACE: namespace },
    TEMPORAL_CONFIG_FILE: join(shared.folder, 'no-temporal-settings.toml'),
    ...{ CALLBACK_ALLOW: '127.0.0.1/32', GATEWAY_ALLOW: '127.0.0.1/32' },
    ...{ ENCRYPTION_KEY: randomBytes(32).toString('base64'), SWEEP_SECONDS: '2' },
    // `WARM_TURNS=1 npm run test:neighbours` runs without warm conversations.
    ...(process.env['WARM_TURNS'] !== undefined && { WARM_TURNS: process.env['WARM_TURNS'] }),
    ...more,
  };
  let over = false;
  let restarts = 0;
  const children = new Map<ProcessName, NodeChild>();
  const launch = async (name: ProcessName): Promise<void> => {
    const child = await startNodeChild({
      ...{ name, env, script: join(root, `src/main-${name}.ts`) },
      saysWhenUp: name === 'api' ? 'listening' : 'running',
      log: join(shared.folder, `${name}-${namespace}.log`),
    });
    children.set(name, child);
    void child.exited.then(async () => {
      if (over) return;
      restarts += 1;
      children.delete(name);
      await launch(name).catch((error: unknown) => {
        if (!over) throw error;
      });
    });
  };
  const db = connectDatabase(databaseUrl, 4);
  await Promise.all(names.map(launch));
  const origin = `http://127.0.0.1:${port}`;
  const organization = async (name: string): Promise<Organization> => {
    const { id: organizationId } = await createOrganization(db, name);
    const { token } = await createToken(db, { organizationId, name });
    return { organizationId, token, api: new ApiClient(`${origin}/v1`, token) };
  };
  return {
    ...{ origin, db, a: await organization('A'), b: await organization('B') },
    resident: () => {
      const of = (name: ProcessName) => {
        const child = children.get(name);
        try {
          // Not a number for one that is ending.
          return child === undefined ? 0 : residentBytes(child.pid) / mebibyte || 0;
        } catch {
          // It has ended this very moment.
          return 0;
        }
      };
      return { api: of('api'), worker: of('worker') };
    },
    kill: (name) => {
      const pid = children.get(name)?.pid;
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
    },
    restarts: () => restarts,
    stop: async () => {
      over = true;
      // Killed: a clean stop would wait for what the attack has left.
      for (const { pid } of children.values()) process.kill(pid, 'SIGKILL');
      await Promise.all([...children.values()].map(({ exited }) => exited));
      await db.close();
    },
  };
}
