import assert from 'node:assert/strict';
import { withHeldSteps } from '../../support/held-steps.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const key = (value: string) => ({ 'idempotency-key': value });

describe('Idempotency-Key, when the API is killed', () => {
  const stack = useStack();

  it('survives kill -9: a repeat adds nothing', async () => {
    const { api, apiProcess } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'once' }] });
    const body = { message: 'a' };
    const first = await api.send(agent.id, body, key('killed'));
    await apiProcess.kill();
    await apiProcess.start();
    assert.deepEqual(await api.send(agent.id, body, key('killed')), first);
    assert.equal((await api.settled(first.conversation_id)).length, 2);
  });

  it('a sync call interrupted by kill -9 gets its answer when repeated', async () => {
    const { api, apiProcess, db } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'once' }] });
    const call = { body: { message: 'a', sync: true }, headers: key('cut') };
    await withHeldSteps(stack(), async () => {
      const cut = api.call('POST', `/chat/${agent.id}`, call).then(
        () => 'answered',
        () => 'cut off',
      );
      const running = db.knex('runs').where({ agent_id: agent.id, state: 'running' });
      await until('the run', async () => (await running.clone()).length > 0);
      await apiProcess.kill();
      assert.equal(await cut, 'cut off');
    });
    await apiProcess.start();
    const { status, body } = await api.call('POST', `/chat/${agent.id}`, call);
    const { response, conversation_id } = body as { response: string; conversation_id: string };
    assert.deepEqual([status, response], [200, 'once']);
    assert.equal((await api.settled(conversation_id)).length, 2);
  });
});
