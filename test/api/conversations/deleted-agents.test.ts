import assert from 'node:assert/strict';
import { createToken } from '../../../src/adapters/postgres/accounts/tokens.ts';
import type { DeletedAgent } from '../../../src/contract/conversations/agents.ts';
import { ApiClient } from '../../support/api-client.ts';
import { useSharedStack } from '../../support/stack.ts';

describe('Deleted agents', () => {
  const stack = useSharedStack();

  const listed = async (api: ApiClient) =>
    ((await api.call('GET', '/deleted-agents')).body as { data: DeletedAgent[] }).data;
  const restore = (id: string) => ['POST', `/deleted-agents/${id}/restore`] as const;
  async function deletedAgent(api: ApiClient, fields: Record<string, unknown> = {}) {
    const agent = await api.createAgent(fields);
    assert.equal((await api.call('DELETE', `/agents/${agent.id}`)).status, 204);
    return agent;
  }

  it('a restored agent answers at its id and its inbox as before it was deleted', async () => {
    const { api } = await stack().stranger();
    const before = await deletedAgent(api, { script: [{ reply: 'still here' }], description: 'Kept' });
    const [row] = await listed(api);
    assert.equal(row?.id, before.id);
    assert.equal(row.name, before.name);
    assert.equal(Date.parse(row.restorable_until) - Date.parse(row.deleted_at), 7 * 24 * 3_600_000);

    const { status, body } = await api.call(...restore(before.id));
    assert.equal(status, 200);
    const { updated_at: _at, ...same } = body as typeof before & { updated_at: string };
    const { updated_at: _before, ...expected } = before as typeof same & { updated_at: string };
    assert.deepEqual(same, expected);
    for (const target of [before.id, before.inbox_id]) {
      const { response } = await api.ask(target, { message: 'hello' });
      assert.equal(response, 'still here');
    }
    assert.deepEqual(await listed(api), []);
    await api.refused(404, ...restore(before.id));
  });

  it('an agent that was deleted more than 7 days ago is not listed and not restored', async () => {
    const { api } = await stack().stranger();
    const { id } = await deletedAgent(api);
    const deletedDaysAgo = async (days: number) =>
      await stack()
        .db.knex('agents')
        .where({ id })
        .update({ deleted_at: new Date(Date.now() - days * 24 * 3_600_000) });
    await deletedDaysAgo(7.001);
    assert.deepEqual(await listed(api), []);
    await api.refused(404, ...restore(id));
    await deletedDaysAgo(6.999);
    assert.equal((await listed(api)).length, 1);
    assert.equal((await api.call(...restore(id))).status, 200);
  });

  it('409 while another agent has its name', async () => {
    const { api } = await stack().stranger();
    const { id, name } = await deletedAgent(api);
    const other = await api.createAgent({ name });
    await api.refused(409, ...restore(id));
    assert.equal((await listed(api)).length, 1);
    assert.equal(
      (await api.call('PATCH', `/agents/${other.id}`, { body: { name: `${name} 2` } })).status,
      200,
    );
    assert.equal((await api.call(...restore(id))).status, 200);
  });

  it('404 for an agent that is not deleted, and for one of another organization', async () => {
    const [{ api }, other] = [await stack().stranger(), await stack().stranger()];
    await api.refused(404, ...restore((await api.createAgent()).id));
    const { id } = await deletedAgent(api);
    await other.api.refused(404, ...restore(id));
    assert.deepEqual(await listed(other.api), []);
    assert.equal((await listed(api)).length, 1);
  });

  it('a token that is bound to one agent lists and restores no other', async () => {
    const { api, organizationId } = await stack().stranger();
    const [mine, other] = [await deletedAgent(api), await deletedAgent(api)];
    const made = await createToken(stack().db, { organizationId, name: 'bound', agentIds: [mine.id] });
    const bound = new ApiClient(stack().apiUrl, made.token);
    assert.deepEqual(
      (await listed(bound)).map(({ id }) => id),
      [mine.id],
    );
    await bound.refused(403, ...restore(other.id));
    assert.equal((await bound.call(...restore(mine.id))).status, 200);
  });
});
