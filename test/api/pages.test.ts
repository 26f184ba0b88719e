/** Lists: their order, their pages while rows are added, their filters. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import type { ApiClient } from '../support/api-client.ts';
import { useSharedStack } from '../support/stack.ts';

const page = z.object({
  data: z.array(z.looseObject({ id: z.string() })),
  next_cursor: z.string().nullable(),
});

/** Walks a list two rows at a time, and does something between any two pages. */
async function walk(api: ApiClient, path: string, between: () => Promise<unknown>): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const more: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await api.call('GET', `${path}${path.includes('?') ? '&' : '?'}limit=2${more}`);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const { data, next_cursor } = page.parse(answer.body);
    assert.ok(data.length === 2 || next_cursor === null);
    ids.push(...data.map(({ id }) => id));
    cursor = next_cursor;
    await between();
  } while (cursor !== null && ids.length < 50);
  return ids;
}

describe('Pages', () => {
  const stack = useSharedStack();

  it('GET /agents: oldest first; agents made meanwhile are at the end, none is doubled or lost', async () => {
    const { api } = await stack().stranger();
    const made: string[] = [];
    for (let n = 0; n < 5; n++) made.push((await api.createAgent()).id);
    let more = 3;
    const seen = await walk(api, '/agents', async () => {
      if (more-- > 0) made.push((await api.createAgent()).id);
    });
    assert.deepEqual(seen, made);
  });

  it('GET /conversations: newest first; conversations begun meanwhile disturb nothing', async () => {
    const { api } = await stack().stranger();
    const { id } = await api.createAgent();
    const begun: string[] = [];
    for (let n = 0; n < 5; n++) begun.push((await api.send(id, { message: 'a' })).conversation_id);
    const seen = await walk(api, '/conversations', () => api.send(id, { message: 'b' }));
    assert.deepEqual(seen, begun.toReversed());
  });

  for (const order of ['asc', 'desc'] as const) {
    it(`GET messages, ${order}: no message is doubled or lost while others are added`, async () => {
      const { api } = stack();
      const { id } = await api.createAgent({ script: [{ reply: 'r' }] });
      const { conversation_id } = await api.ask(id, { message: '1' });
      for (const message of ['2', '3']) await api.ask(id, { message, conversation_id });
      const before = (await api.messages(conversation_id)).map((one) => one.id);
      const talk = async () => {
        if ((await api.messages(conversation_id)).length < 12)
          await api.ask(id, { message: 'x', conversation_id });
      };
      const path = `/conversations/${conversation_id}/messages?order=${order}`;
      const seen = await walk(api, path, talk);
      const after = (await api.messages(conversation_id)).map((one) => one.id);
      assert.deepEqual(after.slice(0, 6), before);
      assert.deepEqual(seen, order === 'desc' ? before.toReversed() : after);
    });
  }

  it('GET /deliveries: newest first, while others are added', async () => {
    const { api, receiver } = await stack()
      .stranger()
      .then((own) => ({ ...stack(), ...own }));
    const { id } = await api.createAgent({ script: [{ reply: 'r' }] });
    const talk = async () => {
      const { conversation_id } = await api.send(id, { message: 'a', webhook_url: receiver.url('/pages') });
      await api.settled(conversation_id);
    };
    for (let n = 0; n < 4; n++) await talk();
    const before = (await api.deliveries({})).map((one) => one.id);
    assert.equal(before.length, 4);
    assert.deepEqual(await walk(api, '/deliveries', talk), before);
  });

  it('a cursor of another list is refused', async () => {
    const { api } = await stack().stranger();
    await api.createAgent();
    await api.createAgent();
    const { next_cursor } = page.parse((await api.call('GET', '/agents?limit=1')).body);
    const { id } = await api.createAgent();
    const { conversation_id } = await api.send(id, { message: 'a' });
    await api.refused(422, 'GET', `/conversations/${conversation_id}/messages?cursor=${next_cursor ?? ''}`);
  });

  describe('filters that match nothing in this organization return an empty list', () => {
    for (const path of [
      '/conversations?agent_id=',
      '/conversations?contact_id=',
      '/deliveries?conversation_id=',
    ]) {
      it(path, async () => {
        const { api, receiver } = stack();
        const { api: theirs } = await stack().stranger();
        const { id } = await theirs.createAgent();
        const { conversation_id } = await theirs.send(id, {
          message: 'a',
          contact: { id: 'ada' },
          webhook_url: receiver.url('/none'),
        });
        await theirs.settled(conversation_id);
        for (const value of [
          id,
          'ada',
          conversation_id,
          'no-uuid',
          '01890000-0000-7000-8000-000000000000',
          '%00',
        ]) {
          const { status, body } = await api.call('GET', `${path}${value}`);
          assert.deepEqual([status, body], [200, { data: [], next_cursor: null }], value);
        }
      });
    }

    it('a filter that matches returns only the matching rows', async () => {
      const { api, receiver } = stack();
      const [one, two] = [await api.createAgent(), await api.createAgent()];
      const ids: string[] = [];
      for (const [agent, contact] of [
        [one, 'x'],
        [one, 'y'],
        [two, 'x'],
      ] as const) {
        const webhook_url = receiver.url('/filters');
        const sent = await api.send(agent.id, { message: 'a', contact: { id: contact }, webhook_url });
        await api.settled(sent.conversation_id);
        ids.push(sent.conversation_id);
      }
      const found = async (query: string) =>
        page.parse((await api.call('GET', query)).body).data.map(({ id }) => id);
      assert.deepEqual(await found(`/conversations?agent_id=${one.id}`), [ids[1], ids[0]]);
      assert.deepEqual(await found('/conversations?contact_id=x'), [ids[2], ids[0]]);
      assert.deepEqual(await found(`/conversations?contact_id=x&agent_id=${two.id}`), [ids[2]]);
      const [first = ''] = ids;
      const deliveries = await api.deliveries({ conversation_id: first });
      assert.deepEqual(
        deliveries.map((delivery) => delivery.conversation_id),
        [first],
      );
      assert.deepEqual(await api.deliveries({ conversation_id: first, status: 'failed' }), []);
      assert.equal((await api.deliveries({ conversation_id: first, status: 'delivered' })).length, 1);
    });
  });

  it('422: an unknown status, an unknown order', async () => {
    const { api } = stack();
    await api.refused(422, 'GET', '/deliveries?status=lost');
    const { id } = await api.createAgent();
    const { conversation_id } = await api.send(id, { message: 'a' });
    await api.refused(422, 'GET', `/conversations/${conversation_id}/messages?order=random`);
  });
});
