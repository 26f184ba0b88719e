/** The work in progress of one organization takes nothing that another one needs. */
import assert from 'node:assert/strict';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { modelSettings } from '../support/model-stack.ts';
import { startStack, useStack, type Stack } from '../support/stack.ts';
import { until } from '../support/until.ts';

const conversations = 300;

describe('An organization with 300 conversations at a model that hangs', () => {
  let model: ModelServer;
  let stack: Stack;
  before(async () => {
    model = await startModelServer();
    stack = await startStack({
      env: {
        ...modelSettings,
        ...{ MODEL_BASE_URL: model.baseUrl, MODEL_TIMEOUT_SECONDS: '120' },
        // Fewer places than there are conversations, and enough model calls for all of them.
        ...{ ACTIVITY_SLOTS: '100', MODEL_CONCURRENCY: '1000', ORGANIZATION_ACTIVITY_SHARE: '0.5' },
      },
    });
  });
  after(async () => {
    await stack.stop();
    await model.close();
  });

  it('does not delay another organization’s message, and loses none of its own', async () => {
    const [many, one] = [await stack.stranger(), await stack.stranger()];
    let hangs = true;
    model.answerWhere((body) =>
      hangs && JSON.stringify(body.messages).includes('slow one') ? { kind: 'hang' } : undefined,
    );
    const [slow, quick] = [await many.api.createAgent(), await one.api.createAgent()];
    const sent: { conversation_id: string }[] = [];
    for (let n = 0; n < conversations; n += 20) {
      const some = Array.from({ length: 20 }, (_, k) =>
        many.api.send(slow.id, { message: 'slow one', contact: { id: `c${n + k}` } }),
      );
      sent.push(...(await Promise.all(some)));
    }
    await until('all of them to have been taken, and its share of the worker to hang', async () => {
      const running = await stack.db.knex('runs').where({ state: 'running' });
      return running.length === conversations && model.callsFor('slow one').length >= 50;
    });
    for (let n = 0; n < 5; n++) {
      const began = performance.now();
      const { response } = await one.api.ask(quick.id, { message: `hello ${n}` });
      assert.equal(response, `echo: hello ${n}`);
      const took = performance.now() - began;
      assert.ok(took < 2000, `answered after ${Math.round(took)} ms`);
    }
    assert.equal(model.callsFor('slow one').length, 50);
    // An operator reads why the others wait.
    const waiting = await until('one that says why it waits', async () => {
      for (const { conversation_id } of sent) {
        const { raw } = await stack.temporal.client.workflow
          .getHandle(`conversation/${conversation_id}`)
          .describe();
        const why = raw.pendingActivities?.[0]?.lastFailure?.message;
        if (why !== undefined && why !== null && why !== '') return why;
      }
      return undefined;
    });
    assert.match(waiting, /^The organization has 50 activities in this worker, its share/);
    hangs = false;
    await stack.worker.kill();
    await stack.worker.start();
    for (const { conversation_id } of sent) await many.api.settled(conversation_id, 1, 180_000);
  });
});

describe('An organization whose calls hold connections to Postgres', () => {
  const stack = useStack();

  it('leaves some of them to other organizations', async () => {
    const [many, one] = [await stack().stranger(), await stack().stranger()];
    const [slow, quick] = [
      await many.api.createAgent({ script: [{ reply: 'ok' }] }),
      await one.api.createAgent({ script: [{ reply: 'ok' }] }),
    ];
    const { conversation_id } = await many.api.send(slow.id, { message: 'first' });
    await many.api.settled(conversation_id, 1);
    // Whoever writes into this conversation waits for its row, with a connection of the API.
    const client = await stack().db.pool.connect();
    await client.query('begin');
    await client.query('select 1 from conversations where id = $1 for update', [conversation_id]);
    const calls = Array.from({ length: 30 }, (_, n) =>
      many.api.call('POST', `/chat/${slow.id}`, { body: { message: `m${n}`, conversation_id } }),
    );
    try {
      await until('its share of the pool to be held', async () => {
        const { rows } = await stack().db.pool.query<{ n: number }>(
          `select count(*)::integer as n from pg_stat_activity where wait_event_type = 'Lock'
             and datname = current_database()`,
        );
        return rows[0]!.n >= 4;
      });
      for (let n = 0; n < 3; n++) {
        const began = performance.now();
        await one.api.send(quick.id, { message: 'quick' });
        const took = performance.now() - began;
        assert.ok(took < 2000, `accepted after ${Math.round(took)} ms`);
      }
    } finally {
      await client.query('rollback');
      client.release();
    }
    const answers = await Promise.all(calls);
    assert.deepEqual(
      answers.filter(({ status }) => status !== 202 && status !== 503),
      [],
    );
    for (const { headers } of answers.filter(({ status }) => status === 503))
      assert.match(headers.get('retry-after') ?? '', /^\d+$/);
    const accepted = answers.filter(({ status }) => status === 202).length;
    assert.ok(accepted > 0);
    const messages = await many.api.settled(conversation_id, 1 + accepted, 60_000);
    assert.equal(messages.filter(({ role }) => role === 'user').length, 1 + accepted);
  });
});
