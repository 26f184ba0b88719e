/**
 * The list and the search of the inbox, in a real Postgres as the API's role: rows of WhatsApp contacts and of
 * searches.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  listConversationRows,
  type Reader,
} from '../../../src/adapters/postgres/conversations/conversation-rows.ts';
import { closeQuiet, markDone, reopen } from '../../../src/adapters/postgres/conversations/inbox-state.ts';
import { pauseConversation, writeAsPerson } from '../../../src/adapters/postgres/conversations/pauses.ts';
import { connectDatabase, type Database } from '../../../src/adapters/postgres/database.ts';
import { inOrganization } from '../../../src/adapters/postgres/organization-scope.ts';
import { createOrganization } from '../../../src/adapters/postgres/accounts/organizations.ts';
import type { ConversationRow, ConversationsFilter } from '../../../src/contract/conversations/timeline.ts';
import { openChannelGround, type ChannelGround } from '../../support/channel-ground.ts';

describe('The inbox', () => {
  let ground: ChannelGround;
  let scoped: Database;
  let reader: Reader;
  let agentId: string;
  let phones = 5_511_999_990_000;

  before(async () => {
    ground = await openChannelGround();
    scoped = connectDatabase(ground.databaseUrl, 2, true);
    reader = { organizationId: ground.organizationId, userId: randomUUID() };
    agentId = await ground.newAgent();
  });
  after(async () => {
    await scoped.close();
    await ground.close();
  });

  const list = async (filter: Partial<ConversationsFilter> = {}, as = reader) =>
    await inOrganization(as.organizationId, () => listConversationRows(scoped, as, { limit: 50, ...filter }));
  const write = async (phone: string, text = 'hello') => {
    const accepted = await ground.write(agentId, { phone }, { text });
    return 'conversation_id' in accepted ? accepted.conversation_id : assert.fail(accepted.outcome);
  };
  const rowOf = async (id: string): Promise<ConversationRow> =>
    (await list()).data.find((row) => row.id === id) ?? assert.fail('not listed');
  const waits = async (id: string) => {
    const [row, waiting] = [await rowOf(id), await list({ only: 'waiting' })];
    assert.equal(
      waiting.data.some((one) => one.id === id),
      row.waiting_since !== null,
    );
    return row.waiting_since !== null;
  };
  const newPhone = () => String((phones += 1));
  const person = { by: 'console', name: 'Ana' } as const;

  /** The run of the conversation's only message calls a tool, and waits for its approval. */
  const askForApproval = async (id: string) =>
    await ground.rows(
      `with run as (select * from runs where conversation_id = $1),
         step as (insert into run_steps (run_id, step, agent_id, kind, text, model, credits, created_at)
           select id, 0, $2, 'tools', '', 'scripted/default', 0, now() from run),
         call as (insert into tool_calls (run_id, step, position, call_id, name, input, status)
           select id, 0, 0, 'call', 'refund', '{}', 'waiting' from run)
       insert into approvals (id, organization_id, conversation_id, agent_id, run_id, step, position, tool, arguments,
                              arguments_hash, on_expiry, requested_at, expires_at)
         select gen_random_uuid(), organization_id, $1, $2, id, 0, 0, 'refund', '{}', '', 'refuse', now(), now() + interval '30 days'
           from run`,
      id,
      agentId,
    );

  type Step = 'customer' | 'answer' | 'failure' | 'pause' | 'person' | 'phone' | 'done' | 'reopen' | 'resume';
  /** Plays a conversation with a new contact. @returns its id */
  const play = async (steps: readonly Step[]): Promise<string> => {
    const phone = newPhone();
    let id = '';
    const act: Record<Step, () => Promise<unknown>> = {
      customer: async () => (id = await write(phone)),
      answer: () => ground.answer(id),
      failure: () =>
        ground.rows(
          `update runs set state = 'failed', finished_at = now() where conversation_id = $1 and finished_at is null`,
          id,
        ),
      pause: () => pauseConversation(ground.db, id, 5, person),
      person: () => writeAsPerson(ground.db, id, { text: 'hi', attachments: [] }, person),
      phone: () => ground.write(agentId, { phone }, { text: 'hi', fromMe: true }),
      done: () => markDone(ground.db, id, 'Ana'),
      reopen: () => reopen(ground.db, id),
      resume: async () => {
        await ground.db.knex('conversations').where({ id }).update({ paused_until: null });
        await ground.db.knex('deliveries').where({ conversation_id: id }).update({ status: 'delivered' });
      },
    };
    for (const step of steps) await act[step]();
    return id;
  };

  describe('shows that somebody waits for a person', () => {
    const cases: [steps: Step[], waits: boolean][] = [
      [['customer'], false],
      [['customer', 'answer'], false],
      [['customer', 'pause'], true],
      [['customer', 'answer', 'pause'], false],
      [['customer', 'answer', 'pause', 'customer'], true],
      [['customer', 'answer', 'pause', 'customer', 'person'], false],
      [['customer', 'answer', 'pause', 'customer', 'phone'], false],
      [['customer', 'answer', 'pause', 'customer', 'done'], false],
      [['customer', 'answer', 'pause', 'customer', 'done', 'customer'], true],
      [['customer', 'answer', 'pause', 'customer', 'person', 'customer'], true],
      [['customer', 'answer', 'pause', 'customer', 'resume'], true],
      [['customer', 'answer', 'pause', 'customer', 'resume', 'customer', 'answer'], false],
    ];
    for (const [steps, expected] of cases)
      it(`${expected ? 'after' : 'not after'}: ${steps.join(', ')}`, async () => {
        const id = await play(steps);
        assert.equal(await waits(id), expected);
      });
  });

  describe('shows that a member marked it as done', () => {
    const cases: [steps: Step[], isDone: boolean][] = [
      [['customer', 'answer'], false],
      [['customer', 'answer', 'done'], true],
      [['customer', 'answer', 'done', 'done'], true],
      [['customer', 'done', 'answer'], true],
      [['customer', 'answer', 'done', 'person'], true],
      [['customer', 'answer', 'done', 'phone'], true],
      [['customer', 'answer', 'done', 'customer'], false],
      [['customer', 'answer', 'pause', 'done', 'customer'], false],
      [['customer', 'done', 'pause'], false],
      [['customer', 'answer', 'done', 'reopen'], false],
    ];
    for (const [steps, isDone] of cases)
      it(`${isDone ? 'after' : 'not after'}: ${steps.join(', ')}`, async () => {
        const id = await play(steps);
        const among = async (status: 'open' | 'done') =>
          (await list({ status })).data.some((row) => row.id === id);
        assert.equal((await rowOf(id)).done?.by, isDone ? 'Ana' : undefined);
        assert.deepEqual([await among('done'), await among('open')], [isDone, !isDone]);
      });
  });

  it('is done after 7 quiet days, unless somebody waits in it; what the customer writes opens it', async () => {
    const phone = newPhone();
    const [quiet, active, waiting, approval, test] = [
      await write(phone),
      await play(['customer', 'answer']),
      await play(['customer', 'pause']),
      await play(['customer']),
      await play(['customer']),
    ];
    const since = async (id: string, days: number) =>
      await ground.rows(
        `update conversations set updated_at = now() - make_interval(days => $2) where id = $1`,
        id,
        days,
      );
    for (const id of [quiet, waiting, approval, test]) await since(id, 8);
    await since(active, 6);
    await ground.rows('update conversations set is_test = true where id = $1', test);
    await askForApproval(approval);
    assert.equal(await closeQuiet(ground.db, 100), 1);
    assert.equal(await closeQuiet(ground.db, 100), 0);
    assert.deepEqual((await rowOf(quiet)).done?.by, null);
    for (const id of [active, waiting, approval]) assert.equal((await rowOf(id)).done, null);
    assert.equal((await list({ only: 'test' })).data.find(({ id }) => id === test)?.done, null);
    assert.deepEqual(
      (await list({ only: 'approval' })).data.map(({ id, waits_for_approval }) => [id, waits_for_approval]),
      [[approval, true]],
    );
    await write(phone, 'again');
    assert.equal((await rowOf(quiet)).done, null);
  });

  describe('shows that the newest turn failed', () => {
    const cases: [steps: Step[], hasFailed: boolean][] = [
      [['customer', 'failure'], true],
      [['customer', 'failure', 'customer'], false],
      [['customer', 'failure', 'customer', 'answer'], false],
      [['customer', 'failure', 'person'], false],
      [['customer', 'failure', 'phone'], false],
      [['customer', 'failure', 'phone', 'customer'], false],
      [['customer', 'answer', 'phone', 'resume', 'customer', 'failure'], true],
    ];
    for (const [steps, expected] of cases)
      it(`${expected ? 'after' : 'not after'}: ${steps.join(', ')}`, async () => {
        const id = await play(steps);
        const listed = (await list({ only: 'failed' })).data.some((row) => row.id === id);
        assert.deepEqual([listed, (await rowOf(id)).has_failed], [expected, expected]);
      });
  });

  describe('finds messages', () => {
    const texts = [
      'Onde está meu pedido? Não chegou ainda.',
      'My refund for order 4711-22 is late, write to maria.silva@example.com',
      'Ich möchte zurückgeben: “Größe 42”',
      'заказ не пришёл 😀',
      `${'word '.repeat(4500)}needle at the end`,
      "<b>bold</b> & 'quoted' \\ | ! :* ( )",
    ];
    let ids: string[];
    before(async () => {
      ids = [];
      for (const text of texts) ids.push(await write(newPhone(), text));
    });
    const found = async (search: string) => {
      const { data } = await list({ search });
      return texts
        .filter((_, at) => data.some(({ id }) => id === ids[at]))
        .map((text) => texts.indexOf(text));
    };
    const cases: [search: string, found: number[]][] = [
      ['pedido', [0]],
      ['PEDIDO', [0]],
      ['nao cheg', [0]],
      ['Não está', [0]],
      ['chegou pedido', [0]],
      ['refun', [1]],
      ['order refund', [1]],
      ['order pedido', []],
      ['4711', [1]],
      ['4711-22', [1]],
      ['maria.silva@example.com', [1]],
      ['silva', [1]],
      ['ilva', []],
      ['grosse', []],
      ['Große 42', [2]],
      ['mochte', [2]],
      ['заказ', [3]],
      ['😀', [3]],
      ['needle', []],
      ['bold quoted', [5]],
      ["'quoted' | ! & :*", [5]],
    ];
    for (const [search, expected] of cases)
      it(`by ${JSON.stringify(search)}`, async () => {
        assert.deepEqual(await found(search), expected);
      });

    it('and shows the excerpt with the word', async () => {
      const long = `${'before '.repeat(60)}the treasure is here ${'after '.repeat(60)}`;
      const id = await write(newPhone(), long);
      await ground.answer(id, 'x');
      const [row] = (await list({ search: 'TREASURÉ' })).data;
      assert.equal(row?.id, id);
      assert.match(row.match ?? '', /^… .*the treasure is here.* …$/);
      assert.ok((row.match ?? '').length < 170);
      assert.equal(row.last_text, 'x');
    });

    it('of no other organization', async () => {
      const { id: organizationId } = await createOrganization(ground.db, 'another');
      const stranger = { organizationId, userId: randomUUID() };
      for (const search of [
        'pedido',
        'refund',
        ids[0] ?? '',
        reader.organizationId,
        `${reader.organizationId}pedido`,
      ])
        assert.deepEqual((await list({ search }, stranger)).data, [], search);
      const { rows } = await inOrganization(organizationId, () =>
        scoped.pool.query("select * from search_messages('pedido', 'infinity')"),
      );
      assert.deepEqual(rows, []);
    });

    it('in nothing but operators, or in very long words, without an error', async () => {
      for (const search of [
        '&',
        '!!!',
        ':*',
        "'",
        '\\',
        '((',
        'nothing\0',
        'x'.repeat(255),
        '- '.repeat(100),
        'é'.repeat(255),
      ])
        assert.deepEqual((await list({ search })).data, [], search);
    });

    it('among the newest messages only, if the words are in more than 5,000, and marks the result as partial', async () => {
      const old = await write(newPhone(), 'frequent: the oldest');
      await ground.rows(
        `insert into messages (id, organization_id, conversation_id, run_id, run_ordinal, seq, origin, text, created_at)
           select gen_random_uuid(), organization_id, conversation_id, run_id, run_ordinal, 10 + n, 'user', 'frequent ' || n, now() + n * interval '1 ms'
             from messages, generate_series(1, 5100) n where conversation_id = $1`,
        ids[0],
      );
      const { data, is_partial } = await list({ search: 'frequent' });
      assert.equal(is_partial, true);
      assert.deepEqual(
        data.map(({ id }) => id),
        [ids[0]],
      );
      const none = await list({
        search: 'frequent',
        active_to: new Date(Date.now() - 3_600_000).toISOString(),
      });
      assert.deepEqual([none.data, none.is_partial], [[], true]);
      const precise = await list({ search: 'frequent oldest' });
      assert.deepEqual([precise.data.map(({ id }) => id), precise.is_partial], [[old], false]);
    });
  });
});
