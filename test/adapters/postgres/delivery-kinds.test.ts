/** The kind of an answer's delivery: chosen by the inputs that it answers, and shown by the API and the console. */
import assert from 'node:assert/strict';
import { listDeliveries } from '../../../src/adapters/postgres/conversations/deliveries.ts';
import {
  countFailedOrBlocked,
  listDeliveryViews,
} from '../../../src/adapters/postgres/conversations/delivery-views.ts';
import { acceptInput } from '../../../src/adapters/postgres/conversations/inputs.ts';
import { writeAsPerson } from '../../../src/adapters/postgres/conversations/pauses.ts';
import { Runs } from '../../../src/adapters/postgres/conversations/runs.ts';
import { conversationIn, openChannelGround, type ChannelGround } from '../../support/channel-ground.ts';

const url = 'https://example.com/hook';
const phone = '5511400010001';

describe('The delivery of an answer in a WhatsApp conversation', () => {
  let ground: ChannelGround;
  before(async () => {
    ground = await openChannelGround();
  });
  after(() => ground.close());

  type Input = 'contact' | 'API with a webhook_url' | 'API';
  type Delivered = 'a reply' | 'a callback' | 'nothing';
  const cases: { inputs: Input[]; answer: Delivered; followUp: Delivered }[] = [
    { inputs: ['contact'], answer: 'a reply', followUp: 'a reply' },
    { inputs: ['API with a webhook_url'], answer: 'a callback', followUp: 'a callback' },
    { inputs: ['API'], answer: 'nothing', followUp: 'a reply' },
    { inputs: ['contact', 'API'], answer: 'a reply', followUp: 'a reply' },
    { inputs: ['contact', 'API with a webhook_url'], answer: 'a callback', followUp: 'a callback' },
    { inputs: ['API with a webhook_url', 'contact'], answer: 'a reply', followUp: 'a reply' },
    { inputs: ['API with a webhook_url', 'API'], answer: 'a callback', followUp: 'a callback' },
  ];

  /** A conversation in which the contact has written and been answered. */
  async function conversation(): Promise<{ agent: string; id: string }> {
    const agent = await ground.newAgent({ grouping_window_seconds: 60 });
    const id = conversationIn(await ground.write(agent, { phone }));
    await ground.answer(id);
    await ground.rows(`update deliveries set status = 'delivered' where conversation_id = $1`, id);
    return { agent, id };
  }

  async function write(input: Input, { agent, id }: { agent: string; id: string }): Promise<void> {
    if (input === 'contact') {
      assert.equal((await ground.write(agent, { phone })).outcome, 'accepted');
      return;
    }
    const { outcome } = await acceptInput(ground.db, {
      caller: { kind: 'system' },
      ...{ organizationId: ground.organizationId, targetId: agent, conversationId: id },
      ...{ text: 'over the API', sync: false },
      ...(input === 'API with a webhook_url' && { webhookUrl: url }),
    });
    assert.equal(outcome, 'accepted');
  }

  async function delivered(deliveryId: string): Promise<Delivered> {
    const [row] = await ground.rows('select kind, url, recipient from deliveries where id = $1', deliveryId);
    if (row === undefined) return 'nothing';
    const reply = { kind: 'channel_reply', url: null, recipient: phone };
    const callback = { kind: 'callback', url, recipient: null };
    assert.deepEqual(row, (row as { url: unknown }).url === null ? reply : callback);
    return (row as { url: unknown }).url === null ? 'a reply' : 'a callback';
  }

  for (const { inputs, answer, followUp } of cases) {
    it(`from ${inputs.join(', then ')}: ${answer}; of a follow-up: ${followUp}`, async () => {
      const talk = await conversation();
      for (const input of inputs) await write(input, talk);
      if (answer === 'nothing') await assert.rejects(ground.answer(talk.id), /goes nowhere/);
      else assert.equal(await delivered((await ground.answer(talk.id)).deliveryId), answer);
      const later = await ground.failFollowUp(talk.id);
      assert.equal(await delivered(later!), followUp);
    });
  }

  it('shows the contact’s address as its url, and its kind on the console', async () => {
    const { id } = await conversation();
    const { data } = await listDeliveries(ground.db, ground.organizationId, {
      ...{ limit: 10, conversation_id: id },
    });
    assert.deepEqual(
      data.map((each) => each.url),
      [`whatsapp:${phone}`],
    );
    const views = await listDeliveryViews(ground.db, ground.organizationId, { limit: 100 });
    const view = views.data.find((each) => each.conversation_id === id);
    assert.deepEqual([view?.kind, view?.url], ['channel_reply', `whatsapp:${phone}`]);
  });

  it('names the agent of an error, and lists failed and blocked deliveries together, newest first', async () => {
    const { id } = await conversation();
    const error = await ground.failFollowUp(id);
    const other = (await conversation()).id;
    const [blocked] = await ground.rows<{ id: string }>(
      `update deliveries set status = 'blocked' where conversation_id = $1 returning id`,
      other,
    );
    await ground.rows(`update deliveries set status = 'failed' where id = $1`, error);
    const listed = async (cursor?: string) =>
      await listDeliveryViews(ground.db, ground.organizationId, {
        ...{ limit: 1, status: 'failed_or_blocked' },
        ...(cursor !== undefined && { cursor }),
      });
    const first = await listed();
    assert.deepEqual(
      first.data.map((each) => each.id),
      [blocked?.id],
    );
    const second = await listed(first.next_cursor ?? undefined);
    assert.deepEqual(
      second.data.map((each) => each.id),
      [error],
    );
    assert.equal(second.next_cursor, null);
    const [agent] = await ground.rows<{ name: string }>(
      'select a.name from agents a join conversations c on c.agent_id = a.id where c.id = $1',
      id,
    );
    assert.equal(second.data[0]?.agent_name, agent?.name);
    assert.equal(await countFailedOrBlocked(ground.db, ground.organizationId), 2);
  });

  it('a claim names every delivery that must be sent before, oldest first, with those that must follow', async () => {
    const talk = await conversation();
    const person = () =>
      writeAsPerson(ground.db, talk.id, { text: 'a person', attachments: [], minutes: 1 }, { by: 'api' });
    const claim = () => new Runs(ground.db).claim(talk.id, {}, { id: 'a claimant', repeated: false });
    const due = () =>
      ground.rows<{ id: string; kind: string }>(
        `select id, kind from deliveries where conversation_id = $1 and status = 'pending' order by id`,
        talk.id,
      );
    for (let n = 0; n < 3; n += 1) await person();
    assert.deepEqual(await claim(), { next: 'idle', deliveries: await due() });
    await ground.rows('update conversations set paused_until = null');
    await write('API', talk);
    const behind = await claim();
    assert.ok(behind.next === 'waiting' && behind.waitMs > 0, JSON.stringify(behind));
    assert.deepEqual(behind.deliveries, await due());
    assert.equal(behind.deliveries.length, 3);
  });

  it('a claim names at most 20 deliveries, and is repeated at once for the rest', async () => {
    const { id } = await conversation();
    for (let n = 0; n < 21; n += 1)
      await writeAsPerson(ground.db, id, { text: 'a person', attachments: [] }, { by: 'api' });
    const claimed = await new Runs(ground.db).claim(id, {}, { id: 'a claimant', repeated: false });
    assert.ok(claimed.next === 'waiting' && claimed.waitMs <= 0, JSON.stringify(claimed));
    assert.equal(claimed.deliveries?.length, 20);
  });
});
