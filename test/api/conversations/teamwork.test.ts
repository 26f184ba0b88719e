/** Members who work in the inbox together. */
import assert from 'node:assert/strict';
import { listAudit } from '../../../src/adapters/postgres/accounts/audit-log.ts';
import { eraseExpiredData, findExpired } from '../../../src/adapters/postgres/data/retention.ts';
import type { WaitingConversations } from '../../../src/contract/conversations/waiting.ts';
import type { Capability } from '../../../src/contract/accounts/capabilities.ts';
import type { ConsoleSession } from '../../../src/contract/accounts/session.ts';
import type { Colleague, Note } from '../../../src/contract/conversations/teamwork.ts';
import type { ConversationRow, Timeline } from '../../../src/contract/conversations/timeline.ts';
import { signIn } from '../../support/console-person.ts';
import { useSharedStack } from '../../support/stack.ts';

describe('Members who work in the inbox together', () => {
  const stack = useSharedStack();

  async function team() {
    const { api, organizationId } = await stack().stranger();
    const member = async (capabilities?: readonly Capability[]) => {
      const { call } = await signIn({ ...stack(), organizationId }, capabilities);
      const { session } = (await call('GET', '/session')).body as { session: ConsoleSession };
      return { call, id: session.user.id, email: session.user.email };
    };
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const converse = async () => (await api.ask(agent.id, { message: 'hello' })).conversation_id;
    const audited = async (action: string) =>
      (await listAudit(stack().db, organizationId, { limit: 100 })).data
        .filter((entry) => entry.action === action)
        .map(({ target }) => target);
    return { api, organizationId, member, converse, audited };
  }
  type Member = Awaited<ReturnType<Awaited<ReturnType<typeof team>>['member']>>;

  const assign = async ({ call }: Member, conversation: string, user_id: string | null) =>
    (await call('PUT', `/conversations/${conversation}/assignee`, { user_id })).status;
  const timelineOf = async ({ call }: Member, conversation: string) =>
    (await call('GET', `/conversations/${conversation}/timeline`)).body as Timeline;
  const assigneeOf = async (reader: Member, conversation: string) =>
    (await timelineOf(reader, conversation)).conversation.assignee?.id;
  const listed = async ({ call }: Member, query: string) =>
    ((await call('GET', `/conversations?${query}`)).body as { data: ConversationRow[] }).data.map(
      ({ id }) => id,
    );

  describe('assign a conversation', () => {
    it('to themselves, another member and nobody; each finds their own with the other filters', async () => {
      const { member, converse, audited } = await team();
      const [ana, ben] = [await member(), await member(['conversations.view'])];
      const [first, second] = [await converse(), await converse()];
      assert.equal(await assign(ana, first, ana.id), 204);
      assert.equal(await assign(ana, second, ben.id), 204);
      // A repetition is no event.
      assert.equal(await assign(ana, second, ben.id), 204);
      assert.deepEqual([await assigneeOf(ben, first), await assigneeOf(ben, second)], [ana.id, ben.id]);
      assert.deepEqual(await listed(ana, 'assignee=me'), [first]);
      assert.deepEqual(await listed(ben, 'assignee=me'), [second]);
      assert.deepEqual(await listed(ana, 'assignee=me&only=paused'), []);
      assert.deepEqual(await listed(ana, ''), [second, first]);
      assert.deepEqual(await listed(ana, 'assignee=nobody'), []);
      const { unread, mine, all, unassigned } = (await ana.call('GET', '/waiting'))
        .body as WaitingConversations;
      assert.deepEqual([unread, mine, all, unassigned], [2, 1, 2, 0]);
      assert.equal(await assign(ana, first, null), 204);
      assert.equal(await assigneeOf(ana, first), undefined);
      assert.deepEqual(await listed(ana, 'assignee=me'), []);
      assert.deepEqual(await listed(ana, 'assignee=nobody'), [first]);
      assert.deepEqual(await audited('conversation_assigned'), [
        `conversation ${first} → nobody`,
        `conversation ${second} → ${ben.email}`,
        `conversation ${first} → ${ana.email}`,
      ]);
    });

    it('to nobody who is not a member, or who may not view conversations, and to nobody if they may not take over', async () => {
      const { member, converse } = await team();
      const [ana, ben] = [await member(), await member(['conversations.view'])];
      const [blind, stranger] = [await member(['tokens.view']), await (await team()).member()];
      const id = await converse();
      for (const other of [stranger.id, blind.id, crypto.randomUUID(), 'x'])
        assert.equal(await assign(ana, id, other), 422, other);
      assert.equal(await assign(ben, id, ben.id), 403);
      assert.equal(await assign(stranger, id, stranger.id), 404);
      assert.equal(await assigneeOf(ana, id), undefined);
      const { data } = (await ben.call('GET', '/assignees')).body as { data: Colleague[] };
      assert.deepEqual(data.map((one) => one.id).toSorted(), [ana.id, ben.id].toSorted());
    });

    it('by taking it over, if it is assigned to nobody', async () => {
      const { api, member, converse, audited } = await team();
      const [ana, ben] = [await member(), await member()];
      const ids = [await converse(), await converse(), await converse()] as const;
      const { knex } = stack().db;
      await knex('conversations').whereIn('id', ids).update({ channel: 'whatsapp' });
      const [paused, written, byToken] = ids;
      assert.equal((await ana.call('POST', `/conversations/${paused}/pause`, {})).status, 200);
      assert.equal((await ben.call('POST', `/conversations/${paused}/pause`, {})).status, 200);
      assert.equal(
        (await ben.call('POST', `/conversations/${written}/messages`, { text: 'hi' })).status,
        201,
      );
      assert.equal((await api.call('POST', `/conversations/${byToken}/pause`, { body: {} })).status, 200);
      assert.deepEqual(
        [await assigneeOf(ana, paused), await assigneeOf(ana, written), await assigneeOf(ana, byToken)],
        [ana.id, ben.id, undefined],
      );
      assert.equal((await audited('conversation_assigned')).length, 2);
    });

    it('which is assigned to nobody after the member has left', async () => {
      const { member, converse } = await team();
      const [ana, ben] = [await member(), await member()];
      const [first, second] = [await converse(), await converse()];
      await assign(ana, first, ben.id);
      await assign(ana, second, ana.id);
      const { data } = (await ana.call('GET', '/members')).body as {
        data: { id: string; user_id: string }[];
      };
      const { id = '' } = data.find((one) => one.user_id === ben.id) ?? {};
      assert.equal((await ana.call('DELETE', `/members/${id}`)).status, 204);
      assert.deepEqual([await assigneeOf(ana, first), await assigneeOf(ana, second)], [undefined, ana.id]);
    });
  });

  describe('write notes', () => {
    const write = async ({ call }: Member, conversation: string, text: string) =>
      await call('POST', `/conversations/${conversation}/notes`, { text });
    const notesOf = async ({ call }: Member, conversation: string) =>
      ((await call('GET', `/conversations/${conversation}/notes`)).body as { data: Note[] }).data;
    const remove = async ({ call }: Member, conversation: string, note: Note | undefined) =>
      (await call('DELETE', `/conversations/${conversation}/notes/${note?.id ?? ''}`)).status;

    it('which other members read, and which reach neither the API nor the model', async () => {
      const { api, member, converse, audited } = await team();
      const [ana, ben] = [await member(), await member(['conversations.view'])];
      const id = await converse();
      const { notes: before, conversation } = await timelineOf(ben, id);
      assert.equal((await write(ana, id, '  first line\nsecond line ')).status, 204);
      assert.equal((await write(ben, id, 'x')).status, 403);
      const [note, ...others] = await notesOf(ben, id);
      assert.deepEqual(others, []);
      assert.deepEqual(
        [note?.text, note?.author_name, note?.may_delete],
        ['first line\nsecond line', 'Administrator', false],
      );
      const after = await timelineOf(ben, id);
      assert.notEqual(after.notes, before);
      // No activity of the conversation, and no message.
      assert.deepEqual(after.conversation, conversation);
      const { body } = await api.call('GET', `/conversations/${id}/messages`);
      assert.doesNotMatch(JSON.stringify(body), /first line/);
      assert.deepEqual(await audited('note_written'), [id]);
    });

    it('which only their author and those who manage members may delete', async () => {
      const { member, converse, audited } = await team();
      const takesOver = ['conversations.view', 'conversations.take_over'] as const;
      const [ana, ben, administrator] = [await member(takesOver), await member(takesOver), await member()];
      const id = await converse();
      await write(ana, id, 'one');
      await write(ana, id, 'two');
      const [one, two] = await notesOf(ana, id);
      assert.deepEqual([one?.may_delete, (await notesOf(ben, id))[0]?.may_delete], [true, false]);
      assert.equal(await remove(ben, id, one), 403);
      assert.equal(await remove(ana, id, one), 204);
      assert.equal(await remove(administrator, await converse(), two), 404);
      assert.equal(await remove(administrator, id, two), 204);
      assert.equal(await remove(administrator, id, two), 404);
      assert.deepEqual(await notesOf(ana, id), []);
      assert.deepEqual(await audited('note_deleted'), [id, id]);
    });

    it('at most 500 and 1 MiB of them on a conversation, each of at most 10,000 characters', async () => {
      const { member, converse, organizationId } = await team();
      const ana = await member();
      const [many, large] = [await converse(), await converse()];
      for (const text of ['', ' \n ', 'x'.repeat(10_001)])
        assert.equal((await write(ana, many, text)).status, 422);
      const insert = async (conversation: string, count: number, text: string) => {
        await stack().db.pool.query(
          `insert into conversation_notes (id, organization_id, conversation_id, author_name, text)
             select gen_random_uuid(), $1, $2, 'A member', $3 from generate_series(1, $4::int)`,
          [organizationId, conversation, text, count],
        );
      };
      await insert(many, 499, 'x');
      await insert(large, 104, 'x'.repeat(10_000));
      for (const [id, last] of [
        [many, 'the last'],
        [large, 'x'.repeat(8576)],
      ] as const) {
        assert.equal((await write(ana, id, last)).status, 204);
        const refused = await write(ana, id, 'x');
        assert.deepEqual(
          [refused.status, (refused.body as { error: string }).error],
          [409, 'The conversation has 500 notes or 1 MiB of notes, which is the maximum. Delete some first.'],
        );
      }
    });

    it('that nobody of another organization reads, writes or deletes', async () => {
      const { member, converse } = await team();
      const [ana, stranger] = [await member(), await (await team()).member()];
      const id = await converse();
      await write(ana, id, 'private');
      const [note] = await notesOf(ana, id);
      assert.equal((await stranger.call('GET', `/conversations/${id}/notes`)).status, 404);
      assert.equal((await write(stranger, id, 'theirs')).status, 404);
      assert.equal(await remove(stranger, id, note), 404);
      assert.deepEqual(await notesOf(ana, id), [note]);
    });

    it('which are exported and erased with the conversation', async () => {
      const { api, member, converse } = await team();
      const ana = await member();
      const id = await converse();
      await write(ana, id, 'to be exported');
      const [note] = await notesOf(ana, id);
      const lines = ((await api.call('GET', '/export')).body as string).trim().split('\n');
      const exported = lines
        .map((line) => JSON.parse(line) as { type: string })
        .filter(({ type }) => type === 'note');
      assert.deepEqual(exported, [
        {
          ...{ type: 'note', conversation_id: id, id: note?.id, author: 'Administrator' },
          ...{ text: 'to be exported', created_at: note?.created_at },
        },
      ]);
      assert.equal((await api.call('DELETE', `/conversations/${id}`)).status, 204);
      assert.deepEqual(await stack().db.knex('conversation_notes').where({ conversation_id: id }), []);
    });

    it('which are erased when they are older than the retention, although newer messages stay', async () => {
      const { api, organizationId, member, converse } = await team();
      const ana = await member();
      const id = await converse();
      await write(ana, id, 'old');
      await write(ana, id, 'new');
      const old = (await notesOf(ana, id)).find(({ text }) => text === 'old');
      const { knex } = stack().db;
      await knex('conversation_notes')
        .where({ id: old?.id })
        .update({ created_at: new Date(Date.now() - 31 * 86_400_000) });
      await knex('organizations').where({ id: organizationId }).update({ retention_days: 30 });
      const expired = (await findExpired(stack().db, 200)).find((one) => one.id === id) ?? assert.fail();
      await eraseExpiredData(stack().db, expired, () => true);
      assert.deepEqual(
        (await notesOf(ana, id)).map(({ text }) => text),
        ['new'],
      );
      assert.equal(
        (await findExpired(stack().db, 200)).find((one) => one.id === id),
        undefined,
      );
      assert.equal((await api.settled(id)).length, 2);
    });
  });

  it('mark a conversation as done or open it again, and count the open ones', async () => {
    const { member, converse } = await team();
    const [ana, ben] = [await member(), await member(['conversations.view'])];
    const [first, second] = [await converse(), await converse()];
    await assign(ana, first, ana.id);
    const post = async ({ call }: Member, id: string, what: string) =>
      (await call('POST', `/conversations/${id}/${what}`)).status;
    const counts = async () => {
      const { all, mine, unassigned, unread } = (await ana.call('GET', '/waiting'))
        .body as WaitingConversations;
      return [all, mine, unassigned, unread];
    };
    assert.deepEqual(await counts(), [2, 1, 1, 2]);
    assert.equal(await post(ana, first, 'done'), 204);
    assert.deepEqual(await counts(), [1, 0, 1, 1]);
    assert.deepEqual(await listed(ana, 'status=open'), [second]);
    assert.deepEqual(await listed(ana, 'status=done'), [first]);
    assert.deepEqual(await listed(ana, ''), [second, first]);
    assert.ok((await timelineOf(ben, first)).conversation.done?.by);
    assert.equal(await post(ben, first, 'reopen'), 403);
    assert.equal(await post(ben, second, 'done'), 403);
    assert.equal(await post(ana, first, 'reopen'), 204);
    assert.equal((await timelineOf(ben, first)).conversation.done, null);
    assert.deepEqual(await listed(ana, 'status=open'), [first, second]);
    assert.deepEqual(await counts(), [2, 1, 1, 2]);
  });

  it('see who else has the conversation open, for 30 s', async () => {
    const { member, converse } = await team();
    const [ana, ben, stranger] = [
      await member(),
      await member(['conversations.view']),
      await (await team()).member(),
    ];
    const id = await converse();
    const present = async ({ call }: Member, conversation = id) => {
      const { status, body } = await call('PUT', `/conversations/${conversation}/presence`);
      return status === 200 ? (body as { data: Colleague[] }).data.map((one) => one.id) : status;
    };
    assert.deepEqual(await present(ana), []);
    assert.deepEqual(await present(ben), [ana.id]);
    assert.deepEqual(await present(ana), [ben.id]);
    assert.deepEqual(await present(ana, await converse()), []);
    assert.equal(await present(stranger), 404);
    await stack()
      .db.knex('conversation_reads')
      .where({ conversation_id: id, user_id: ben.id })
      .update({ viewed_at: new Date(Date.now() - 31_000) });
    assert.deepEqual(await present(ana), []);
    // It counts as no reading of the messages.
    assert.equal((await timelineOf(ana, id)).conversation.unread, 1);
  });
});
