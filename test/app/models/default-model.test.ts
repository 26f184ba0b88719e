import assert from 'node:assert/strict';
import type { Agent } from '../../../src/contract/conversations/agents.ts';
import { useModelStack } from '../../support/model-stack.ts';

describe('Another default model', () => {
  const stack = useModelStack();

  it('is used from the next start by agents for which nobody chose one, and by no other', async () => {
    const { api, apiProcess, worker, model } = stack();
    const follows = await api.createAgent();
    const pinned = await api.createAgent({ model: 'custom/tested-1' });
    const name = { MODEL_NAME: 'tested-2' };
    await Promise.all([apiProcess.stop(), worker.stop()]);
    await Promise.all([apiProcess.start(name), worker.start(name)]);
    for (const [{ id }, expected] of [
      [follows, { model: 'custom/tested-2', uses_default_model: true }],
      [pinned, { model: 'custom/tested-1', uses_default_model: false }],
    ] as const) {
      const { model: shown, uses_default_model } = (await api.call('GET', `/agents/${id}`)).body as Agent;
      assert.deepEqual({ model: shown, uses_default_model }, expected);
      await api.ask(id, { message: `which of ${id}` });
      assert.equal(model.callsFor(`which of ${id}`)[0]?.body.model, expected.model.split('/')[1]);
    }
    await Promise.all([apiProcess.stop(), worker.stop()]);
    await Promise.all([apiProcess.start(), worker.start()]);
  });
});
