import assert from 'node:assert/strict';
import { useSharedStack } from '../../support/stack.ts';

describe('DELETE /agents/{id}', () => {
  const stack = useSharedStack();

  it('204: its conversations stay readable, and it accepts no new messages', async () => {
    const { api } = stack();
    const { id, inbox_id } = await api.createAgent({ script: [{ reply: 'ok' }] });
    const { conversation_id } = await api.ask(id, { message: 'a' });
    const gone = await api.call('DELETE', `/agents/${id}`);
    assert.deepEqual([gone.status, gone.body], [204, '']);
    assert.equal((await api.messages(conversation_id)).length, 2);
    assert.equal((await api.call('GET', `/conversations/${conversation_id}`)).status, 200);
    await api.refused(404, 'GET', `/agents/${id}`);
    await api.refused(404, 'DELETE', `/agents/${id}`);
    await api.refused(404, 'PATCH', `/agents/${id}`, { body: {} });
    for (const target of [id, inbox_id]) {
      await api.refused(404, 'POST', `/chat/${target}`, { body: { message: 'b', conversation_id } });
      await api.refused(404, 'POST', `/chat/${target}`, { body: { message: 'b' } });
    }
  });

  it('204: messages accepted before are still answered', async () => {
    const { api } = stack();
    const { id } = await api.createAgent({ script: [{ reply: 'late', delay_ms: 400 }] });
    const { conversation_id } = await api.send(id, { message: 'a' });
    assert.equal((await api.call('DELETE', `/agents/${id}`)).status, 204);
    assert.deepEqual(
      (await api.settled(conversation_id)).map(({ text }) => text),
      ['a', 'late'],
    );
  });
});
