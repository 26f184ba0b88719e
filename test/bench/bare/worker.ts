/** The worker of the bare shape: a stub model and a row for each message, then a POST. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, NativeConnection, Runtime, Worker, bundleWorkflowCode } from '@temporalio/worker';
import pg from 'pg';
import { sendToParent, untilStopped } from '../../../src/process-life.ts';
import { call, modelMs } from '../load.ts';

export interface BareMessage {
  turn: string;
  message: string;
  webhook: string;
}

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 20 });

const activities = {
  async answer(conversation: string, turn: string, message: string): Promise<string> {
    await pool.query('select role, text from message where conversation = $1 order by id desc limit 50', [
      conversation,
    ]);
    await sleep(modelMs);
    const text = `echo: ${message}`;
    await pool.query(
      `insert into message (turn, role, conversation, text) values ($1, 'user', $2, $3), ($1, 'agent', $2, $4)
         on conflict do nothing`,
      [turn, conversation, message, text],
    );
    return text;
  },
  async callback(url: string, body: unknown): Promise<void> {
    await call('POST', url, 200, { body });
  },
};
export type BareActivities = typeof activities;

Runtime.install({ logger: new DefaultLogger('ERROR') });
const connection = await NativeConnection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' });
const worker = await Worker.create({
  connection,
  taskQueue: 'bare',
  workflowBundle: await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('workflows.ts', import.meta.url)),
    logger: new DefaultLogger('ERROR'),
  }),
  maxConcurrentActivityTaskExecutions: 200,
  maxConcurrentWorkflowTaskExecutions: 100,
  maxCachedWorkflows: 1000,
  activities,
});
const running = worker.run();
sendToParent({ type: 'running' });
void untilStopped().then(() => {
  worker.shutdown();
});
await running;
process.exit(0);
