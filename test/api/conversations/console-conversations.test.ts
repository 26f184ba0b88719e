/** Conversations as the console lists and shows them. */
import assert from 'node:assert/strict';
import { v7 as newId } from 'uuid';
import type { ConversationRow } from '../../../src/contract/conversations/timeline.ts';
import type { WaitingConversations } from '../../../src/contract/conversations/waiting.ts';
import type { Overview } from '../../../src/contract/data/overview.ts';
import { signIn } from '../../support/console-person.ts';
import { useSharedStack } from '../../support/stack.ts';

interface Page {
  data: ConversationRow[];
  next_cursor: string | null;
}

describe('Conversations in the console', () => {
  const stack = useSharedStack();

  async function withConversations(count: number) {
    const { api, organizationId } = await stack().stranger();
    const { call } = await signIn({ ...stack(), organizationId });
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const ids: string[] = [];
    for (let n = 0; n < count; n++)
      ids.push((await api.ask(agent.id, { message: String(n) })).conversation_id);
    const list = async (cursor: string | null = null, limit = 2, filters = ''): Promise<Page> => {
      const at = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const answer = await call('GET', `/conversations?limit=${limit}${at}${filters}`);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body as Page;
    };
    const write = (id: string) => api.ask(agent.id, { message: 'again', conversation_id: id });
    return { call, list, ids, write, organizationId };
  }
  const idsOf = ({ data }: Page) => data.map(({ id }) => id);

  it('are listed by last activity: the newest message moves its conversation to the first row', async () => {
    const { list, ids, write } = await withConversations(4);
    const [a = '', b = '', c = '', d = ''] = ids;
    assert.deepEqual(idsOf(await list(null, 50)), [d, c, b, a]);
    await write(a);
    assert.deepEqual(idsOf(await list(null, 50)), [a, d, c, b]);
    await write(c);
    assert.deepEqual(idsOf(await list(null, 50)), [c, a, d, b]);
  });

  it('are paged without duplicates or gaps, even if all have the same activity time or some become active meanwhile', async () => {
    const { list, ids, write, organizationId } = await withConversations(7);
    const walk = async (between: () => Promise<unknown> = () => Promise.resolve(), filters = '') => {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Page = await list(cursor, 2, filters);
        seen.push(...idsOf(page));
        cursor = page.next_cursor;
        await between();
      } while (cursor !== null && seen.length < 50);
      return seen;
    };
    assert.deepEqual(await walk(), ids.toReversed());
    // Microseconds apart, and the very same moment.
    const { knex } = stack().db;
    const at = '2026-01-01T00:00:00.123456Z';
    for (const [n, id] of ids.entries())
      await knex('conversations')
        .where({ id })
        .update({ updated_at: knex.raw("?::timestamptz + ? * interval '1 microsecond'", [at, n]) });
    assert.deepEqual(await walk(), ids.toReversed());
    assert.deepEqual(await walk(undefined, '&sort=oldest'), ids);
    await knex('conversations').where({ organization_id: organizationId }).update({ updated_at: at });
    assert.deepEqual(await walk(), ids.toSorted().toReversed());
    assert.deepEqual(await walk(undefined, '&sort=oldest'), ids.toSorted());
    const oldest = ids.toSorted()[0] ?? '';
    let isWritten = false;
    const seen = await walk(async () => {
      if (!isWritten) await write(oldest);
      isWritten = true;
    });
    assert.deepEqual(seen, ids.toSorted().toReversed().slice(0, -1));
    assert.equal(idsOf(await list())[0], oldest);
  });

  it('refuse a cursor of another list', async () => {
    const { call } = await withConversations(0);
    const encode = (text: string) => Buffer.from(text).toString('base64url');
    const id = crypto.randomUUID();
    for (const cursor of ['x', encode(id), encode(`1 ${id} `), encode(`-1 ${id}`), encode(`1e9 ${id}`)])
      assert.equal((await call('GET', `/conversations?cursor=${cursor}`)).status, 422, cursor);
    for (const edge of ['0', '9999999999999999'])
      assert.equal((await call('GET', `/conversations?cursor=${encode(`${edge} ${id}`)}`)).status, 200, edge);
  });

  it('that wait are listed by who began to wait last, and by who waits longest, at most 10 of each', async () => {
    const { api, organizationId } = await stack().stranger();
    const { call } = await signIn({ ...stack(), organizationId });
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      const { conversation_id } = await api.ask(agent.id, {
        ...{ message: 'one', contact: { id: `c-${n}`, name: `Contact ${n}` } },
      });
      ids.push(conversation_id);
      await stack()
        .db.knex('conversations')
        .where({ id: conversation_id })
        .update({ waiting_since: new Date(Date.now() - (n + 1) * 60_000), waiting_handed_over: n === 11 });
    }
    const { count, newest, oldest } = (await call('GET', '/waiting')).body as WaitingConversations;
    assert.equal(count, 12);
    assert.deepEqual(
      newest.map(({ id }) => id),
      ids.slice(0, 10),
    );
    assert.deepEqual(
      oldest.map(({ id }) => id),
      ids.toReversed().slice(0, 10),
    );
    assert.deepEqual([oldest[0]?.contact, oldest[0]?.reason], ['Contact 11', 'hand_over']);
  });

  it('are unread for each member separately, until they have seen the messages or marked all as read', async () => {
    const { api, organizationId } = await stack().stranger();
    const [ana, ben] = [
      await signIn({ ...stack(), organizationId }),
      await signIn({ ...stack(), organizationId }, ['conversations.view']),
    ];
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const { conversation_id: id } = await api.ask(agent.id, { message: 'one' });
    const write = () => api.ask(agent.id, { message: 'more', conversation_id: id });
    const unread = async ({ call }: typeof ana) => {
      const all = (await call('GET', '/conversations')).body as Page;
      const only = (await call('GET', '/conversations?only=unread')).body as Page;
      const [row] = all.data;
      const { unread: counted } = (await call('GET', '/waiting')).body as WaitingConversations;
      assert.deepEqual([only.data.length, counted], row?.unread === 0 ? [0, 0] : [1, 1]);
      return row?.unread;
    };
    const see = async ({ call }: typeof ana, messages: number) =>
      (await call('PUT', `/conversations/${id}/seen`, { messages })).status;
    assert.deepEqual([await unread(ana), await unread(ben)], [1, 1]);
    await write();
    assert.equal(await see(ana, 4), 204);
    assert.deepEqual([await unread(ana), await unread(ben)], [0, 2]);
    await write();
    assert.deepEqual([await unread(ana), await unread(ben)], [1, 3]);
    // A late request takes nothing back, and none can see what is still to come.
    await see(ana, 1);
    assert.equal(await unread(ana), 1);
    await see(ana, 2_147_483_647);
    await write();
    assert.equal(await unread(ana), 1);
    assert.equal((await ben.call('POST', '/conversations/seen')).status, 204);
    assert.deepEqual([await unread(ana), await unread(ben)], [1, 0]);
    await write();
    assert.deepEqual([await unread(ana), await unread(ben)], [2, 1]);
    const latecomer = await signIn({ ...stack(), organizationId });
    assert.equal(await unread(latecomer), 0);
    assert.equal(
      (await latecomer.call('PUT', `/conversations/${crypto.randomUUID()}/seen`, { messages: 1 })).status,
      404,
    );
    assert.equal((await latecomer.call('PUT', `/conversations/${id}/seen`, { messages: -1 })).status, 422);
  });

  it('that a member began to try an agent are listed apart, and count in no figure of customers', async () => {
    const { api, organizationId } = await stack().stranger();
    const { call } = await signIn({ ...stack(), organizationId });
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const customer = await api.ask(agent.id, { message: 'from a customer' });
    const tried = (await call('POST', `/chat/${agent.id}`, { message: 'a try', sync: true })).body as {
      conversation_id: string;
    };
    // A later message in a customer's conversation makes it no test.
    await call('POST', `/chat/${agent.id}`, {
      message: 'also',
      sync: true,
      conversation_id: customer.conversation_id,
    });
    const listed = async (query: string) => idsOf((await call('GET', `/conversations${query}`)).body as Page);
    assert.deepEqual(await listed(''), [customer.conversation_id]);
    assert.deepEqual(await listed('?only=test'), [tried.conversation_id]);
    assert.deepEqual(await listed('?search=try'), []);
    assert.deepEqual(await listed('?search=try&only=test'), [tried.conversation_id]);
    assert.deepEqual(await listed(`?search=${tried.conversation_id}`), [tried.conversation_id]);
    const { totals, days, agents } = (await call('GET', '/overview')).body as Overview;
    assert.deepEqual([totals.received, totals.answered], [2, 2]);
    assert.deepEqual([totals.conversations, totals.with_people], [1, 0]);
    assert.deepEqual(
      days.filter(({ received }) => received > 0).map(({ answered }) => answered),
      [2],
    );
    assert.deepEqual(
      agents.map(({ received }) => received),
      [2],
    );
  });

  it('count as passed to people after a hand-over, a message of a person, or one during a takeover', async () => {
    const { api, organizationId } = await stack().stranger();
    const { call } = await signIn({ ...stack(), organizationId });
    const agent = await api.createAgent({
      may_hand_over: true,
      script: [
        {
          when: 'person',
          tool: { action: 'hand_over_to_person', input: { reason: 'asked' } },
          reply: 'Wait.',
        },
        { reply: 'ok' },
      ],
    });
    await api.ask(agent.id, { message: 'alone' });
    await api.ask(agent.id, { message: 'a person, please' });
    const written = await api.ask(agent.id, { message: 'hello' });
    await call('POST', `/conversations/${written.conversation_id}/messages`, { text: 'I am here' });
    const paused = await api.ask(agent.id, { message: 'hello again' });
    await api.call('POST', `/conversations/${paused.conversation_id}/pause`, { body: { minutes: 60 } });
    await api.send(agent.id, { message: 'still there?', conversation_id: paused.conversation_id });
    const { totals, before } = (await call('GET', '/overview')).body as Overview;
    assert.deepEqual([totals.conversations, totals.with_people], [4, 3]);
    assert.deepEqual([before.conversations, before.with_people], [0, 0]);
  });

  it('are filtered by agent, contact, channel and time of their last activity', async () => {
    const { call, list, ids, organizationId } = await withConversations(3);
    const [a = '', b = '', c = ''] = ids;
    const { knex } = stack().db;
    const at = (id: string, time: string) => knex('conversations').where({ id }).update({ updated_at: time });
    await at(a, '2026-01-01T12:00:00Z');
    await at(b, '2026-01-02T00:00:00Z');
    await knex('conversations').where({ id: c }).update({ channel: 'whatsapp' });
    const listed = async (query: string) =>
      idsOf((await call('GET', `/conversations?${query}`)).body as Page);
    const day = 'active_from=2026-01-01T00:00:00.000Z&active_to=2026-01-02T00:00:00.000Z';
    assert.deepEqual(await listed(day), [a]);
    assert.deepEqual(await listed('active_from=2026-01-02T00:00:00.000Z'), [c, b]);
    assert.deepEqual(await listed('channel=whatsapp'), [c]);
    assert.deepEqual(await listed('channel=api'), [b, a]);
    const other = await knex('agents').where({ organization_id: organizationId }).first<{ id: string }>('id');
    assert.deepEqual(await listed(`agent_id=${other.id}&channel=api`), [b, a]);
    assert.deepEqual(await listed(`agent_id=${crypto.randomUUID()}`), []);
    await knex('conversations').where({ id: b }).update({ contact_id: 'contact 1' });
    await knex('conversations').where({ id: c }).update({ contact_id: 'contact 10' });
    assert.deepEqual(await listed('contact_id=contact%201'), [b]);
    assert.deepEqual(await listed('contact_id=contact'), []);
    for (const wrong of ['only=x', 'channel=sms', 'active_from=yesterday', `search=${'x'.repeat(256)}`])
      assert.equal((await call('GET', `/conversations?${wrong}`)).status, 422, wrong);
    assert.equal((await list(null, 50)).data.length, 3);
  });

  it('are filtered by a tool that was called in them, however often it was called', async () => {
    const { call, ids, list, organizationId } = await withConversations(4);
    const other = await withConversations(1);
    const called = async (of: string, id: string | null, action: string, times = 1) =>
      await stack()
        .db.knex('tool_executions')
        .insert(
          Array.from({ length: times }, () => {
            const one = newId();
            return {
              ...{ id: one, organization_id: of, conversation_id: id, origin: one, action, input: '{}' },
              requested_by: JSON.stringify({ kind: 'system' }),
            };
          }),
        );
    const [a = '', b = '', c = '', d = ''] = ids;
    await called(organizationId, a, 'DOCS_LIST_USERS', 2);
    await called(organizationId, c, 'DOCS_LIST_USERS');
    await called(organizationId, b, 'find_order');
    await called(organizationId, null, 'of_no_conversation');
    await called(other.organizationId, other.ids[0] ?? '', 'of_another');
    const filtered = async (query: string) => {
      const answer = await call('GET', `/conversations?${query}`);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return idsOf(answer.body as Page);
    };
    assert.deepEqual(await filtered('tool=DOCS_LIST_USERS'), [c, a]);
    assert.deepEqual(await filtered('tool=find_order'), [b]);
    for (const none of ['docs_list_users', 'of_no_conversation', 'of_another', 'find_order&only=failed'])
      assert.deepEqual(await filtered(`tool=${none}`), [], none);
    for (const bad of ['', 'a%00b', 'x'.repeat(256)])
      assert.equal((await call('GET', `/conversations?tool=${bad}`)).status, 422, bad);
    // So many that the conversations are asked for the tool instead, with pages as without a filter.
    await called(organizationId, d, 'often', 1100);
    await called(organizationId, a, 'often');
    assert.deepEqual(await filtered('tool=often'), [d, a]);
    assert.deepEqual(await filtered('tool=often&limit=1'), [d]);
    assert.deepEqual(idsOf(await list(null, 50)), [d, c, b, a]);
    const { body } = await call('GET', '/called-tools');
    assert.deepEqual(body, { data: ['DOCS_LIST_USERS', 'find_order', 'often'] });
    await called(organizationId, a, 'zz', 1);
    for (let n = 0; n < 200; n++) await called(organizationId, a, `tool_${String(n)}`);
    assert.equal(((await call('GET', '/called-tools')).body as { data: string[] }).data.length, 200);
  });

  it('are read through an index in that order, without sorting all of them', async () => {
    const { organizationId } = await withConversations(1);
    const { pool } = stack().db;
    const connection = await pool.connect();
    try {
      await connection.query('begin');
      await connection.query(
        `insert into conversations (id, organization_id, target_id, agent_id, updated_at)
           select gen_random_uuid(), $1, agent_id, agent_id, now() - n * interval '1 second'
             from generate_series(1, 5000) n, (select agent_id from conversations where organization_id = $1 limit 1) a`,
        [organizationId],
      );
      await connection.query('analyze conversations');
      const { rows } = await connection.query<Record<'QUERY PLAN', string>>(
        `explain select c.* from conversations c join agents a on a.id = c.agent_id where c.organization_id = $1
           and (c.updated_at, c.id) < (now() - interval '1000 seconds', '${crypto.randomUUID()}'::uuid)
           order by c.updated_at desc, c.id desc limit 31`,
        [organizationId],
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      assert.match(plan, /conversations_by_activity/);
      assert.doesNotMatch(plan, /Sort/);
    } finally {
      await connection.query('rollback');
      connection.release();
    }
  });
});
