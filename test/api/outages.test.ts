/** Temporal, Postgres or the worker is away: 503 leaves nothing half done, a 2xx is kept. */
import assert from 'node:assert/strict';
import { acceptInput } from '../../src/adapters/postgres/conversations/inputs.ts';
import { endpoints } from '../../src/api/endpoints/index.ts';
import type { ApiAnswer, ApiClient } from '../support/api-client.ts';
import { operationBodies } from '../support/operation-bodies.ts';
import { plainError } from '../support/plain-error.ts';
import { useStack } from '../support/stack.ts';
import { unknownId } from '../support/unknown-id.ts';
import { until } from '../support/until.ts';

const unavailable = {
  error:
    'The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one.',
  code: 'unavailable',
};

async function refused(api: ApiClient, path: string, body: unknown, key?: string): Promise<void> {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  const answer = await api.call('POST', path, { body, headers });
  assert.deepEqual([answer.status, answer.body], [503, unavailable]);
  assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
}

describe('While Temporal, Postgres or the worker is unavailable', () => {
  const stack = useStack();

  let said = '';
  // Nothing where the connection broke: whoever waits for an answer asks again.
  const health = async (path: string) => {
    const url = `${new URL(stack().apiUrl).origin}${path}`;
    try {
      const answer = await fetch(url, { headers: { connection: 'close' } });
      said = await answer.text();
      return answer.status;
    } catch (error) {
      said = String(error);
      return undefined;
    }
  };
  const isBack = async () => {
    await until(
      () => `both to be back, but ${said}`,
      async () => (await health('/readyz')) === 200,
    );
  };
  const rows = async () => {
    const tables = ['conversations', 'messages', 'runs', 'attachments', 'idempotency_keys', 'deliveries'];
    const counts = tables.map(async (table) => Number((await stack().db.knex(table).count())[0]?.['count']));
    return await Promise.all(counts);
  };

  /** True if no run, no callback and no erasure is left to be done. */
  const isQuiet = async () => {
    const { knex } = stack().db;
    const open = await Promise.all([
      knex('runs').whereNull('finished_at'),
      knex('deliveries').whereIn('status', ['pending', 'attempting']),
      knex('erasures'),
    ]);
    return open.every((found: unknown[]) => found.length === 0);
  };

  /**
   * @param given the only identifier; without it each operation has things of its own, in an organization of its own
   */
  async function answersTo(operations: typeof endpoints, given?: string): Promise<Map<string, ApiAnswer>> {
    const answers = new Map<string, ApiAnswer>();
    const api = given === undefined ? (await stack().stranger()).api : stack().api;
    for (const { method, path, body: schema } of operations) {
      const name = `${method} ${path}`;
      const body =
        schema && (operationBodies[name] ?? assert.fail(`${name} needs its line in operation-bodies.ts`));
      const ids = given === undefined ? await somethingOf(api) : undefined;
      const at = path.replaceAll(/\{\w+\}/g, (word) => given ?? ids?.[word] ?? ids?.['{id}'] ?? '');
      answers.set(name, await api.call(method.toUpperCase(), at, { body }));
    }
    return answers;
  }

  /** @returns a value for each path parameter */
  async function somethingOf(api: ApiClient): Promise<Record<string, string>> {
    const agent = await api.createAgent({ script: [{ reply: 'once' }] });
    const contact = { id: crypto.randomUUID() };
    const { conversation_id } = await api.ask(agent.id, { message: 'a', contact });
    return {
      ...{ '{id}': agent.id, '{conversationId}': conversation_id, '{contactId}': contact.id },
      '{action}': 'DOCS_LIST_USERS',
    };
  }

  afterEach(async () => {
    const { postgresLine, temporalLine } = stack();
    await Promise.all([postgresLine.restore(), temporalLine.restore()]);
    await isBack();
  });

  for (const [title, takeAway] of [
    ['gone', () => stack().temporalLine.cut()],
    [
      'silent',
      () => {
        stack().temporalLine.freeze();
      },
    ],
  ] as const) {
    describe(`Temporal is ${title}`, () => {
      it('messages are accepted, and answered in order, once each, when it is back', async () => {
        const { api, receiver, temporalLine } = stack();
        const agent = await api.createAgent({ script: [{ when: '(.*)', reply: 're $1' }] });
        const windowed = await api.createAgent({ grouping_window_seconds: 0.3, script: [{ reply: 'once' }] });
        const webhook_url = receiver.url(`/${title}`);
        await isBack();
        await takeAway();
        const headers = { 'idempotency-key': `key-${title}` };
        const attachments = [{ content_base64: 'aGk=' }];
        const { conversation_id } = await api.send(
          agent.id,
          { message: '1', attachments, webhook_url },
          headers,
        );
        const again = await api.send(agent.id, { message: '1', attachments, webhook_url }, headers);
        assert.equal(again.conversation_id, conversation_id);
        await api.send(agent.id, { message: '2', conversation_id, webhook_url });
        const grouped = await api.send(windowed.id, { message: 'a' });
        assert.deepEqual(
          (await api.messages(conversation_id)).map((one) => one.role === 'user' && one.status),
          ['queued', 'queued'],
        );
        assert.deepEqual([await health('/healthz'), await health('/readyz')], [200, 200]);

        await temporalLine.restore();
        const answers = (await api.settled(conversation_id, 2)).filter(({ role }) => role === 'agent');
        assert.deepEqual(
          answers.map(({ text }) => text),
          ['re 1', 're 2'],
        );
        assert.equal((await api.settled(grouped.conversation_id)).length, 2);
        assert.equal((await receiver.callbacks(`/${title}`, 2)).length, 2);
      });

      it('a synchronous call gets 503, which leaves no input or conversation, and the Idempotency-Key unused', async () => {
        const { api, temporalLine } = stack();
        const agent = await api.createAgent({ script: [{ reply: 'once' }] });
        const before = await rows();
        await takeAway();
        const body = { message: 'a', sync: true, attachments: [{ content_base64: 'aGk=' }] };
        await Promise.all([
          refused(api, `/chat/${agent.id}`, body, `sync-${title}`),
          refused(api, `/chat/${agent.id}`, { message: 'a', sync: true, contact: { id: title } }),
        ]);
        assert.deepEqual(await rows(), before);
        assert.equal((await api.call('GET', '/agents')).status, 200);

        await temporalLine.restore();
        const headers = { 'idempotency-key': `sync-${title}` };
        const answer = await until('the API to reach Temporal again', async () => {
          const one = await api.call('POST', `/chat/${agent.id}`, { body, headers });
          return one.status !== 503 && one;
        });
        assert.equal(answer.status, 200);
        assert.equal((answer.body as { response: string }).response, 'once');
      });

      it('503 leaves an existing conversation unchanged', async () => {
        const { api } = stack();
        const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
        const { conversation_id } = await api.ask(agent.id, { message: '1' });
        const { body: before } = await api.call('GET', `/conversations/${conversation_id}`);
        await takeAway();
        await refused(api, `/chat/${agent.id}`, { message: '2', conversation_id, sync: true });
        assert.deepEqual(
          (await api.messages(conversation_id)).map(({ text }) => text),
          ['1', 'ok'],
        );
        const { body: after } = await api.call('GET', `/conversations/${conversation_id}`);
        const { updated_at: _, ...then } = before as Record<string, unknown>;
        const { updated_at: __, ...now } = after as Record<string, unknown>;
        assert.deepEqual(now, then);
      });
    });
  }

  describe('Postgres is down', () => {
    it('503 on every operation, and each works again when it is back', async () => {
      const { api, postgresLine } = stack();
      await api.createAgent();
      // The list of actions is part of the program, so an authenticated caller still gets it.
      const operations = endpoints.filter(({ path }) => path !== '/tools/docs/actions');
      const usual = await answersTo(operations);
      await until('what they began to be over', isQuiet);
      const before = await rows();
      await postgresLine.cut();
      for (const [name, answer] of await answersTo(operations, unknownId)) {
        const { status, body, headers } = plainError(answer);
        assert.deepEqual([status, body], [503, unavailable], name);
        assert.ok(headers.has('retry-after'));
      }
      assert.deepEqual([await health('/healthz'), await health('/readyz')], [200, 503]);
      assert.deepEqual(JSON.parse(said), { status: 'not ready', reason: 'Postgres does not answer' });
      await postgresLine.restore();
      await isBack();
      assert.deepEqual(await rows(), before);
      const statuses = (answers: typeof usual) => [...answers].map(([name, { status }]) => [name, status]);
      assert.deepEqual(statuses(await answersTo(operations)), statuses(usual));
      const works = [...usual.values()].filter(({ status }) => status < 300).length;
      assert.ok(works > 20, `${works} of ${usual.size} operations succeed at all`);
    });

    it('a wrong token still gets 401, not 503', async () => {
      const { api, postgresLine } = stack();
      await postgresLine.cut();
      assert.equal((await api.call('GET', '/agents', { token: 'pk_x' })).status, 401);
    });

    it('a run in progress continues once it is available again', async () => {
      const { api, postgresLine, receiver } = stack();
      const agent = await api.createAgent({ script: [{ reply: 'late', delay_ms: 800 }] });
      const body = { message: 'a', webhook_url: receiver.url('/outage') };
      const { conversation_id } = await api.send(agent.id, body);
      await postgresLine.cut();
      await api.call('GET', '/agents');
      await postgresLine.restore();
      await api.settled(conversation_id);
      const callbacks = await receiver.callbacks('/outage', 1);
      assert.equal(callbacks.length, 1);
    });
  });

  it('Postgres does not respond: 503 within the limit, and calls work again afterwards', async () => {
    const { api, postgresLine } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'once' }] });
    postgresLine.freeze();
    await refused(api, `/chat/${agent.id}`, { message: 'a' });
    await postgresLine.restore();
    const { conversation_id } = await api.send(agent.id, { message: 'b' });
    await api.settled(conversation_id);
  });

  it('no worker: inputs are accepted in order, and answered once a worker runs', async () => {
    const { api, worker } = stack();
    const agent = await api.createAgent({ script: [{ when: '(.*)', reply: 're $1' }] });
    await worker.kill();
    const { conversation_id } = await api.send(agent.id, { message: '1' });
    await api.send(agent.id, { message: '2', conversation_id });
    const queued = await api.messages(conversation_id);
    assert.deepEqual(
      queued.map((one) => one.role === 'user' && one.status),
      ['queued', 'queued'],
    );
    await worker.start();
    const answers = (await api.settled(conversation_id, 2)).filter(({ role }) => role === 'agent');
    assert.deepEqual(
      answers.map(({ text }) => text),
      ['re 1', 're 2'],
    );
  });
});

