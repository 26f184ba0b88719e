/**
 * A conversation of 10,000 turns: the next is answered, each message is on one page, and all of it can be exported and
 * erased.
 */
import assert from 'node:assert/strict';
import { message as messageSchema } from '../../../src/contract/conversations/conversations.ts';
import { pageOf } from '../../../src/contract/page.ts';
import { seedTurns } from '../../bench/long-conversation.ts';
import { useSharedStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const turns = 10_000;

describe(`A conversation of ${turns} turns`, () => {
  // 200 pages, an export and the erasure of 20,000 messages, beside other tests.
  const stack = useSharedStack();

  it('continues, is read page by page, exported and erased', async () => {
    const { api, db, receiver } = stack();
    const agent = await api.createAgent({ script: [{ when: '(.*)', reply: 're $1' }] });
    const contact = { id: `of ${turns} turns` };
    const { conversation_id } = await api.ask(agent.id, { message: 'first', contact });
    await seedTurns({ db }, conversation_id, turns);

    const next = await api.ask(agent.id, { message: 'next', conversation_id });
    assert.equal(next.response, 're next');
    const webhook_url = receiver.url('/many-turns');
    await api.send(agent.id, { message: 'last', conversation_id, webhook_url });
    await receiver.waitFor('/many-turns', 1);

    const texts: string[] = [];
    const ids = new Set<string>();
    let cursor = '';
    do {
      const query = `limit=100&order=asc${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const { status, body } = await api.call('GET', `/conversations/${conversation_id}/messages?${query}`);
      assert.equal(status, 200);
      const page = pageOf(messageSchema).parse(body);
      for (const { id, text } of page.data) {
        ids.add(id);
        texts.push(text);
      }
      cursor = page.next_cursor ?? '';
    } while (cursor !== '');
    const all = 2 * turns + 6;
    assert.deepEqual([texts.length, ids.size], [all, all]);
    assert.deepEqual(
      [...texts.slice(0, 2), ...texts.slice(-4)],
      ['first', 're first', 'next', 're next', 'last', 're last'],
    );

    const exported = await api.call('GET', `/contacts/${encodeURIComponent(contact.id)}/export`);
    const lines = String(exported.body).trim().split('\n');
    assert.equal(lines.filter((line) => line.startsWith('{"type":"message"')).length, all);
    assert.deepEqual(JSON.parse(lines.at(-1) ?? ''), { type: 'end', lines: lines.length - 1 });

    const { status } = await api.call('DELETE', `/conversations/${conversation_id}`);
    assert.ok(status === 202 || status === 204, String(status));
    await until(
      'all of it to be erased',
      async () => {
        const left = ['messages', 'runs'].map((table) => db.knex(table).where({ conversation_id }).count());
        return (await Promise.all(left)).every(([row]) => Number(row?.['count']) === 0);
      },
      180_000,
    );
  });
});
