/** The checker of what passes through gateways, checked: a flawless run passes, and each flaw is named. */
import assert from 'node:assert/strict';
import { check, limitsAt } from './check.ts';
import type { LandedSend, Observed, ReplyRow, SentEvent } from './observed.ts';
import { agent, conversation, id, second, undisturbed, user } from './observed-conversation.ts';
import { planEvents } from './plan-events.ts';

const number = '5534960000000';

/** Two events of one group, their reply in two parts, then a third and its reply. */
function flawless(): Observed {
  const events = ['w0e0', 'w0e1', 'w0e2'].map((key, index): SentEvent => ({
    ...{
      key,
      number,
      channel: 'groupingChannel',
      writtenAtMs: index * 1000,
      postedAtMs: [0, 10],
      long: false,
    },
    ...{ text: `${key} says so`, outcome: 'accepted', answers: ['OK', 'OK - duplicate (ignored)'] },
  }));
  const texts = ['Answer to: w0e0 says so\nw0e1 says so', 'Answer to: w0e2 says so'] as const;
  const reply = (name: string, parts: number, at: number): ReplyRow => ({
    ...{ id: id(`d${name}`), event: 'message.completed', status: 'delivered', error: null, number },
    ...{
      conversation_id: conversation,
      message_id: id(name),
      created_at: second(at),
      finished_at: second(at + 1),
    },
    parts: Array.from({ length: parts }, (_, part) => ({
      ...{ part_no: part, status: 'sent', attempted_at: second(at), finished_at: second(at + 1) },
    })),
  });
  const landed = (name: string, part: number, text: string, at: number): LandedSend => ({
    ...{ at: second(at).getTime() + part, trackId: `${id(`d${name}`)}:${part}`, number, text },
  });
  return {
    ...undisturbed([
      ...[
        user(0, events[0]!.text, 'r1', 0),
        user(1, events[1]!.text, 'r1', 1),
        agent('a1', texts[0], [0, 1], 4),
      ],
      ...[user(2, events[2]!.text, 'r2', 6), agent('a2', texts[1], [2], 9)],
    ]),
    events,
    landed: [
      landed('a1', 0, 'Answer to: w0e0 says so', 4),
      landed('a1', 1, 'w0e1 says so', 4),
      landed('a2', 0, texts[1], 9),
    ],
    replies: [reply('a1', 2, 4), reply('a2', 1, 9)],
  };
}

const history = (observed: Observed) => observed.histories.get(conversation)!;

