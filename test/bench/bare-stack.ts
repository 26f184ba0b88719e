/** The bare shape, running: an API and a worker of their own on the common ground. */
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../src/local/ports.ts';
import { startNodeChild } from '../../src/local/node-child.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import type { Ground } from './ground.ts';
import { call, type Subject } from './load.ts';

export interface RunningSubject extends Subject {
  pids: Record<string, number>;
  /** The workflow of a conversation that was sent to. */
  workflowId: (conversation: string) => string;
  stop: () => Promise<void>;
}

const table = `
create table message (id bigint generated always as identity primary key, turn text not null, role text not null,
  conversation text not null, text text not null, unique (turn, role));
create index message_conversation on message (conversation, id);`;

export async function startBare(ground: Ground): Promise<RunningSubject> {
  const databaseUrl = await ground.database('bare');
  const admin = new pg.Client(databaseUrl);
  await admin.connect();
  await admin.query(table);
  await admin.end();
  const port = await freePort();
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: ground.temporalAddress,
    PORT: String(port),
  };
  const program = async (name: string, saysWhenUp: string) =>
    await startNodeChild({
      name: `bare ${name}`,
      script: join(projectRoot, 'test/bench/bare', `${name}.ts`),
      saysWhenUp,
      env,
      log: join(ground.folder, `bare-${name}.log`),
    });
  const [api, worker] = await Promise.all([program('api', 'listening'), program('worker', 'running')]);
  return {
    pids: { api: api.pid, worker: worker.pid },
    workflowId: (conversation) => `bare/${conversation}`,
    send: async ({ conversation, text, webhook }) => {
      const body = { message: text, webhook_url: webhook };
      await call('POST', `http://127.0.0.1:${port}/${conversation}`, 202, { body });
    },
    stop: async () => {
      await Promise.all([api.stop(), worker.stop()]);
    },
  };
}
