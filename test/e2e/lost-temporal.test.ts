/**
 * Temporal's state is lost entirely, Postgres is restored from a copy: what was accepted is answered, nothing is posted
 * twice.
 */
import assert from 'node:assert/strict';
import pg from 'pg';
import { connectDatabase } from '../../src/adapters/postgres/database.ts';
import { backing } from '../support/backing.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { modelSettings } from '../support/model-stack.ts';
import { useStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

describe('Without Temporal’s state, from Postgres alone', () => {
  let model: ModelServer;
  const stack = useStack(async () => {
    model = await startModelServer();
    return { env: { ...modelSettings, MODEL_BASE_URL: model.baseUrl, MODEL_TIMEOUT_SECONDS: '60' } };
  });
  after(() => model.close());

  it('open groups, runs in progress and pending callbacks are recovered; nothing is posted again', async () => {
    const { api, receiver, apiProcess, worker, env, databaseUrl } = stack();
    const reply = { when: '(?s)^(.*)$', reply: 'You wrote: $1' };
    const scripted = { model: 'scripted/default', script: [reply] };
    const plain = await api.createAgent(scripted);
    // A minute: for as long as the test moves time forward below.
    const grouping = await api.createAgent({ ...scripted, grouping_window_seconds: 55 });
    const slow = await api.createAgent();
    // Its run is in progress until its worker is killed.
    model.answer('b', { kind: 'hang' }, { kind: 'stream', text: 'You wrote: b' });
    const path = (of: string) => `/${of}-${crypto.randomUUID()}`;
    const paths = { answered: path('answered'), grouped: path('grouped'), running: path('running') };
    const url = (of: keyof typeof paths) => receiver.url(paths[of]);

    const answered = await api.send(plain.id, { message: 'a', webhook_url: url('answered') });
    await api.settled(answered.conversation_id);
    await receiver.waitFor(paths.answered, 1);
    const running = await api.send(slow.id, { message: 'b', webhook_url: url('running') });
    const grouped = await api.send(grouping.id, { message: 'c', webhook_url: url('grouped') });
    const { conversation_id } = grouped;
    await api.send(grouping.id, { message: 'd', webhook_url: url('grouped'), conversation_id });
    await until('the run to begin', async () => {
      const rows = await stack().db.knex('runs').where({ state: 'running' });
      return rows.length > 0 && model.callsFor('b').length > 0;
    });
    await Promise.all([apiProcess.kill(), worker.kill()]);
    assert.deepEqual(
      [paths.grouped, paths.running].map((one) => receiver.requestsTo(one).length),
      [0, 0],
    );

    const restored = await copyOf(databaseUrl);
    const db = connectDatabase(restored, 2);
    // Moves time forward by as much as recovery waits before it nudges.
    await db.pool
      .query(`update runs set claimed_at = claimed_at - interval '1 minute', closes_at = closes_at - interval '1 minute'
                           where finished_at is null`);
    const at = new URL(env['DATABASE_URL'] ?? '');
    at.pathname = new URL(restored).pathname;
    const settings = { DATABASE_URL: at.href, TEMPORAL_NAMESPACE: await (await backing()).freshNamespace() };
    await Promise.all([apiProcess.start(settings), worker.start(settings)]);

    for (const [of, conversation, text] of [
      ['running', running.conversation_id, 'You wrote: b'],
      ['grouped', conversation_id, 'You wrote: c\nd'],
    ] as const) {
      const messages = await api.settled(conversation, 1, 60_000);
      assert.deepEqual(
        messages.filter(({ role }) => role === 'agent').map((message) => message.text),
        [text],
      );
      await receiver.waitFor(paths[of], 1);
    }
    const again = await api.ask(plain.id, { message: 'e', conversation_id: answered.conversation_id });
    assert.equal(again.response, 'You wrote: e');
    const deliveries = await db.knex<{ status: string }>('deliveries').select('status');
    await db.close();
    assert.deepEqual(
      deliveries.map(({ status }) => status),
      ['delivered', 'delivered', 'delivered'],
    );
    for (const one of Object.values(paths)) assert.equal(receiver.requestsTo(one).length, 1, one);
  });

  /** A restored backup, as fast as Postgres can make one. @returns its URL */
  async function copyOf(databaseUrl: string): Promise<string> {
    const url = new URL(databaseUrl);
    const name = url.pathname.slice(1);
    url.pathname = '/postgres';
    const client = new pg.Client(url.href);
    await client.connect();
    await client.query(`alter database ${name} allow_connections false`);
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    await until('nobody at the database', async () => {
      const { rowCount } = await client.query('select from pg_stat_activity where datname = $1', [name]);
      return rowCount === 0;
    });
    await client.query(`create database ${name}_restored template ${name}`);
    await client.query(`alter database ${name} allow_connections true`);
    await client.end();
    url.pathname = `/${name}_restored`;
    return url.href;
  }
});
