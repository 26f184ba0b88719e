/** A shop's refund service, for agents to call. It makes at most one refund of an order, however often it is asked. */
import { mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { setting } from './settings.ts';

const file = setting('REFUNDS_FILE', '.data/refunds.sqlite');
mkdirSync(dirname(file), { recursive: true });
const db = new DatabaseSync(file, { timeout: 10_000 });
db.exec('create table if not exists refunds (order_number text primary key, amount real not null) strict');
// The order's number is the idempotency key. The primary key refuses a second refund, also after a restart.
const add = db.prepare('insert into refunds values (?, ?) on conflict do nothing');
const find = db.prepare('select amount from refunds where order_number = ?');
const all = db.prepare('select order_number as "order", amount from refunds order by rowid');

const server = createServer((request, response) => {
  answer(request).then(
    ({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    },
    (error: unknown) => {
      console.error(error);
      response.writeHead(500).end();
    },
  );
});
server.listen(Number(setting('PORT', '4030')), '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  console.log(`listening: http://127.0.0.1:${port}/refunds`);
});

async function answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
  if (request.url !== '/refunds') return { status: 404, body: { error: 'Use /refunds.' } };
  if (request.method === 'GET') return { status: 200, body: all.all() };
  if (request.method !== 'POST') return { status: 405, body: { error: 'Use GET or POST.' } };
  const asked = readRefund(await text(request));
  if (asked === undefined) return { status: 400, body: { error: 'Send an order and an amount above 0.' } };
  const { order, amount } = asked;
  const isNew = add.run(order, amount).changes === 1;
  const refunded = Number(find.get(order)?.['amount']);
  console.log(`${isNew ? 'refunded' : 'refunded before'}: ${order} ${refunded}`);
  if (refunded !== amount)
    return { status: 409, body: { error: `Order ${order} has a refund of ${refunded} already.` } };
  return { status: isNew ? 201 : 200, body: { order, amount, status: 'refunded' } };
}

function readRefund(body: string): { order: string; amount: number } | undefined {
  try {
    const asked: unknown = JSON.parse(body);
    if (typeof asked !== 'object' || asked === null || !('order' in asked) || !('amount' in asked))
      return undefined;
    const { order, amount } = asked;
    if (typeof order === 'string' && typeof amount === 'number' && amount > 0) return { order, amount };
  } catch {
    // The answer says what is expected.
  }
  return undefined;
}
