import assert from 'node:assert/strict';
import { useSharedStack } from '../support/stack.ts';

describe('PATCH /agents/{id}', () => {
  const stack = useSharedStack();

  describe('200', () => {
    it('changes what is given and leaves the rest', async () => {
      const { api } = stack();
      const made = await api.createAgent({ description: 'before', grouping_max_messages: 4 });
      const changed = await api.changeAgent(made.id, { description: 'after', active: false });
      assert.deepEqual(changed, {
        ...made,
        description: 'after',
        active: false,
        updated_at: changed.updated_at,
      });
      assert.ok(changed.updated_at > made.updated_at);
    });

    it('takes an optional setting back to its default by null', async () => {
      const { api } = stack();
      const rest = {
        model: 'scripted/default',
        script: [{ reply: 'a' }],
        grouping_max_seconds: 3,
        grouping_max_messages: 4,
      };
      const { id } = await api.createAgent(rest);
      const nothing = Object.fromEntries(Object.keys(rest).map((name) => [name, null]));
      const changed = await api.changeAgent(id, nothing);
      assert.deepEqual(
        [changed.script, changed.grouping_max_seconds, changed.grouping_max_messages, changed.model],
        [undefined, undefined, undefined, 'scripted/default'],
      );
    });

    it('takes an empty change, and its own name', async () => {
      const { api } = stack();
      const { id, name } = await api.createAgent();
      await api.changeAgent(id, {});
      assert.equal((await api.changeAgent(id, { name })).name, name);
    });
  });

  it('409 conflict: the name is taken', async () => {
    const { api } = stack();
    const [one, two] = [await api.createAgent(), await api.createAgent()];
    const { code } = await api.refused(409, 'PATCH', `/agents/${one.id}`, { body: { name: two.name } });
    assert.equal(code, 'conflict');
  });

  it('422: null where a field has no default to go back to', async () => {
    const { api } = stack();
    const { id } = await api.createAgent();
    for (const field of ['name', 'description', 'active', 'follow_ups', 'grouping_window_seconds']) {
      const { details } = await api.refused(422, 'PATCH', `/agents/${id}`, { body: { [field]: null } });
      assert.deepEqual(
        details?.map(({ path }) => path),
        [field],
      );
    }
  });
});
