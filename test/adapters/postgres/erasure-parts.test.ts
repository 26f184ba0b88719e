/** A long conversation is erased in parts, because the one statement for all of it would exceed its timeout. */
import assert from 'node:assert/strict';
import { eraseConversation } from '../../../src/adapters/postgres/data/erasures.ts';
import { eraseExpiredData } from '../../../src/adapters/postgres/data/retention.ts';
import { seedTurns } from '../../bench/long-conversation.ts';
import { conversationIn, openChannelGround, type ChannelGround } from '../../support/channel-ground.ts';

describe('A long conversation', () => {
  let ground: ChannelGround;
  beforeEach(async () => {
    ground = await openChannelGround();
  });
  afterEach(() => ground.close());

  const noTime = () => false;
  const who = { phone: '5511400099999' };
  /** Starts a conversation: one message and its answer. */
  const answered = async () => {
    const written = await ground.write(await ground.newAgent(), who, { text: 'a' });
    const conversation = conversationIn(written);
    await ground.answer(conversation);
    return conversation;
  };
  const left = async () =>
    await ground.rows<{ conversations: number; runs: number; messages: number }>(
      `select (select count(*)::int from conversations) as conversations,
              (select count(*)::int from runs) as runs, (select count(*)::int from messages) as messages`,
    );

  it('is erased 500 runs at a time; a call without time for more erases one part, and the last one the rest', async () => {
    const conversation = await answered();
    await seedTurns(ground, conversation, 1200);
    const seen: unknown[] = [];
    while (!(await eraseConversation(ground.db, conversation, noTime))) seen.push(...(await left()));
    assert.deepEqual(seen, [
      { conversations: 1, runs: 701, messages: 1402 },
      { conversations: 1, runs: 201, messages: 402 },
    ]);
    assert.deepEqual(await left(), [{ conversations: 0, runs: 0, messages: 0 }]);
  });

  it('that has expired is erased 20 runs at a time, and its rest once fewer are left', async () => {
    const conversation = await answered();
    await seedTurns(ground, conversation, 44);
    const before = new Date(Date.now() + 60_000);
    const seen: unknown[] = [];
    for (let count = 0; count < 3; count += 1) {
      await eraseExpiredData(ground.db, { id: conversation, before }, noTime);
      seen.push(...(await left()));
    }
    assert.deepEqual(seen, [
      { conversations: 1, runs: 25, messages: 50 },
      { conversations: 1, runs: 5, messages: 10 },
      { conversations: 0, runs: 0, messages: 0 },
    ]);
  });

  it('of messages that no run answers is erased in parts, too, and within one call if there is time', async () => {
    const conversation = await answered();
    await ground.rows(
      `insert into messages (id, organization_id, conversation_id, run_ordinal, seq, origin, text)
         select gen_random_uuid(), organization_id, id, last_ordinal + n, last_seq + n, 'user', 'b'
           from conversations, generate_series(1, 600) n`,
    );
    assert.equal(await eraseConversation(ground.db, conversation, noTime), false);
    assert.deepEqual(await left(), [{ conversations: 1, runs: 0, messages: 100 }]);
    assert.equal(await eraseConversation(ground.db, conversation, () => true), true);
    assert.deepEqual(await left(), [{ conversations: 0, runs: 0, messages: 0 }]);
  });
});
