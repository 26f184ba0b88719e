/** Callbacks whose receiver's name cannot be resolved: for now, ever, or by anybody. */
import assert from 'node:assert/strict';
import type { Delivery } from '../../../src/contract/conversations/conversations.ts';
import { conversationWorkflowId } from '../../../src/contract/workflows.ts';
import { nxdomain, servfail, startNameServer, type NameServer } from '../../support/name-server.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const lookupSeconds = 120;

describe('Names of callbacks', () => {
  let server: NameServer;
  const stack = useStack(async () => {
    server = await startNameServer();
    return {
      env: {
        DNS_SERVERS: server.host,
        CALLBACK_ALLOW: '127.0.0.0/8',
        CALLBACK_LOOKUP_SECONDS: String(lookupSeconds),
      },
    };
  });
  after(() => server.close());

  const urlAt = (name: string, path: string) => {
    const url = new URL(stack().receiver.url(path));
    url.hostname = name;
    return url.href;
  };
  const ended = async (api: ReturnType<typeof stack>['api'], conversation_id: string) =>
    await until<Delivery>('the callback has ended', async () => {
      const [found] = await api.deliveries({ conversation_id });
      return found !== undefined && found.status !== 'pending' && found.status !== 'attempting' && found;
    });

  it('a name that fails for a while gets its callback once, even if the worker is killed meanwhile', async () => {
    const { api, receiver, worker, temporal } = stack();
    const name = 'soon.example.com';
    server.behave(name, { rcode: servfail });
    const agent = await api.createAgent({ script: [{ reply: 'Hello' }] });
    const { conversation_id } = await api.send(agent.id, {
      message: 'a',
      webhook_url: urlAt(name, '/soon'),
    });
    const waiting = await until('the delivery says what it waits for', async () => {
      const [found] = await api.deliveries({ conversation_id, status: 'pending' });
      return found?.error !== undefined && found;
    });
    assert.match(waiting.error ?? '', /^the name cannot be looked up now \(unavailable\)/);
    const workflow = temporal.client.workflow.getHandle(conversationWorkflowId(conversation_id));
    await until('Temporal shows what is waited for', async () => {
      const [pending] = (await workflow.describe()).raw.pendingActivities ?? [];
      return (pending?.lastFailure?.message ?? '').includes('name cannot be looked up now');
    });
    await until('it was asked for again', () => Promise.resolve(server.asked(name) >= 3));
    await worker.kill();
    await worker.start();
    const before = server.asked(name);
    await until('the next worker asks', () => Promise.resolve(server.asked(name) > before));
    server.behave(name, { addresses: ['127.0.0.1'] });
    const delivery = await ended(api, conversation_id);
    assert.deepEqual([delivery.status, delivery.error], ['delivered', undefined]);
    assert.equal(receiver.requestsTo('/soon').length, 1);
  });

  it('a name that keeps failing ends the callback after the time limit, and nothing is sent', async () => {
    const { api, receiver, db } = stack();
    server.behave('never.example.com', { rcode: servfail });
    const agent = await api.createAgent({ script: [{ reply: 'Hello' }] });
    const webhook_url = urlAt('never.example.com', '/never');
    const { conversation_id } = await api.send(agent.id, { message: 'a', webhook_url });
    // Most of the time limit passes.
    const failing = await until('the first look-up has failed', async () => {
      const { rows } = await db.pool.query<{ since: Date }>(
        `update deliveries set unresolved_since = unresolved_since - make_interval(secs => $2)
           where conversation_id = $1 and unresolved_since is not null returning unresolved_since as since`,
        [conversation_id, lookupSeconds - 10],
      );
      return rows[0];
    });
    const delivery = await ended(api, conversation_id);
    assert.deepEqual([delivery.status, delivery.error], ['failed', 'the name could not be looked up']);
    assert.ok(Date.now() - failing.since.getTime() >= lookupSeconds * 1000);
    assert.equal(receiver.requestsTo('/never').length, 0);
  });

  it('a name that does not exist ends the callback at once', async () => {
    const { api } = stack();
    server.behave('nowhere.example.com', { rcode: nxdomain });
    const agent = await api.createAgent({ script: [{ reply: 'Hello' }] });
    const webhook_url = urlAt('nowhere.example.com', '/nowhere');
    const { conversation_id } = await api.send(agent.id, { message: 'a', webhook_url });
    const delivery = await ended(api, conversation_id);
    assert.deepEqual([delivery.status, delivery.error], ['blocked', 'blocked: the name does not resolve']);
    assert.equal(server.asked('nowhere.example.com'), 1);
  });

  it('two hundred callbacks to silent names do not delay another organization’s', async () => {
    const { api, receiver, stranger } = stack();
    server.behave('.silent.example.com', { silent: true });
    server.behave('alive.example.com', { addresses: ['127.0.0.1'], ttl: 0 });
    const agent = await api.createAgent({ script: [{ reply: 'Hello' }] });
    const silent = Array.from({ length: 200 }, (_, n) => `n${n}.silent.example.com`);
    for (let n = 0; n < silent.length; n += 20)
      await Promise.all(
        silent
          .slice(n, n + 20)
          .map((name) => api.send(agent.id, { message: 'a', webhook_url: urlAt(name, '/silent') })),
      );
    await until('the silent names are asked for', () =>
      Promise.resolve(silent.filter((name) => server.asked(name) > 0).length > 10),
    );
    const other = (await stranger()).api;
    const others = await other.createAgent({ script: [{ reply: 'Hello' }] });
    const webhook_url = urlAt('alive.example.com', '/alive');
    const { conversation_id } = await other.send(others.id, { message: 'a', webhook_url });
    const delivery = await ended(other, conversation_id);
    assert.equal(delivery.status, 'delivered');
    // From its look-up on: how long the busy machine takes for the run before it is no matter of names.
    // A look-up that waits for those of the other organization would wait for 2 s and fail.
    assert.ok((delivery.duration_ms ?? Infinity) < 1900, `${delivery.duration_ms} ms`);
    assert.equal(receiver.requestsTo('/alive').length, 1);
  });
});
