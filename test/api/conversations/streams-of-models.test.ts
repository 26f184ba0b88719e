import assert from 'node:assert/strict';
import { chatAnswer } from '../../../src/contract/conversations/chat.ts';
import { allTold, kinds, lastOf, textsOf, told } from '../../support/event-reader.ts';
import { useModelStack } from '../../support/model-stack.ts';

describe('A streamed call to a language model', () => {
  const stack = useModelStack();

  it('streams the text as the model writes it, equal to the stored text', async () => {
    const { api, model } = stack();
    const text = '  Two lines,\n\n and one more 🦊. \n';
    model.answer('write', { kind: 'stream', text });
    const agent = await api.createAgent();
    const events = await allTold(told(api, `/chat/${agent.id}`, { body: { message: 'write', sync: true } }));
    assert.deepEqual(textsOf(events), [text.trim()]);
    assert.equal(chatAnswer.parse(lastOf(events).data).response, text.trim());
  });

  it('withdraws the text of a broken model call, and streams the next call', async () => {
    const { api, model } = stack();
    model.answer('break', { kind: 'cut', text: 'Half of i' }, { kind: 'stream', text: 'The whole of it.' });
    const agent = await api.createAgent();
    const events = await allTold(told(api, `/chat/${agent.id}`, { body: { message: 'break', sync: true } }));
    assert.deepEqual(kinds(events), ['accepted', 'delta', 'restart', 'delta', 'completed']);
    assert.deepEqual(textsOf(events), ['The whole of it.']);
  });
});
