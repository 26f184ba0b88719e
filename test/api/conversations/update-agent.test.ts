import assert from 'node:assert/strict';
import type { Agent } from '../../../src/contract/conversations/agents.ts';
import { useSharedStack } from '../../support/stack.ts';

describe('PATCH /agents/{id}', () => {
  const stack = useSharedStack();

  describe('200', () => {
    it('changes the given fields and leaves the rest', async () => {
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

    it('null resets an optional setting to its default', async () => {
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

    it('shows whether a model was chosen; null resets it to the default', async () => {
      const { api, db } = stack();
      const seen = ({ model, uses_default_model }: Agent) => [model, uses_default_model];
      const stored = async (id: string) => (await db.knex('agents').where({ id }).first('model')) as unknown;
      for (const fields of [{}, { model: null }]) {
        const made = await api.createAgent(fields);
        assert.deepEqual(seen(made), ['scripted/default', true], JSON.stringify(fields));
        assert.deepEqual(await stored(made.id), { model: null });
        assert.deepEqual(seen(await api.changeAgent(made.id, { description: 'x' })), seen(made));
      }
      const { id } = await api.createAgent({ model: 'scripted/default' });
      assert.deepEqual(seen(await api.changeAgent(id, { description: 'x' })), ['scripted/default', false]);
      assert.deepEqual(seen(await api.changeAgent(id, { model: null })), ['scripted/default', true]);
      assert.deepEqual(await stored(id), { model: null });
    });

    it('accepts an empty change, and its own name', async () => {
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

  describe('If-Match', () => {
    const change = (id: string, version: string, body: object = { description: 'after' }) =>
      stack().api.call('PATCH', `/agents/${id}`, { body, headers: { 'if-match': version } });

    it('changes the version that was read, named with or without quotes', async () => {
      const { id, updated_at } = await stack().api.createAgent();
      const first = await change(id, updated_at);
      assert.equal(first.status, 200);
      const { updated_at: next } = first.body as { updated_at: string };
      assert.equal((await change(id, `"${next}"`)).status, 200);
      assert.equal((await change(id, '*')).status, 200);
    });

    it('409 version_conflict: an agent that was changed meanwhile stays unchanged', async () => {
      const { api } = stack();
      const { id, updated_at } = await api.createAgent();
      const theirs = await api.changeAgent(id, { instructions: 'theirs' });
      const { status, body } = await change(id, updated_at, { instructions: 'mine' });
      assert.deepEqual([status, (body as { code: string }).code], [409, 'version_conflict']);
      assert.deepEqual((await api.call('GET', `/agents/${id}`)).body, theirs);
    });

    it('of 20 concurrent changes to the same version one succeeds, even within a millisecond', async () => {
      const { api } = stack();
      const { id } = await api.createAgent();
      for (let round = 0; round < 5; round++) {
        const { updated_at } = (await api.call('GET', `/agents/${id}`)).body as { updated_at: string };
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, n) => change(id, updated_at, { description: `${round} ${n}` })),
        );
        const statuses = answers.map(({ status }) => status).sort();
        assert.deepEqual(statuses, [200, ...Array.from({ length: 19 }, () => 409)]);
      }
    });

    it('404 for a deleted agent, 422 for a value that is not a time', async () => {
      const { api } = stack();
      const { id, updated_at } = await api.createAgent();
      for (const version of ['yesterday', '"abc"', '1', '""']) {
        const { status, body } = await change(id, version);
        const { details } = body as { details?: { path: string }[] };
        assert.deepEqual([status, details?.map(({ path }) => path)], [422, ['If-Match']], version);
      }
      await api.call('DELETE', `/agents/${id}`);
      assert.equal((await change(id, updated_at)).status, 404);
    });
  });

  it('422: null for a field without a default', async () => {
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
