/** The product, running: its API and its worker as they are in production, on the common ground. */
import { join } from 'node:path';
import { z } from 'zod';
import { connectDatabase, type Database } from '../../src/adapters/postgres/database.ts';
import { migrate } from '../../src/adapters/postgres/migrate.ts';
import { createOrganization } from '../../src/adapters/postgres/accounts/organizations.ts';
import { createToken } from '../../src/adapters/postgres/accounts/tokens.ts';
import { freePort } from '../../src/local/ports.ts';
import { startNodeChild, type NodeChild } from '../../src/local/node-child.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { ensureWorkflowBundle } from '../../src/local/workflow-bundle.ts';
import { conversationWorkflowId } from '../../src/contract/workflows.ts';
import type { RunningSubject } from './bare-stack.ts';
import { namespace, type Ground } from './ground.ts';
import { call, modelMs, untilAccepted } from './load.ts';

export interface Product extends RunningSubject {
  baseUrl: string;
  headers: Record<string, string>;
  db: Database;
  /** Makes an agent. @returns its id */
  agent: (fields: Record<string, unknown>) => Promise<string>;
  /** A subject that sends to another agent. */
  to: (agentId: string) => RunningSubject['send'];
  /** The identifier of a conversation that was sent to. */
  conversationId: (conversation: string) => string;
  /** Ends the worker and starts so many with these settings. */
  restartWorkers: (count: number, env?: NodeJS.ProcessEnv) => Promise<void>;
}

const identified = z.object({ id: z.string() });
const acknowledged = z.object({ conversation_id: z.string() });

/** @param options.env settings over the product's own defaults */
export async function startProduct(
  ground: Ground,
  options: { name?: string; allow: string; env?: NodeJS.ProcessEnv },
): Promise<Product> {
  const { name = 'parley_bench', allow } = options;
  const databaseUrl = await ground.database(name);
  await migrate(databaseUrl);
  const db = connectDatabase(databaseUrl, 4);
  const { id: organizationId } = await createOrganization(db, 'Bench');
  const { token } = await createToken(db, { organizationId, name: 'bench' });
  const port = await freePort();
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: 'test',
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: ground.temporalAddress,
    TEMPORAL_NAMESPACE: namespace,
    TASK_QUEUE: name,
    WORKFLOW_BUNDLE: await ensureWorkflowBundle(),
    PORT: String(port),
    CALLBACK_ALLOW: allow,
    RATE_LIMIT: 'off',
    ORGANIZATION_RATE_LIMIT: 'off',
    ...options.env,
  };
  const program = async (
    script: 'main-api' | 'main-worker',
    saysWhenUp: string,
    more: NodeJS.ProcessEnv = {},
  ) =>
    await startNodeChild({
      name: script,
      script: join(projectRoot, `src/${script}.ts`),
      saysWhenUp,
      env: { ...env, ...more },
      log: join(ground.folder, `${name}-${script}.log`),
    });
  const api = await program('main-api', 'listening');
  let stopped: Promise<void> | undefined;
  let workers: NodeChild[] = [await program('main-worker', 'running')];
  const pids: Record<string, number> = { api: api.pid, worker: workers[0]?.pid ?? 0 };
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const headers = { authorization: `Bearer ${token}` };
  const known = new Map<string, string>();
  const agent = async (fields: Record<string, unknown>) => {
    const body = { name: `Agent ${crypto.randomUUID()}`, ...fields };
    return identified.parse(JSON.parse(await call('POST', `${baseUrl}/agents`, 201, { body, headers }))).id;
  };
  const to: Product['to'] =
    (agentId) =>
    async ({ conversation, text, webhook }) => {
      const body = { message: text, contact: { id: conversation }, webhook_url: webhook };
      const post = () => call('POST', `${baseUrl}/chat/${agentId}`, 202, { body, headers });
      const answer = await untilAccepted(post);
      known.set(conversation, acknowledged.parse(JSON.parse(answer)).conversation_id);
    };
  const conversationId = (conversation: string) => known.get(conversation) ?? '';
  const echo = await agent({
    model: 'scripted/default',
    script: [{ when: '(?s)^(.*)$', reply: 'echo: $1', delay_ms: modelMs }],
  });
  return {
    pids,
    baseUrl,
    headers,
    db,
    agent,
    to,
    send: to(echo),
    conversationId,
    workflowId: (conversation) => conversationWorkflowId(conversationId(conversation)),
    restartWorkers: async (count, more) => {
      await Promise.all(workers.map((worker) => worker.stop()));
      workers = await Promise.all(
        Array.from({ length: count }, () => program('main-worker', 'running', more)),
      );
      for (const key of Object.keys(pids)) if (key.startsWith('worker')) Reflect.deleteProperty(pids, key);
      for (const [index, { pid }] of workers.entries())
        pids[index === 0 ? 'worker' : `worker ${index + 1}`] = pid;
    },
    stop: () =>
      (stopped ??= Promise.all([api, ...workers].map((child) => child.stop())).then(() => db.close())),
  };
}
