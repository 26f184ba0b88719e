import assert from 'node:assert/strict';
import { useStack } from '../support/stack.ts';

describe('POST /chat/{id}', () => {
  const stack = useStack();

  describe('202', () => {
    it('is followed by the answer in the history and one callback', async () => {
      const { api, receiver } = stack();
      const agent = await api.createAgent({ script: [{ when: 'my name is (\\w+)', reply: 'Hello $1' }] });
      const { status, conversation_id } = await api.send(agent.id, {
        message: 'my name is Ada',
        webhook_url: receiver.url('/first'),
      });
      assert.equal(status, 'processing');
      const messages = await api.settled(conversation_id);
      assert.deepEqual(
        messages.map(({ role, text }) => [role, text]),
        [
          ['user', 'my name is Ada'],
          ['agent', 'Hello Ada'],
        ],
      );
      const [callback] = await receiver.callbacks('/first', 1);
      assert.equal(callback?.event, 'message.completed');
    });
  });
});
