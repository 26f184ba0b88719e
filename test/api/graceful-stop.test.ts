/** SIGTERM: an API completes its open calls and takes no new ones; a worker completes what it posts and runs. */
import assert from 'node:assert/strict';
import { withHeldSteps } from '../support/held-steps.ts';
import { useStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

describe('A process that gets SIGTERM', () => {
  const stack = useStack({ apis: 1, workers: 1 });

  it('as an API completes the call in progress, refuses connections, and ends with exit code 0', async () => {
    const { api, db, apiProcess, apiUrl } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'in time', delay_ms: 2000 }] });
    const call = api.call('POST', `/chat/${agent.id}`, { body: { message: 'a', sync: true } });
    await until('the run to begin', async () => {
      return (await db.knex('runs').where({ agent_id: agent.id, state: 'running' })).length > 0;
    });
    const ended = apiProcess.stop();
    await until('connections to be refused', async () => {
      const answer = await fetch(new URL('/healthz', apiUrl), { headers: { connection: 'close' } }).catch(
        () => undefined,
      );
      return answer === undefined;
    });
    const { status, body } = await call;
    assert.deepEqual([status, (body as { response: string }).response], [200, 'in time']);
    assert.equal(await ended, 'exit code 0');
    await apiProcess.start();
  });

  it('as an API writes the log of the requests that it has answered', async () => {
    const { api, apiProcess, db } = stack();
    const { headers } = await api.call('GET', '/agents');
    assert.equal(await apiProcess.stop(), 'exit code 0');
    const id = headers.get('parley-request-id');
    assert.equal((await db.knex('api_requests').where({ id })).length, 1);
    await apiProcess.start();
  });

  it('as an API leaves a call that takes longer to the history: the message is answered once', async () => {
    const { api, db, apiProcess } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'later' }] });
    const conversation = await withHeldSteps(stack(), async () => {
      const call = api.call('POST', `/chat/${agent.id}`, { body: { message: 'a', sync: true } }).then(
        ({ status }) => status,
        () => 'cut',
      );
      const begun = await until('the run to begin', async () => {
        const [run] = await db
          .knex<{ agent_id: string; conversation_id: string }>('runs')
          .where({ agent_id: agent.id });
        return run?.conversation_id;
      });
      assert.equal(await apiProcess.stop(), 'exit code 0');
      assert.equal(await call, 'cut');
      return begun;
    });
    await apiProcess.start();
    const messages = await api.settled(conversation);
    assert.deepEqual(
      messages.map(({ text }) => text),
      ['a', 'later'],
    );
  });

  it('as a worker completes its run and its callback, and ends with exit code 0; none is attempted again', async () => {
    const { api, receiver, worker, db } = stack();
    const agent = await api.createAgent({
      script: [{ when: 'slow', reply: 'ran', delay_ms: 3000 }, { reply: 'ok' }],
    });
    const [posting, running] = ['/posting', '/running'];
    receiver.behave(posting, { delayMs: 2500 });
    const posted = await api.send(agent.id, { message: 'quick', webhook_url: receiver.url(posting) });
    const ran = await api.send(agent.id, { message: 'slow', webhook_url: receiver.url(running) });
    await receiver.waitFor(posting, 1);
    await until('the run to begin', async () => {
      const { conversation_id } = ran;
      return (await db.knex('runs').where({ conversation_id, state: 'running' })).length > 0;
    });
    assert.equal(await worker.stop(), 'exit code 0');
    const [delivery] = await api.deliveries({ conversation_id: posted.conversation_id });
    assert.equal(delivery?.status, 'delivered');
    await worker.start();
    await api.settled(ran.conversation_id);
    await until('its callback', async () => {
      const [last] = await api.deliveries({ conversation_id: ran.conversation_id });
      return last?.status === 'delivered';
    });
    assert.deepEqual(
      [posting, running].map((path) => receiver.requestsTo(path).length),
      [1, 1],
    );
  });
});
