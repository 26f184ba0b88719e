/** Scripts that cost much, or wait long, are at the expense of their own organization. */
import assert from 'node:assert/strict';
import { useStack } from '../../support/stack.ts';

describe('A scripted agent', () => {
  const stack = useStack({ env: { MODEL_CONCURRENCY: '2' } });
  const planted = '(?:.?){1000}'.repeat(66);

  it('whose expressions would stop the API for minutes is refused at once, rule by rule', async () => {
    const { api } = stack();
    const script = Array.from({ length: 200 }, (_, index) => ({ when: `${planted}${index}`, reply: 'x' }));
    const began = Date.now();
    const { details } = await api.refused(422, 'POST', '/agents', { body: { name: 'planted', script } });
    assert.ok(Date.now() - began < 10_000, `${Date.now() - began} ms`);
    assert.equal(details?.[0]?.path, 'script.0.when');
    assert.match(details[0].message, /^is too large: /);
  });

  it('that was stored with such a script fails its own message, while others are answered', async () => {
    const { api, db, stranger } = stack();
    const hostile = await api.createAgent();
    const script = JSON.stringify(Array.from({ length: 200 }, () => ({ when: planted, reply: 'x' })));
    await db.knex('agents').where({ id: hostile.id }).update({ script });
    const sent = await api.send(hostile.id, { message: 'a'.repeat(32_000) });
    const { api: theirs } = await stranger();
    const agent = await theirs.createAgent({ script: [{ reply: 'here' }] });
    assert.equal((await theirs.ask(agent.id, { message: 'hello' })).response, 'here');
    const [input] = await api.settled(sent.conversation_id, 0);
    assert.ok(input?.role === 'user' && input.status === 'failed');
  });

  it('that waits has a slot meanwhile: a third one waits until it is given back', async () => {
    const { api } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'late', delay_ms: 2000 }] });
    const began = Date.now();
    await Promise.all(['a', 'b', 'c'].map((message) => api.ask(agent.id, { message })));
    assert.ok(Date.now() - began >= 4000, `${Date.now() - began} ms`);
  });

  it('waits a minute at most, in all', async () => {
    const { api } = stack();
    for (const rule of [{ delay_ms: 60_001 }, { word_ms: 10_001 }]) {
      await api.refused(422, 'POST', '/agents', {
        body: { name: 'slow', script: [{ reply: 'x', ...rule }] },
      });
    }
  });
});
