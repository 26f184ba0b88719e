/** The maximum work of one call: a page of large rows, a password that is hashed. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { agent } from '../../src/contract/conversations/agents.ts';
import { pageOf } from '../../src/contract/page.ts';
import { ApiClient } from '../support/api-client.ts';
import { makePerson, signIn, signInAs } from '../support/console-person.ts';
import { useStack } from '../support/stack.ts';

const agents = pageOf(agent);
const listed = pageOf(z.looseObject({ id: z.string() }));

describe('Bounded work of one call:', () => {
  const stack = useStack({ env: { ORGANIZATION_RATE_LIMIT: 'off' } });

  it('a page has at most 1 MiB of agents, or one agent; the next pages have the others', async () => {
    const { api } = stack();
    const large = () =>
      api.createAgent({
        script: Array.from({ length: 15 }, (_, n) => ({ when: String(n), reply: 'r'.repeat(30_000) })),
      });
    const made = [
      await api.createAgent(),
      await large(),
      await large(),
      await large(),
      await api.createAgent(),
    ];
    const listed: string[] = [];
    const pages: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await api.call('GET', `/agents?limit=100${cursor && `&cursor=${cursor}`}`);
      const { data, next_cursor } = agents.parse(body);
      listed.push(...data.map(({ id }) => id));
      pages.push(data.length);
      cursor = next_cursor;
    }
    assert.deepEqual(
      listed,
      made.map(({ id }) => id),
    );
    assert.deepEqual(pages, [3, 2]);
  });

  it('a page holds a MiB of messages, and one of the console a MiB of what callbacks sent; the next pages hold the others', async () => {
    const { receiver } = stack();
    const { api, organizationId } = await stack().stranger();
    const { call } = await signIn({ ...stack(), organizationId });
    // 96 KB in UTF-8.
    const long = '€'.repeat(32_000);
    const { id } = await api.createAgent({ script: [{ reply: long }] });
    const sendLong = (conversation_id?: string) =>
      api.send(id, {
        ...{ message: long, webhook_url: receiver.url('/long') },
        ...(conversation_id !== undefined && { conversation_id }),
      });
    const { conversation_id } = await sendLong();
    for (let sent = 1; sent <= 12; sent += 1) {
      await receiver.waitFor('/long', sent);
      if (sent < 12) await sendLong(conversation_id);
    }
    const walk = async (path: string, of: Pick<ApiClient, 'call'>) => {
      const seen: string[] = [];
      const pages: number[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const { body } = await of.call('GET', `${path}limit=100${cursor && `&cursor=${cursor}`}`);
        const { data, next_cursor } = listed.parse(body);
        seen.push(...data.map((row) => row.id));
        pages.push(data.length);
        cursor = next_cursor;
      }
      assert.equal(new Set(seen).size, seen.length);
      return { seen, pages };
    };
    const messages = `/conversations/${conversation_id}/messages?order=`;
    const newest = await walk(`${messages}desc&`, api);
    const oldest = await walk(`${messages}asc&`, api);
    assert.deepEqual(newest.pages, [10, 10, 4]);
    assert.deepEqual(oldest.seen, newest.seen.toReversed());
    assert.deepEqual((await walk('/deliveries?', { call })).pages, [10, 2]);
  });

  it('sign-in attempts of one address run one after another; too many at once are refused', async () => {
    const origin = new URL(stack().apiUrl).origin;
    const door = new ApiClient(`${origin}/console/api`, '');
    const attempts = await Promise.all(
      Array.from({ length: 40 }, () =>
        door.call('POST', '/sign-in', {
          ...{ token: null, headers: { origin } },
          body: { email: `${randomUUID()}@example.com`, password: 'a password of some length' },
        }),
      ),
    );
    const statuses = attempts.map(({ status }) => status);
    assert.ok(statuses.includes(401), statuses.join());
    const refused = attempts.filter(({ status }) => status === 429);
    assert.ok(refused.length >= 15, statuses.join());
    for (const { headers } of refused) assert.equal(headers.get('retry-after'), '5');
    assert.ok((await signInAs(stack(), await makePerson(stack()))).cookies !== '');
  });
});
