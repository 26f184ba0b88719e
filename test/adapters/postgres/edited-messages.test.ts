/** Edits of the gateway, in a real Postgres: whose message they change, and what is kept of it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { exportLines } from '../../../src/adapters/postgres/data/export.ts';
import { writeAsPerson } from '../../../src/adapters/postgres/conversations/pauses.ts';
import { listMessages } from '../../../src/adapters/postgres/conversations/history.ts';
import { acceptGatewayMessage } from '../../../src/adapters/postgres/whatsapp/inbox.ts';
import { createFileLinks } from '../../../src/adapters/secrets/file-links.ts';
import { conversationIn, openChannelGround, type ChannelGround } from '../../support/channel-ground.ts';

describe('An edit of a WhatsApp message', () => {
  let ground: ChannelGround;
  let phones = 5_511_888_880_000;
  before(async () => {
    ground = await openChannelGround();
  });
  after(async () => {
    await ground.close();
  });

  async function talk() {
    const agentId = await ground.newAgent();
    const phone = String((phones += 1));
    const messageId = randomUUID();
    const conversationId = conversationIn(
      await ground.write(agentId, { phone }, { text: 'tomorow', messageId }),
    );
    return { agentId, phone, messageId, conversationId };
  }
  let writtenAt = Date.now() - 3_600_000;
  const edit = async (
    agentId: string,
    phone: string,
    originalId: string,
    text: string,
    sentAtMs = (writtenAt += 1000),
  ) =>
    await acceptGatewayMessage(
      ground.db,
      { agent_id: agentId, organization_id: ground.organizationId },
      {
        ...{ kind: 'edit', form: 'text', messageId: randomUUID(), originalId, text, sentAtMs },
        contact: { replyTo: phone, phone, lid: null, name: null },
      },
    );
  const messagesOf = async (conversationId: string) => {
    const page = { limit: 100, order: 'asc' } as const;
    return (await listMessages(ground.db, conversationId, page, createFileLinks(undefined, ''))).data;
  };
  const textsOf = async (conversationId: string) =>
    (await messagesOf(conversationId)).map(({ role, text }) => `${role}: ${text}`);

  it('replaces the text of the contact’s own message, and keeps the old one in the history and the export', async () => {
    const { agentId, phone, messageId, conversationId } = await talk();
    for (const text of ['tomorrow', 'tomorrow', 'today'])
      assert.equal((await edit(agentId, phone, messageId, text)).outcome, 'edited');
    const [message] = await messagesOf(conversationId);
    assert.ok(message?.role === 'user' && message.edits !== undefined);
    assert.equal(message.text, 'today');
    assert.deepEqual(
      message.edits.map(({ text }) => text),
      ['tomorow', 'tomorrow'],
    );
    assert.match(message.edits[0]!.replaced_at, /^\d{4}-.*Z$/);
    let exported = '';
    const plan = { organizationId: ground.organizationId };
    for await (const line of exportLines(ground.db, (query) => query(), plan)) exported += line;
    assert.ok(exported.includes('"text":"tomorow"'));
    await ground.rows('delete from conversations where id = $1', conversationId);
    const left = await ground.rows(`select from messages m where m.edits::text like '%tomorow%'`);
    assert.deepEqual(left, []);
  });

  it('does not replace the text of a later edit that arrived before it', async () => {
    const { agentId, phone, messageId, conversationId } = await talk();
    const [first, second, third] = [1, 2, 3].map((hour) => Date.now() - 3_600_000 * (10 - hour));
    await edit(agentId, phone, messageId, 'second', second);
    assert.equal((await edit(agentId, phone, messageId, 'first', first)).outcome, 'edited');
    assert.deepEqual(await textsOf(conversationId), ['user: second']);
    await edit(agentId, phone, messageId, 'third', third);
    const [message] = await messagesOf(conversationId);
    assert.ok(message?.role === 'user' && message.text === 'third');
    assert.deepEqual(
      message.edits?.map(({ text }) => text),
      ['tomorow', 'second'],
    );
  });

  it('changes nothing that an operator or the agent wrote, nor a message of another contact or agent', async () => {
    const { agentId, phone, conversationId } = await talk();
    await ground.answer(conversationId, 'the agent’s answer');
    const typed = randomUUID();
    await ground.write(agentId, { phone }, { text: 'typed on the phone', fromMe: true, messageId: typed });
    const by = { by: 'console', name: 'Ana' } as const;
    await writeAsPerson(ground.db, conversationId, { text: 'written in the console', attachments: [] }, by);
    const sent = ['sent-answer', 'sent-by-person'];
    const deliveries = await ground.rows<{ id: string }>(
      'select id from deliveries where conversation_id = $1 order by id',
      conversationId,
    );
    assert.equal(deliveries.length, 2);
    for (const [index, { id }] of deliveries.entries())
      await ground.rows(
        `insert into gateway_sends (delivery_id, part_no, agent_id, status, attempts, attempted_at, gateway_message_id)
           values ($1, 0, $2, 'sent', 1, now(), $3)`,
        ...[id, agentId, sent[index]],
      );
    const [stranger, elsewhere] = [await talk(), await talk()];
    const theirs = randomUUID();
    await ground.write(agentId, { phone: stranger.phone }, { text: 'of a stranger', messageId: theirs });
    const all = async () =>
      (await ground.rows<{ text: string }>('select text from messages order by created_at, id')).map(
        ({ text }) => text,
      );
    const before = await all();
    const forged: string[] = [];
    for (const original of [typed, ...sent, theirs, elsewhere.messageId, 'unknown']) {
      forged.push(`forged for ${original}`);
      // An edit that names no message of its contact becomes a message of its own.
      assert.match((await edit(agentId, phone, original, forged.at(-1)!)).outcome, /^(accepted|stored)$/);
    }
    assert.deepEqual(
      (await all()).filter((text) => !text.startsWith('forged')),
      before,
    );
    const added = (await textsOf(conversationId)).filter((line) => line.includes('forged'));
    assert.deepEqual(
      added,
      forged.map((text) => `user: ${text}`),
    );
  });

  it('keeps the first text and the latest ones of a message that is edited again and again', async () => {
    const { agentId, phone, messageId, conversationId } = await talk();
    for (let number = 1; number <= 30; number += 1) await edit(agentId, phone, messageId, `edit ${number}`);
    const kept = async () => {
      const [message] = await messagesOf(conversationId);
      return message?.role === 'user' ? (message.edits ?? []).map(({ text }) => text) : [];
    };
    const texts = await kept();
    assert.deepEqual([texts.length, texts[0], texts[1], texts.at(-1)], [20, 'tomorow', 'edit 11', 'edit 29']);
    for (const letter of 'abc') await edit(agentId, phone, messageId, letter.repeat(200_000));
    await edit(agentId, phone, messageId, 'end');
    const large = await kept();
    assert.equal(large[0], 'tomorow');
    assert.ok(large.join('').length < 262_144 && large.at(-1)!.startsWith('c'));
  });
});
