import assert from 'node:assert/strict';
import { allTold, pathOf, textsOf, told } from '../../support/event-reader.ts';
import { withHeldSteps } from '../../support/held-steps.ts';
import { useStack } from '../../support/stack.ts';

describe('POST /chat/{id} with sync, where the limit is short', () => {
  const stack = useStack({ env: { SYNC_TIMEOUT_SECONDS: '0.5' } });

  it('504 sync_timeout with the conversation; the answer is added to the history later', async () => {
    const { api } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'late' }] });
    const body = await withHeldSteps(stack(), () =>
      api.refused(504, 'POST', `/chat/${agent.id}`, { body: { message: 'a', sync: true } }),
    );
    const { conversation_id = '', error } = body;
    assert.deepEqual(body, { error, code: 'sync_timeout', conversation_id });
    assert.deepEqual(
      (await api.settled(conversation_id)).map(({ text }) => text),
      ['a', 'late'],
    );
  });

  it('a repeat with the same Idempotency-Key gets the 504 again', async () => {
    const { api } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'late' }] });
    const call = { body: { message: 'a', sync: true }, headers: { 'idempotency-key': 'slow' } };
    const first = await withHeldSteps(stack(), () => api.refused(504, 'POST', `/chat/${agent.id}`, call));
    await api.settled(first.conversation_id ?? '');
    assert.deepEqual(await api.refused(504, 'POST', `/chat/${agent.id}`, call), first);
    assert.equal((await api.messages(first.conversation_id ?? '')).length, 2);
  });

  it('a stream also ends with sync_timeout, and can be resumed', async () => {
    const { api } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'one two three', word_ms: 400 }] });
    const heard = await withHeldSteps(stack(), () =>
      allTold(told(api, `/chat/${agent.id}`, { body: { message: 'a', sync: true } })),
    );
    const [accepted] = heard;
    assert.ok(accepted?.event === 'accepted');
    const last = heard.at(-1)!;
    assert.ok(last.event === 'failed' && last.data.code === 'sync_timeout');
    const path = pathOf(accepted.data.stream_url);
    let events = heard;
    while (events.at(-1)!.event === 'failed') {
      const seen = events.filter(({ id }) => id !== '');
      const more = await allTold(told(api, path, { headers: { 'last-event-id': seen.at(-1)!.id } }));
      events = [...seen, ...more];
    }
    assert.deepEqual(textsOf(events), ['one two three']);
    assert.equal(events.at(-1)!.event, 'completed');
  });
});