describe('The checker of gateway traffic', () => {
  it('finds no breach in a flawless run, and counts it', () => {
    const { breaches, events, replies } = check(flawless(), limitsAt(1));
    assert.deepEqual(breaches, []);
    assert.deepEqual([events.accepted, events.copies, replies.delivered, replies.received], [3, 3, 2, 3]);
  });

  const sane: [string, (observed: Observed) => void][] = [
    [
      'an event that the gateway was never told is taken, and is not',
      (all) => {
        all.events.push({ ...all.events[0]!, key: 'w1e0', text: 'x', outcome: 'refused', answers: [] });
      },
    ],
    [
      'an unknown outcome where the gateway took a message and did not answer',
      (all) => {
        all.replies[1]!.status = all.replies[1]!.parts[0]!.status = 'unknown';
        all.gatewayFaults.push({ at: 0, trackId: `${id('da2')}:0`, fault: 'lost_answer', landed: true });
      },
    ],
    [
      'a failure where the gateway had refused it',
      (all) => {
        fail(all);
        all.gatewayFaults.push({ at: 0, trackId: `${id('da2')}:0`, fault: 'rate_limited', landed: false });
      },
    ],
  ];
  for (const [name, change] of sane) {
    it(`finds no breach in ${name}`, () => {
      const observed = flawless();
      change(observed);
      assert.deepEqual(check(observed, limitsAt(1)).breaches, []);
    });
  }

  const flaws: [string, (observed: Observed) => void, RegExp][] = [
    ['an event that is lost', (all) => history(all).splice(3, 1), /I1 event w0e2 was accepted and is lost/],
    [
      'an event that is two messages',
      (all) => history(all).push({ ...history(all)[3]!, id: id('m9') }),
      /I1 event w0e2 was taken 2 times/,
    ],
    [
      'an event of which the gateway was told twice that it is new',
      (all) => (all.events[0]!.answers = ['OK', 'OK']),
      /I1 event w0e0 was taken 2 times/,
    ],
    [
      'an event that was ignored',
      (all) => (all.events[0]!.answers = ['OK - channel inactive (ignored)']),
      /I1 event w0e0 was answered by "OK - channel/,
    ],
    [
      'an event that waits for ever',
      (all) => Object.assign(history(all)[3]!, { status: 'queued' }),
      /I1 w0e2 has no end/,
    ],
    [
      'an event in two runs',
      (all) => history(all).push({ ...history(all)[4]!, id: id('a3') }),
      /I1 w0e2 was answered 2 times/,
    ],
    [
      'an event that failed by itself',
      (all) => Object.assign(history(all)[3]!, { status: 'failed' }),
      /I1 event w0e2 failed, and nothing/,
    ],
    [
      'one contact in two conversations',
      (all) => Object.assign(history(all)[3]!, { conversation_id: id('other') }),
      /I1 the events of 5534960000000 are in 2 conversations/,
    ],
    [
      'a group that is not in the order of writing',
      (all) => (all.events[0]!.writtenAtMs = 1500),
      /I4 event w0e1 stands behind a later one/,
    ],
    ['a part received twice', (all) => all.landed.push(all.landed[2]!), /I2 reply .* was received 2 times/],
    [
      'one reply received by two rows',
      (all) => {
        all.replies.push({ ...all.replies[1]!, id: id('da3') });
        all.landed.push({ ...all.landed[2]!, trackId: `${id('da3')}:0` });
      },
      /I2 reply .* was received 2 times/,
    ],
    ['a reply without a row', (all) => all.replies.pop(), /I3 reply .* was sent and has no row/],
    ['a row without a reply', (all) => all.landed.pop(), /I3 part 0 .* is sent, and nothing was received/],
    [
      'a part that is recorded as not sent',
      (all) => (all.replies[1]!.parts[0]!.status = 'retry'),
      /I3 part 0 .* was received, and is retry/,
    ],
    [
      'a part without a row',
      (all) => all.replies[0]!.parts.pop(),
      /I3 a part of reply .* was received and has no row/,
    ],
    [
      'a part left open',
      (all) => (all.replies[1]!.parts[0]!.status = 'attempting'),
      /I3 part 0 .* is still attempting/,
    ],
    ['a reply left open', (all) => (all.replies[1]!.status = 'pending'), /I3 reply .* is still pending/],
    [
      'an unknown outcome without a cause',
      (all) => (all.replies[1]!.status = all.replies[1]!.parts[0]!.status = 'unknown'),
      /I3 reply .* is unknown, and nothing had happened/,
    ],
    [
      'an unknown outcome after a clear refusal',
      (all) => {
        all.replies[1]!.status = all.replies[1]!.parts[0]!.status = 'unknown';
        all.gatewayFaults.push({ at: 0, trackId: `${id('da2')}:0`, fault: 'rate_limited', landed: false });
      },
      /I3 reply .* is unknown, and nothing had happened/,
    ],
    ['a failure without a cause', fail, /I3 reply .* failed \(no reason\), and the gateway had taken all/],
    [
      'a failure though the message had landed',
      (all) => {
        all.replies[1]!.status = all.replies[1]!.parts[0]!.status = 'failed';
        all.gatewayFaults.push({ at: 0, trackId: `${id('da2')}:0`, fault: 'server_error', landed: false });
      },
      /I3 part 0 .* was received, and is failed/,
    ],
    ['an answer that is held back', (all) => (all.replies[1]!.status = 'blocked'), /I3 reply .* is blocked/],
    ['a reply to another contact', (all) => (all.landed[2]!.number = '1'), /I3 reply .* went to 1, not to/],
    ['a reply out of order', (all) => (all.landed[2]!.at = 0), /I4 .* came after a later one/],
    ['parts out of order', (all) => (all.landed[1]!.at = 0), /I4 .*:0 came after a later one/],
    ['a part that is missing', dropPart, /I4 reply .* says other words than its message/],
  ];
  for (const [name, spoil, expected] of flaws) {
    it(`finds ${name}`, () => {
      const observed = flawless();
      spoil(observed);
      const { breaches } = check(observed, limitsAt(1));
      assert.ok(
        breaches.some((one) => expected.test(one)),
        breaches.join('\n') || 'nothing was seen',
      );
    });
  }
});

function fail(all: Observed): void {
  Object.assign(all.replies[1]!, { status: 'failed', error: 'no reason' });
  all.replies[1]!.parts[0]!.status = 'retry';
  all.landed.pop();
}

function dropPart(all: Observed): void {
  all.replies[0]!.parts.pop();
  all.landed.splice(1, 1);
}

describe('The plan of gateway traffic', () => {
  const plan = (seed: number) => planEvents({ seed, durationMs: 600_000, events: 500 });

  it('is the same for the same seed, and another for another', () => {
    assert.deepEqual(plan(7), plan(7));
    assert.notDeepEqual(plan(7), plan(8));
  });

  it('gives ten minutes the doses of a release: a fifth of the events is repeated, at once and later, some come in another order, a tenth are misused', () => {
    const events = plan(1);
    const again = events.filter(({ postedAtMs }) => postedAtMs.length > 1);
    const late = events.filter(({ postedAtMs }) => postedAtMs.at(-1)! > postedAtMs[0]!);
    const atOnce = again.filter(({ postedAtMs }) => postedAtMs[1] === postedAtMs[0]);
    const overtaken = events.filter((one) =>
      events.some(
        (other) =>
          other.number === one.number &&
          other.writtenAtMs > one.writtenAtMs &&
          other.postedAtMs[0]! < one.postedAtMs[0]!,
      ),
    );
    const misused = events.filter(({ sendFault }) => sendFault !== undefined);
    const share = (part: unknown[]) => part.length / events.length;
    assert.equal(events.length, 500);
    assert.ok(share(again) > 0.15 && share(again) < 0.25, `again ${share(again)}`);
    assert.ok(late.length > 20 && atOnce.length > 20, `late ${late.length}, at once ${atOnce.length}`);
    assert.ok(share(overtaken) > 0.1, `overtaken ${share(overtaken)}`);
    assert.ok(share(misused) > 0.06 && share(misused) < 0.14, `misused ${share(misused)}`);
    assert.ok(again.every(({ postedAtMs }) => postedAtMs.length <= 5));
  });
});
