import assert from 'node:assert/strict';
import { useSharedStack } from '../../support/stack.ts';

describe('PATCH /inboxes/{id}', () => {
  const stack = useSharedStack();

  it('200: new conversations go to the newly bound agent, existing ones keep theirs', async () => {
    const { api } = stack();
    const one = await api.createAgent({ script: [{ reply: 'one' }] });
    const two = await api.createAgent({ script: [{ reply: 'two' }] });
    const first = await api.ask(one.inbox_id, { message: 'a' });
    assert.equal(first.response, 'one');
    const { status, body } = await api.call('PATCH', `/inboxes/${one.inbox_id}`, {
      body: { agent_id: two.id },
    });
    assert.deepEqual([status, body], [200, { id: one.inbox_id, agent_id: two.id }]);
    assert.equal((await api.ask(one.inbox_id, { message: 'b' })).response, 'two');
    const { conversation_id } = first;
    assert.equal((await api.ask(one.inbox_id, { message: 'c', conversation_id })).response, 'one');
    assert.equal((await api.ask(one.id, { message: 'd' })).response, 'one');
  });

  it('422: an agent that does not exist, or belongs to another organization', async () => {
    const { api } = stack();
    const { inbox_id } = await api.createAgent();
    const theirs = await (await stack().stranger()).api.createAgent();
    const answers = [];
    for (const agent_id of [theirs.id, '01890000-0000-7000-8000-000000000000']) {
      answers.push(await api.refused(422, 'PATCH', `/inboxes/${inbox_id}`, { body: { agent_id } }));
    }
    assert.deepEqual(
      answers[0]?.details?.map(({ path }) => path),
      ['agent_id'],
    );
    assert.deepEqual(answers[0], answers[1]);
  });

  it('404 for an unknown inbox, before the body is validated', async () => {
    const body = { agent_id: '01890000-0000-7000-8000-000000000000' };
    await stack().api.refused(404, 'PATCH', '/inboxes/01890000-0000-7000-8000-000000000001', { body });
  });
});
