import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { useSharedStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

const quoting = [{ when: '(?s)(.+)', reply: '<$1>' }];

describe('Grouping', () => {
  const stack = useSharedStack();

  const groupOf = async (id: string | undefined) => {
    const row: unknown = await stack()
      .db.knex('runs')
      .where({ id })
      .first(
        stack().db.knex.raw(`extract(epoch from opened_at)::float8 * 1000 as opened`),
        stack().db.knex.raw(`extract(epoch from closes_at)::float8 * 1000 as closes`),
        stack().db.knex.raw(`extract(epoch from cap_at)::float8 * 1000 as cap`),
        stack().db.knex.raw(`extract(epoch from claimed_at)::float8 * 1000 as claimed`),
      );
    return row as { opened: number; closes: number; cap: number; claimed: number };
  };

  /** Lets time pass for a group alone: a stall between two inputs must not be longer than the window. */
  const pass = async (seconds: number, id: string | undefined) => {
    await stack().db.pool.query(
      `update runs set opened_at = opened_at - $2 * interval '1 s', closes_at = closes_at - $2 * interval '1 s',
          cap_at = cap_at - $2 * interval '1 s' where id = $1 and state = 'collecting'`,
      [id, seconds],
    );
  };

  it('merges inputs within a sliding window: texts and attachments in order, first metadata, last URL, one callback', async () => {
    const { api, receiver } = stack();
    const agent = await api.createAgent({ grouping_window_seconds: 10, script: quoting });
    const contact = { id: 'slides' };
    const file = (name: string) => ({
      content_base64: Buffer.from(name).toString('base64'),
      filename: name,
      content_type: 'text/plain',
    });
    const first = await api.send(agent.id, { message: '1', contact, webhook_url: receiver.url('/slides-1') });
    await pass(6, first.group_id);
    const second = await api.send(agent.id, {
      message: '2',
      contact,
      metadata: { n: 2 },
      attachments: [file('a.txt'), file('b.txt')],
    });
    await pass(6, first.group_id);
    // After the first one's window, within the second one's.
    const third = await api.send(agent.id, {
      message: '3',
      contact,
      metadata: { n: 3 },
      attachments: [file('c.txt')],
      webhook_url: receiver.url('/slides-3'),
    });
    assert.deepEqual(
      [first, second, third].map(({ status, group_id }) => [status, group_id]),
      Array.from({ length: 3 }, () => ['debounced', first.group_id]),
    );
    const [callback] = await receiver.callbacks('/slides-3', 1);
    assert.ok(callback?.event === 'message.completed');
    assert.deepEqual(
      [callback.response, callback.metadata, callback.attachments_processed],
      ['<1\n2\n3>', { n: 2 }, 3],
    );
    const messages = await api.settled(first.conversation_id);
    assert.deepEqual(
      messages.flatMap(({ attachments }) => attachments.map(({ filename }) => filename)),
      ['a.txt', 'b.txt', 'c.txt'],
    );
    assert.deepEqual(receiver.requestsTo('/slides-1'), []);
    const { claimed, closes } = await groupOf(first.group_id);
    assert.ok(claimed >= closes, 'it ran before its window had closed');
    assert.ok(claimed - closes < 5000, `it ran ${claimed - closes} ms after its window`);
  });

  it('closes at its maximum of messages, and the next input opens another group', async () => {
    const { api } = stack();
    const agent = await api.createAgent({
      grouping_window_seconds: 60,
      grouping_max_messages: 3,
      script: quoting,
    });
    const contact = { id: 'full' };
    const answers = [];
    for (const message of ['1', '2', '3', '4']) answers.push(await api.send(agent.id, { message, contact }));
    const [first] = answers;
    assert.ok(first);
    const groups = answers.map(({ group_id }) => group_id);
    assert.equal(new Set(groups.slice(0, 3)).size, 1);
    assert.notEqual(groups[3], groups[0]);
    const said = await until('the full group to be answered', async () => {
      const all = await api.messages(first.conversation_id);
      return all.find(({ role }) => role === 'agent');
    });
    assert.equal(said.text, '<1\n2\n3>');
  });

  it('closes at its maximum age, however many inputs arrive', async () => {
    const { api } = stack();
    const agent = await api.createAgent({
      grouping_window_seconds: 4,
      grouping_max_seconds: 5,
      script: quoting,
    });
    const contact = { id: 'capped' };
    const first = await api.send(agent.id, { message: '0', contact });
    let sent = 0;
    const other = await until('another group', async () => {
      await delay(300);
      sent += 1;
      const { group_id } = await api.send(agent.id, { message: String(sent), contact });
      return group_id !== first.group_id && group_id;
    });
    const { opened, closes, cap } = await groupOf(first.group_id);
    assert.deepEqual([Math.round(cap - opened), Math.round(closes - opened)], [5000, 5000]);
    const messages = await api.settled(first.conversation_id, 2);
    const groups = messages.flatMap((one) => (one.role === 'user' ? [one.group_id] : []));
    assert.deepEqual([...new Set(groups)], [first.group_id, other]);
    assert.deepEqual(
      messages.filter(({ role }) => role === 'user').map(({ text }) => text),
      Array.from({ length: sent + 1 }, (_, n) => String(n)),
    );
  });

  it('collects inputs that arrive during a run in the next group', async () => {
    const { api } = stack();
    const agent = await api.createAgent({
      grouping_window_seconds: 0.3,
      script: [{ when: '^1$', reply: 'first', delay_ms: 10_000 }, ...quoting],
    });
    const contact = { id: 'during' };
    const first = await api.send(agent.id, { message: '1', contact });
    await until('the run to have begun', async () => {
      const [message] = await api.messages(first.conversation_id);
      return message?.role === 'user' && message.status === 'processing';
    });
    const second = await api.send(agent.id, { message: '2', contact });
    await delay(600);
    // Its window is over, the run is not: it still collects.
    const third = await api.send(agent.id, { message: '3', contact });
    assert.notEqual(second.group_id, first.group_id);
    assert.equal(third.group_id, second.group_id);
    const messages = await api.settled(first.conversation_id, 2);
    assert.deepEqual(
      messages.filter(({ role }) => role === 'agent').map(({ text }) => text),
      ['first', '<2\n3>'],
    );
  });

  it('runs each input separately, in order and one at a time, if the window is 0', async () => {
    const { api, db } = stack();
    const agent = await api.createAgent({ script: [{ ...quoting[0], delay_ms: 100 }] });
    const contact = { id: 'alone' };
    const sent = [];
    for (const message of ['1', '2', '3', '4']) sent.push(await api.send(agent.id, { message, contact }));
    const [first] = sent;
    assert.ok(first);
    assert.deepEqual(
      sent.map(({ status, group_id }) => [status, group_id]),
      sent.map(() => ['processing', undefined]),
    );
    const messages = await api.settled(first.conversation_id, 4);
    assert.deepEqual(
      messages.filter(({ role }) => role === 'agent').map(({ text }) => text),
      ['<1>', '<2>', '<3>', '<4>'],
    );
    const runs = await db
      .knex<{ conversation_id: string; claimed_at: Date; finished_at: Date; ordinal: number }>('runs')
      .where({ conversation_id: first.conversation_id })
      .orderBy('ordinal');
    assert.equal(
      runs.some(({ claimed_at }, n) => n > 0 && claimed_at < (runs[n - 1]?.finished_at ?? claimed_at)),
      false,
      'two runs at once',
    );
  });
});
