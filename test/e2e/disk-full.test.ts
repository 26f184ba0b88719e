/**
 * Postgres's disk is full: a 503 leaves nothing half done, reads still work, and everything resumes once there is
 * space.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { conversationWorkflowId } from '../../src/contract/workflows.ts';
import { backing } from '../support/backing.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { modelSettings } from '../support/model-stack.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { useStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

/** Postgres compresses no such text, so that each takes new pages. */
const longText = () => randomBytes(20_000).toString('base64');

describe('While the disk of Postgres is full', () => {
  let disk: SmallDisk;
  let databaseUrl: string;
  let model: ModelServer;
  const stack = useStack(async () => {
    databaseUrl = await (await backing()).freshDatabase();
    disk = mountSmallDisk(64);
    await moveTo(disk, databaseUrl);
    model = await startModelServer();
    const env = { ...modelSettings, MODEL_BASE_URL: model.baseUrl, MODEL_TIMEOUT_SECONDS: '120' };
    return { databaseUrl, env };
  });
  after(async () => {
    await dropFrom(databaseUrl);
    disk.remove();
    await model.close();
  });

  /** @returns once nothing of this size fits */
  async function fill(): Promise<void> {
    const { pool } = stack().db;
    await pool.query('create table filler (bytes bytea)');
    await pool.query('alter table filler alter bytes set storage external');
    for (let kilobytes = 1024; kilobytes >= 1; kilobytes /= 4) {
      for (;;) {
        const outcome = await pool
          .query('insert into filler values ($1)', [randomBytes(kilobytes * 1024)])
          .then(
            () => 'written',
            (error: unknown) => error instanceof Error && 'code' in error && error.code,
          );
        if (outcome === 'written') continue;
        assert.equal(outcome, '53100');
        break;
      }
    }
  }
  const rows = async () => {
    const tables = ['conversations', 'messages', 'runs', 'attachments', 'idempotency_keys', 'deliveries'];
    const counts = tables.map(async (table) => Number((await stack().db.knex(table).count())[0]?.['count']));
    return await Promise.all(counts);
  };

  it('calls that write get 503 and write nothing, reads work, and each message is answered once when there is space', async () => {
    const { api, receiver } = stack();
    const path = '/full';
    const text = longText();
    const quick = await api.createAgent({ model: 'scripted/default', script: [{ reply: 'ok' }] });
    const agent = await api.createAgent();
    // Its answer comes when the disk is full.
    const { promise: isFull, resolve: full } = Promise.withResolvers<undefined>();
    model.answer('long', { kind: 'stream', text, until: isFull });
    const begun = await api.send(agent.id, { message: 'long', webhook_url: receiver.url(path) });
    await until('the model to be asked', () => model.callsFor('long').length > 0);
    await fill();

    const before = await rows();
    const calls = Array.from({ length: 5 }, (_, n) => ({
      body: {
        ...{ message: `${longText()} ${n}`, webhook_url: receiver.url(path) },
        ...(n % 2 === 0 && { attachments: [{ content_base64: randomBytes(40_000).toString('base64') }] }),
      },
      headers: { 'idempotency-key': `full ${n}` },
    }));
    for (const call of calls) {
      const answer = await api.call('POST', `/chat/${quick.id}`, call);
      assert.equal(answer.status, 503, JSON.stringify(answer.body));
      assert.equal((answer.body as { code: string }).code, 'unavailable');
      assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]/);
    }
    assert.deepEqual(await rows(), before);
    assert.equal((await api.call('GET', '/agents')).status, 200);
    assert.equal((await api.messages(begun.conversation_id)).length, 1);
    assert.deepEqual(receiver.requestsTo(path), []);
    full(undefined);
    const workflow = stack().temporal.client.workflow.getHandle(
      conversationWorkflowId(begun.conversation_id),
    );
    await until('the answer not to find space', async () => {
      const [pending] = (await workflow.describe()).raw.pendingActivities ?? [];
      return (pending?.lastFailure?.message ?? '') !== '';
    });
    assert.deepEqual(receiver.requestsTo(path), []);

    disk.grow(256);
    const sent = [begun.conversation_id];
    for (const call of calls) {
      const answer = await api.call('POST', `/chat/${quick.id}`, call);
      assert.equal(answer.status, 202, JSON.stringify(answer.body));
      sent.push((answer.body as { conversation_id: string }).conversation_id);
    }
    for (const conversation of sent) {
      const messages = await api.settled(conversation, 1, 90_000);
      assert.deepEqual(
        messages.map(({ role }) => role),
        ['user', 'agent'],
      );
    }
    assert.equal((await api.messages(begun.conversation_id))[1]?.text, text);
    const callbacks = await receiver.callbacks(path, sent.length, 60_000);
    const of = callbacks.map(({ conversation_id }) => conversation_id);
    assert.deepEqual(of.sort(), sent.sort());
  });
});

/**
 * On this disk are the tables alone: without space for its log Postgres ends, and is away as in the tests of outages.
 */
async function moveTo(disk: SmallDisk, databaseUrl: string): Promise<void> {
  await asAdmin(databaseUrl, async (client, name) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const { uid, gid } = statSync(`/proc/${rows[0]?.pid}`);
    const place = join(disk.folder, 'tables');
    mkdirSync(place, { mode: 0o700 });
    chownSync(place, uid, gid);
    await client.query(`create tablespace small_${name} location '${place}'`);
    await client.query(`alter database ${name} set tablespace small_${name}`);
  });
}

/** The server, which other tests use, must not look for the disk when it is gone. */
async function dropFrom(databaseUrl: string): Promise<void> {
  await asAdmin(databaseUrl, async (client, name) => {
    await client.query(`drop database ${name} with (force)`);
    await client.query(`drop tablespace small_${name}`);
  });
}

async function asAdmin(
  databaseUrl: string,
  act: (client: pg.Client, name: string) => Promise<void>,
): Promise<void> {
  const url = new URL(databaseUrl);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const client = new pg.Client(url.href);
  await client.connect();
  try {
    await act(client, name);
  } finally {
    await client.end();
  }
}
