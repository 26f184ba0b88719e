/** Measures the parts on which a turn depends, each alone, on this machine, now. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Ground } from './ground.ts';
import { call, hammer } from './load.ts';
import { percentile, rounded } from './numbers.ts';
import type { Product } from './product-stack.ts';

export interface Rate {
  perSecond: number;
  p50: number;
}

const connections = 16;

async function rateOf(work: (count: number) => Promise<unknown>, ms: number): Promise<Rate> {
  const { perSecond, ms: times } = await hammer(work, { connections, ms });
  return { perSecond, p50: rounded(percentile(times, 0.5), 2) };
}

/** One row a statement into a plain table, each its own durable transaction. */
export async function insertCeiling(ground: Ground, ms: number): Promise<Rate> {
  const pool = new pg.Pool({ connectionString: await ground.database('ceiling'), max: connections });
  await pool.query('create table message (id uuid primary key, text text not null, created_at timestamptz)');
  const statement = { name: 'insert', text: 'insert into message values ($1, $2, now())' };
  const rate = await rateOf(() => pool.query({ ...statement, values: [randomUUID(), 'hello'] }), ms);
  await pool.end();
  return rate;
}

/** The cheapest authenticated read of the product's API. */
export async function readCeiling(product: Product, ms: number): Promise<Rate> {
  const { baseUrl, headers } = product;
  return await rateOf(() => call('GET', `${baseUrl}/agents?limit=1`, 200, { headers }), ms);
}

/** Signal-with-start that no worker takes up: on a workflow each, or always on the same few. */
export async function signalCeiling(ground: Ground, ms: number, workflows: 'new' | 'same'): Promise<Rate> {
  const { client } = ground;
  const run = randomUUID();
  const began: string[] = [];
  const rate = await rateOf(async (count) => {
    const workflowId = `ceiling/${run}/${workflows === 'new' ? count : count % connections}`;
    if (workflows === 'new' || count < connections) began.push(workflowId);
    await client.workflow.signalWithStart('nobody', {
      taskQueue: 'nobody',
      workflowId,
      signal: 'message',
      signalArgs: [{ at: count }],
    });
  }, ms);
  // Temporal would check open workflows for as long as the other measurements run.
  await Promise.all(began.map((id) => client.workflow.getHandle(id).terminate()));
  return rate;
}
