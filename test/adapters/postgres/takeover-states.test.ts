/** The rows that a takeover leaves in the database, and how the figures and the history show them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { eraseConversation } from '../../../src/adapters/postgres/data/erasures.ts';
import {
  countExpiring,
  eraseExpiredData,
  findExpired,
} from '../../../src/adapters/postgres/data/retention.ts';
import { findUsedDays } from '../../../src/adapters/postgres/data/usage.ts';
import { Runs } from '../../../src/adapters/postgres/conversations/runs.ts';
import { listDeliveryViews } from '../../../src/adapters/postgres/conversations/delivery-views.ts';
import { timelineEntries } from '../../../src/adapters/postgres/conversations/timeline-entries.ts';
import { findOverview } from '../../../src/adapters/postgres/data/overview.ts';
import { listMessages } from '../../../src/adapters/postgres/conversations/history.ts';
import { markDone } from '../../../src/adapters/postgres/conversations/inbox-state.ts';
import { pauseConversation, writeAsPerson } from '../../../src/adapters/postgres/conversations/pauses.ts';
import { unnamedHumanAgent } from '../../../src/domain/conversations/takeover.ts';
import { createFileLinks } from '../../../src/adapters/secrets/file-links.ts';
import { conversationIn, openChannelGround, type ChannelGround } from '../../support/channel-ground.ts';

describe('States of a takeover', () => {
  let ground: ChannelGround;
  let agent: string;
  const noLinks = createFileLinks(undefined, '');
  const who = { phone: '5511400099999' };
  beforeEach(async () => {
    ground = await openChannelGround();
    agent = await ground.newAgent();
  });
  afterEach(() => ground.close());

  const write = async (text: string) =>
    conversationIn(await ground.write(agent, who, { text, sentAtMs: Date.now() }));
  const states = async () =>
    (await ground.rows<{ state: string }>('select state from runs order by ordinal')).map(
      ({ state }) => state,
    );
  const messages = async (conversation: string) => {
    return (await listMessages(ground.db, conversation, { limit: 50, order: 'asc' }, noLinks)).data;
  };
  const totals = async () => (await findOverview(ground.db, ground.organizationId, 1)).totals;

  it('a run that a human agent takes over before the agent begins is `handed_over`, and is no answer of the agent', async () => {
    const conversation = await write('answered by the agent');
    await ground.answer(conversation);
    await ground.rows(`update deliveries set status = 'delivered'`);
    await write('left to a human agent');
    await pauseConversation(ground.db, conversation, undefined, { by: 'api' });
    assert.deepEqual(await states(), ['answered', 'handed_over']);
    const { received, answered, failed } = await totals();
    assert.deepEqual({ received, answered, failed }, { received: 2, answered: 1, failed: 0 });
    const statuses = (await messages(conversation)).map((one) =>
      one.role === 'user' ? one.status : one.role,
    );
    assert.deepEqual(statuses, ['answered', 'agent', 'answered']);
  });

  it('each message has the origin that the history and the limits read: contact, agent, console or API, phone', async () => {
    const conversation = await write('from the contact');
    await ground.answer(conversation, 'from the agent');
    await writeAsPerson(ground.db, conversation, { text: 'from the API', attachments: [] }, { by: 'api' });
    await ground.write(agent, who, { text: 'from the phone', fromMe: true });
    await write('during the takeover');
    const rows = await ground.rows<{ text: string; origin: string }>(
      'select text, origin from messages order by seq',
    );
    assert.deepEqual(
      rows.map(({ text, origin }) => [text, origin]),
      [
        ['from the contact', 'user'],
        ['from the agent', 'agent'],
        ['from the API', 'human_agent'],
        ['from the phone', 'phone'],
        ['during the takeover', 'user'],
      ],
    );
    const shown = (await messages(conversation)).map((one) =>
      one.role === 'agent'
        ? ['agent', one.by_person, one.responding_agent_name]
        : ['user', one.status, one.unanswered],
    );
    assert.deepEqual(shown, [
      ['user', 'answered', undefined],
      ['agent', undefined, shown[1]![2]],
      ['agent', true, unnamedHumanAgent],
      ['agent', true, unnamedHumanAgent],
      ['user', 'answered', 'paused'],
    ]);
    const counted = await ground.rows<{ answers: number }>('select answers from channel_answers');
    assert.deepEqual(counted, [{ answers: 1 }]);
  });

  it('a message that no run answers has no run: it is received, shown at its place, and no run is counted for it', async () => {
    const conversation = await write('answered by the agent');
    await ground.answer(conversation);
    await writeAsPerson(ground.db, conversation, { text: 'a human agent', attachments: [] }, { by: 'api' });
    await write('during the takeover');
    assert.deepEqual(await states(), ['answered']);
    const { entries, older } = await timelineEntries(ground.db, conversation, noLinks, {});
    assert.equal(older, false);
    assert.deepEqual(
      entries.map((entry) => [entry.kind, entry.ordinal, entry.messages.length, entry.deliveries.length]),
      [
        ['run', 1, 2, 1],
        ['message', 2, 1, 1],
        ['message', 3, 1, 0],
      ],
    );
    const one = await timelineEntries(ground.db, conversation, noLinks, { before: 3, since: 2 });
    assert.deepEqual(one, { entries: [entries[1]], older: false });
    const { received, answered } = await totals();
    assert.deepEqual({ received, answered }, { received: 2, answered: 1 });
    const used = async () => (await findUsedDays(ground.db, ground.organizationId, 1))[0];
    const { messages: count, runs } = (await used())!;
    assert.deepEqual({ count, runs }, { count: 2, runs: 1 });
    await eraseConversation(ground.db, conversation, () => true);
    assert.deepEqual([(await used())!.messages, (await used())!.runs], [2, 1]);
  });

  it('a human agent’s reply is among the deliveries of the conversation’s agent', async () => {
    const conversation = await write('hello');
    await writeAsPerson(ground.db, conversation, { text: 'I am here', attachments: [] }, { by: 'api' });
    const { data } = await listDeliveryViews(ground.db, ground.organizationId, {
      limit: 10,
      agent_id: agent,
    });
    assert.deepEqual(
      data.map(({ kind, status }) => [kind, status]),
      [['channel_reply', 'pending']],
    );
  });

  it('the overview leaves out the messages without a run of a test conversation, by day and in total', async () => {
    const conversation = await write('answered by the agent');
    await ground.answer(conversation);
    await pauseConversation(ground.db, conversation, undefined, { by: 'api' });
    await write('during the takeover');
    const received = async () => {
      const { days, totals: all } = await findOverview(ground.db, ground.organizationId, 2);
      return [all.received, days.reduce((sum, day) => sum + day.received, 0)];
    };
    assert.deepEqual(await received(), [2, 2]);
    await ground.rows('update conversations set is_test = true');
    assert.deepEqual(await received(), [0, 0]);
  });

  it('large texts, on pages of the timeline of at most 4 MiB; of an entry that is larger, texts are cut', async () => {
    const conversation = await write('answered by the agent');
    await ground.answer(conversation);
    for (let n = 0; n < 20; n++) await ground.write(agent, who, { text: `phone ${n}`, fromMe: true });
    const resize = (bytes: number, ordinal: string) =>
      ground.rows(`update messages set text = repeat('x', ${bytes}) where run_ordinal ${ordinal}`);
    await resize(500_000, '> 1');
    await resize(9_000_000, '= 10');
    const pages: number[][] = [];
    for (let before: number | undefined, older = true; older;) {
      const page = await timelineEntries(ground.db, conversation, noLinks, { before });
      const texts = page.entries.flatMap((entry) => entry.messages.map(({ text }) => text));
      assert.ok(texts.join('').length <= 4 * 1024 * 1024);
      const ordinals = page.entries.map(({ ordinal }) => ordinal);
      if (ordinals.includes(10)) assert.deepEqual(texts, [`${'x'.repeat(1000)}…`]);
      pages.unshift(ordinals);
      ({ older } = page);
      before = ordinals[0];
    }
    assert.deepEqual(
      pages.flat(),
      Array.from({ length: 21 }, (_, index) => index + 1),
    );
    assert.deepEqual(
      pages.find((page) => page.includes(10)),
      [10],
    );
  });

  it('many messages without a run, on pages of the timeline with runs between them: each once, in order', async () => {
    const conversation = await write('first');
    for (let n = 0; n < 60; n++) {
      if (n % 10 === 0) {
        await ground.rows('update conversations set paused_until = null');
        await write(`answered ${n}`);
        await ground.rows(`update deliveries set status = 'delivered'`);
        await ground.answer(conversation);
      }
      await ground.write(agent, who, { text: `phone ${n}`, fromMe: true });
    }
    const seen: number[] = [];
    for (let before: number | undefined, older = true; older;) {
      const page = await timelineEntries(ground.db, conversation, noLinks, { before });
      assert.ok(page.entries.length <= 40);
      seen.unshift(...page.entries.map(({ ordinal }) => ordinal));
      ({ older } = page);
      before = seen[0];
    }
    assert.deepEqual(
      seen,
      Array.from(seen, (_, index) => index + 1),
    );
    const [{ last_ordinal }] = (await ground.rows<{ last_ordinal: number }>(
      'select last_ordinal from conversations',
    )) as [{ last_ordinal: number }];
    assert.equal(seen.length, last_ordinal);
  });

  for (const [whom, speak] of [
    [
      'a human agent',
      async (conversation: string) => {
        await writeAsPerson(ground.db, conversation, { text: 'I am here', attachments: [] }, { by: 'api' });
      },
    ],
    [
      'the contact, during a takeover,',
      async (conversation: string) => {
        await pauseConversation(ground.db, conversation, undefined, { by: 'api' });
        await write('hello?');
        await ground.rows('update conversations set paused_until = null');
      },
    ],
  ] as const) {
    it(`once ${whom} has written, no follow-up is sent, and a workflow that starts later plans none`, async () => {
      const followUps = JSON.stringify([{ after_seconds: 60, instructions: 'ask again' }]);
      await ground.rows('update agents set follow_ups = $1', followUps);
      const conversation = await write('answered by the agent');
      await ground.answer(conversation);
      await ground.rows(`update deliveries set status = 'delivered'`);
      const runs = new Runs(ground.db);
      const claim = async () => await runs.claim(conversation, {}, { id: randomUUID(), repeated: false });
      const before = await claim();
      assert.ok(before.next === 'idle' && before.silence !== undefined, JSON.stringify(before));
      await speak(conversation);
      await ground.rows(`update deliveries set status = 'delivered'`);
      await ground.rows('update conversations set paused_until = null');
      assert.deepEqual(await claim(), { next: 'idle' });
      const [run] = await ground.rows<{ id: string }>('select id from runs');
      assert.deepEqual(await runs.claimFollowUp(conversation, run!.id, 1, {}), { next: 'superseded' });
    });
  }

  it('once a member has marked the conversation as done, no follow-up is sent, until the contact writes again', async () => {
    const followUps = JSON.stringify([{ after_seconds: 60, instructions: 'ask again' }]);
    await ground.rows('update agents set follow_ups = $1', followUps);
    const conversation = await write('answered by the agent');
    await ground.answer(conversation);
    const runs = new Runs(ground.db);
    const next = async () => {
      const [run] = await ground.rows<{ id: string }>('select id from runs order by ordinal desc limit 1');
      return (await runs.claimFollowUp(conversation, run!.id, 1, {})).next;
    };
    await markDone(ground.db, conversation, 'Ana');
    assert.equal(await next(), 'superseded');
    await ground.rows(`update deliveries set status = 'delivered'`);
    await write('one more thing');
    await ground.answer(conversation);
    // After quiet days, no member has marked it: a follow-up that comes later than that is still sent.
    await ground.rows('update conversations set done_at = now()');
    assert.equal(await next(), 'run');
  });

  it('retention erases a message without a run by its own age, also from a conversation that continues', async () => {
    await ground.rows('update organizations set retention_days = 30');
    const conversation = await write('answered by the agent');
    await ground.answer(conversation);
    await ground.write(agent, who, { text: 'old', fromMe: true });
    const count = async () => await countExpiring(ground.db, ground.organizationId, 30);
    const expire = async () => {
      for (const expired of await findExpired(ground.db, 10))
        await eraseExpiredData(ground.db, expired, () => false);
    };
    await ground.rows(
      `update messages set created_at = created_at - interval '31 days' where origin = 'phone'`,
    );
    assert.deepEqual(await count(), { whole: 0, part: 1, complete: true });
    await expire();
    assert.deepEqual(
      (await messages(conversation)).map(({ text }) => text),
      ['answered by the agent', 'an answer'],
    );
    await ground.write(agent, who, { text: 'young', fromMe: true });
    await ground.rows(`update runs set finished_at = finished_at - interval '31 days'`);
    await expire();
    assert.deepEqual(
      (await messages(conversation)).map(({ text }) => text),
      ['young'],
    );
    await ground.rows(`update messages set created_at = created_at - interval '31 days'`);
    assert.deepEqual(await count(), { whole: 1, part: 0, complete: true });
    await expire();
    assert.deepEqual(await ground.rows('select id from conversations'), []);
    assert.deepEqual(await ground.rows('select id from channel_contacts'), []);
  });
});
