/** Members who work in the inbox together. */
import assert from 'node:assert/strict';
import { listAudit } from '../../../src/adapters/postgres/accounts/audit-log.ts';
import type { Capability } from '../../../src/contract/accounts/capabilities.ts';
import type { ConsoleSession } from '../../../src/contract/accounts/session.ts';
import type { Colleague } from '../../../src/contract/conversations/teamwork.ts';
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
      assert.equal(await assign(ana, first, null), 204);
      assert.equal(await assigneeOf(ana, first), undefined);
      assert.deepEqual(await listed(ana, 'assignee=me'), []);
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
});