describe('While Temporal is away for longer than MAX_QUEUE_AGE_SECONDS, or a nudge is lost', () => {
  // Recovery does not look within these tests.
  const stack = useStack({ env: { MAX_QUEUE_AGE_SECONDS: '1', SWEEP_SECONDS: '600' } });
  const readiness = async () =>
    (await fetch(`${new URL(stack().apiUrl).origin}/readyz`, { headers: { connection: 'close' } })).status;

  it('messages are refused with 503 until it is back; those accepted before are answered', async () => {
    const { api, temporalLine } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'late' }] });
    await until('the API to be ready', async () => (await readiness()) === 200);
    await temporalLine.cut();
    const { conversation_id } = await api.send(agent.id, { message: 'early' });
    const send = async () => await api.call('POST', `/chat/${agent.id}`, { body: { message: 'more' } });
    await until('a refusal', async () => (await send()).status === 503);
    const refusal = await send();
    assert.deepEqual([refusal.status, refusal.body], [503, unavailable]);
    assert.equal(refusal.headers.get('retry-after'), '30');
    assert.equal(await readiness(), 503);
    await temporalLine.restore();
    await api.settled(conversation_id);
    await until('the API to accept messages again', async () => (await send()).status === 202);
    await until('the API to be ready again', async () => (await readiness()) === 200);
  });

  it('an input whose nudge was lost in a crash is nudged by an API process within seconds, not by recovery', async () => {
    const { api, db, organizationId } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'found' }] });
    // The state that an API process leaves if it ends between its commit and its signal.
    const accepted = await acceptInput(db, {
      caller: { kind: 'system' },
      organizationId,
      targetId: agent.id,
      text: 'a',
      sync: false,
    });
    assert.ok(accepted.outcome === 'accepted');
    const messages = await api.settled(accepted.conversation_id);
    assert.deepEqual(
      messages.map(({ text }) => text),
      ['a', 'found'],
    );
  });
});
