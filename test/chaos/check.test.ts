/** The checker, checked: a flawless run passes, and each flaw that a run could have is named. */
import assert from 'node:assert/strict';
import { check, limitsAt } from './check.ts';
import type { DeliveryRow, FaultRecord, Hit, Observed, ObservedChange, Sent } from './observed.ts';
import { agent, conversation, id, second, undisturbed, user } from './observed-conversation.ts';
import { faultKinds, faultsOfDay, planFaults, warmKinds, type FaultKind } from './plan-faults.ts';
import { planLoad } from './plan-load.ts';
import { plantedCopy, plants } from './plants.ts';

const created: ObservedChange = {
  ...{ action: 'agent_created', name: 'audited 0', id: '', acknowledged: true, isMade: true, entries: 1 },
};
const lost: ObservedChange = {
  ...created,
  name: 'audited 1',
  acknowledged: false,
  isMade: false,
  entries: 0,
};

/** Two messages of one group and its answer, then a third and its answer. */
function flawless(): Observed {
  const sent = ['c0m0', 'c0m1', 'c0m2'].map((key, index): Sent => ({
    ...{ key, conversation: 'c0', agent: 'grouping', atMs: 0, behaviour: 'good', copies: 1 },
    ...{ keyless: false, sync: false, modelFaults: [], text: `${key} says so`, path: `/cb/good/${key}/x` },
    ...{ outcome: 'accepted', acceptedAt: second(index).getTime(), conversationIds: [conversation] },
    groupIds: [id(index < 2 ? 'r1' : 'r2')],
  }));
  const answers = ['Answer to: c0m0 says so\nc0m1 says so', 'Answer to: c0m2 says so'] as const;
  const row = (name: string, path: string, at: number): DeliveryRow => ({
    ...{ id: id(`d${name}`), event: 'message.completed', path, status: 'delivered' },
    ...{ conversation_id: conversation, message_id: id(name), created_at: second(at) },
    ...{ attempted_at: second(at), finished_at: second(at + 1), duration_ms: 900, error: null },
  });
  const hit = (name: string, path: string, text: string, key: string, at: number): Hit => ({
    ...{ at: second(at).getTime(), path, event: 'message.completed', conversationId: conversation },
    ...{ messageId: id(name), metadata: { key }, preTransfer: false, followUp: false, text },
  });
  return {
    ...undisturbed([
      ...[
        user(0, sent[0]!.text, 'r1', 0),
        user(1, sent[1]!.text, 'r1', 1),
        agent('a1', answers[0], [0, 1], 4),
      ],
      ...[user(2, sent[2]!.text, 'r2', 6), agent('a2', answers[1], [2], 9)],
    ]),
    sent,
    hits: [
      hit('a1', '/cb/good/c0m1/x', answers[0], 'c0m0', 4),
      hit('a2', '/cb/good/c0m2/x', answers[1], 'c0m2', 9),
    ],
    deliveries: [row('a1', '/cb/good/c0m1/x', 4), row('a2', '/cb/good/c0m2/x', 9)],
    changes: [created, lost],
  };
}

function breachesOf(spoil: (observed: Observed) => void): string[] {
  const observed = flawless();
  spoil(observed);
  return check(observed, limitsAt(1)).breaches;
}
const spoilChange =
  (which: ObservedChange, spoiled: Partial<ObservedChange>) =>
  ({ changes }: Observed) =>
    changes.splice(changes.indexOf(which), 1, { ...which, ...spoiled });
/** While the second callback is posted. */
const beside = (kind: FaultKind): FaultRecord => ({
  ...{ kind, at: second(9).getTime(), backAt: second(10).getTime() },
  ...{ inFlight: 1, sendsInFlight: 0, callsInFlight: 1 },
});
/** Faults that can make the outcome of a send unknown. */
const sendersFaults: FaultKind[] = [
  ...(['workerKill', 'workerPause', 'workerStall', 'postgresKill', 'backendKill', 'poolExhausted'] as const),
  ...(['postgresCut', 'postgresFreeze', 'connectionReset'] as const),
];
const history = (observed: Observed) => observed.histories.get(conversation)!;

describe('The checker of chaos', () => {
  it('finds no breach in a flawless run, and counts it', () => {
    const { breaches, messages, callbacks } = check(flawless(), limitsAt(1));
    assert.deepEqual(breaches, []);
    assert.deepEqual(
      [messages.accepted, messages.answered, callbacks.received, callbacks.delivered],
      [3, 3, 2, 2],
    );
  });

  for (const kind of sendersFaults) {
    it(`finds no breach in an unknown outcome beside ${kind}, which hit its sender while it was sending`, () => {
      const spoil = (all: Observed) => {
        all.deliveries[1]!.status = 'unknown';
        all.faults.push(beside(kind));
      };
      assert.deepEqual(breachesOf(spoil), []);
    });
  }

  const flaws: [string, (observed: Observed) => void, RegExp][] = [
    ['a lost message', (all) => history(all).splice(3, 2), /I1 c0m2 was accepted and is lost/],
    ['a message taken twice', (all) => history(all).push(history(all)[3]!), /I1 c0m2 was taken 2 times/],
    [
      'a message answered twice',
      (all) => history(all).push({ ...history(all)[4]!, id: id('a3') }),
      /answered 2 times/,
    ],
    [
      'a message that waits for ever',
      (all) => Object.assign(history(all)[3]!, { status: 'queued' }),
      /I1 c0m2 has no end/,
    ],
    ['an answer that never came', (all) => history(all).splice(4, 1), /I1 c0m2 is answered by nothing/],
    [
      'a failure of a sound agent',
      (all) => Object.assign(history(all)[3]!, { status: 'failed' }),
      /c0m2 failed, and nothing was wrong/,
    ],
    [
      'an answer to inputs of another group',
      (all) => Object.assign(history(all)[2]!, { text: 'Answer to: c0m0 says so' }),
      /I1 .* answers/,
    ],
    [
      'a group other than the caller was told',
      (all) => (all.sent[0]!.groupIds = [id('r9')]),
      /I1 c0m0 .* group/,
    ],
    ['a callback received twice', (all) => all.hits.push(all.hits[0]!), /I2 .* received 2 times/],
    ['a callback without a row', (all) => all.deliveries.pop(), /I3 .* has no row/],
    ['a row without a callback', (all) => all.hits.pop(), /I3 .* is delivered, and nothing was received/],
    ['a row left open', (all) => (all.deliveries[1]!.status = 'attempting'), /I3 .* is still attempting/],
    [
      'an unknown outcome without a cause',
      (all) => (all.deliveries[1]!.status = 'unknown'),
      /nothing had happened/,
    ],
    [
      'a failure at a good receiver in peace',
      (all) => Object.assign(all.deliveries[1]!, { status: 'failed', error: 'no answer in time' }),
      /I3 .* failed/,
    ],
    [
      'a lost connection to a good receiver, whatever is wrong elsewhere',
      (all) => {
        Object.assign(all.deliveries[1]!, { status: 'failed', error: 'the connection was lost' });
        all.faults.push(...faultKinds.map(beside));
      },
      /I3 .* failed \(the connection was lost\)/,
    ],
    ...(['temporalKill', 'workerKill', 'apiKill', 'backendKill'] as const).map(
      (kind): [string, (observed: Observed) => void, RegExp] => [
        `a failure at a good receiver beside ${kind}`,
        (all) => {
          Object.assign(all.deliveries[1]!, { status: 'failed', error: 'no answer in time' });
          all.faults.push(beside(kind));
        },
        /I3 .* failed/,
      ],
    ),
    [
      'a callback that was received and says that it was not sent',
      (all) => {
        const error = 'the process was paused before it could post';
        Object.assign(all.deliveries[1]!, { status: 'failed', error });
        all.faults.push(beside('workerPause'));
      },
      /I3 .* was received, and says/,
    ],
    ...faultKinds
      .filter((kind) => !sendersFaults.includes(kind))
      .map((kind): [string, (observed: Observed) => void, RegExp] => [
        `an unknown outcome beside ${kind}, which leaves the sender alone`,
        (all) => {
          all.deliveries[1]!.status = 'unknown';
          all.faults.push(beside(kind));
        },
        /nothing had happened to its sender/,
      ]),
    [
      'an unknown outcome beside a reset of the line to Temporal',
      (all) => {
        all.deliveries[1]!.status = 'unknown';
        all.faults.push({ ...beside('connectionReset'), line: 'temporalLine' });
      },
      /nothing had happened to its sender/,
    ],
    [
      'an unknown outcome of a worker that was killed before, and came back while it was sent',
      (all) => {
        all.deliveries[1]!.status = 'unknown';
        all.faults.push({ ...beside('workerKill'), at: second(7).getTime() });
      },
      /nothing had happened to its sender/,
    ],
    [
      'an unknown outcome of a worker that was killed long after',
      (all) => {
        Object.assign(all.deliveries[1]!, { status: 'unknown', finished_at: second(30) });
        all.faults.push({ ...beside('workerKill'), at: second(20).getTime(), backAt: second(21).getTime() });
      },
      /nothing had happened to its sender/,
    ],
    [
      'two callbacks for what a caller sent once, with identifiers of their own',
      (all) => {
        all.hits.push({ ...all.hits[1]!, messageId: id('a9') });
      },
      /I2 c0m2 was called back 2 times/,
    ],
    ...(
      [
        ['workerKill', { inFlight: 0 }],
        ['workerPause', { inFlight: 0 }],
        ['workerStall', { inFlight: 0 }],
        ['apiKill', { callsInFlight: 0 }],
        ['temporalKill', { inFlight: 0, callsInFlight: 0 }],
        ['postgresKill', { inFlight: 0, callsInFlight: 0 }],
      ] as const
    ).map(([kind, none]): [string, (observed: Observed) => void, RegExp] => [
      `${kind} with nothing of its process in flight`,
      (all) => all.faults.push({ ...beside(kind), ...none }),
      /I9 \w+ at .* met nothing in flight/,
    ]),
    [
      'no warm conversation, although conversations could be kept warm',
      (all) => (all.isWarm = true),
      /I9 no conv/,
    ],
    ['a crash', (all) => all.crashes.push('worker0: exit code 1'), /I5 an API or a worker crashed/],
    ['an internal error', (all) => all.serverErrors.push(500), /I5 a call was answered with 500/],
    ['callbacks out of order', (all) => (all.hits[1]!.at = 0), /I4 .* came after a later one/],
    ['two runs at once', (all) => (all.runs[1]!.claimed_at = second(3)), /I4 .* two runs at once/],
    [
      'metadata that is not the first',
      (all) => (all.hits[0]!.metadata = { key: 'c0m1' }),
      /I4 .* first metadata/,
    ],
    [
      'a URL that is not the last',
      (all) => (all.hits[0]!.path = all.deliveries[0]!.path = '/cb/good/c0m0/x'),
      /I4 .* last URL/,
    ],
    ['a run without an end', (all) => (all.runs[1]!.finished_at = null), /I5 run .* never ended/],
    ['a callback over its time', (all) => (all.deliveries[0]!.duration_ms = 9000), /I6 .* over the limit/],
    ['work that is open too long', (all) => (all.drainedMs = undefined), /I3 work was open/],
    ['a change without an entry', spoilChange(created, { entries: 0 }), /I8 .* was made and has 0 audit/],
    ['a change with two entries', spoilChange(created, { entries: 2 }), /I8 .* was made and has 2 audit/],
    [
      'an acknowledged change that is not there',
      spoilChange(created, { isMade: false }),
      /I8 .* is not there/,
    ],
    [
      'an unanswered change that was made without an entry',
      spoilChange(lost, { isMade: true }),
      /I8 .* was made and has 0 audit/,
    ],
    ['an entry without its change', spoilChange(lost, { entries: 1 }), /I8 .* was not made and has 1 audit/],
    ['an entry about nothing', (all) => all.strayEntries.push('x'), /I8 nobody made/],
    ['a broken chain', (all) => (all.chainProblem = 'an entry was removed'), /I8 the chain/],
    ['a redirect followed', (all) => (all.redirectsFollowed = 1), /redirects were followed/],
    ['non-determinism', (all) => (all.nonDeterminism = 1), /I5 1 non-determinism/],
    ['memory that grows', (all) => (all.memoryGrowthMb = 200), /I6 a process grew by 200 MB/],
    ['a secret in a log', (all) => all.leaks.push('a log'), /I7 a secret stands in a log/],
    [
      'a recovery that is slow',
      (all) => {
        const at = second(7).getTime() - 40_000;
        all.faults.push({ ...beside('workerKill'), at, backAt: at + 1 });
        all.runs[1]!.closes_at = new Date(at - 1000);
      },
      /I5 99 % of recoveries/,
    ],
  ];
  for (const [name, spoil, expected] of flaws) {
    it(`finds ${name}`, () => {
      const breaches = breachesOf(spoil);
      assert.ok(
        breaches.some((one) => expected.test(one)),
        breaches.join('\n') || 'nothing was seen',
      );
    });
  }
});

describe('The plan of chaos', () => {
  it('is the same for the same seed, and another for another', () => {
    const load = (seed: number) => planLoad({ seed, durationMs: 60_000, messages: 200 });
    const faults = (seed: number) => planFaults({ seed, durationMs: 60_000 });
    assert.deepEqual(load(7), load(7));
    assert.deepEqual(faults(7), faults(7));
    assert.notDeepEqual(load(7), load(8));
    assert.notDeepEqual(faults(7), faults(8));
  });

  it('has every kind of fault, but those of warm conversations, in the short forms of any seven days', () => {
    for (let first = 20_000; first < 20_010; first++) {
      const week = Array.from({ length: 7 }, (_, day) => faultsOfDay(first + day));
      assert.deepEqual(
        faultKinds.filter((kind) => !week.flat().includes(kind)),
        warmKinds,
      );
    }
  });

  it('gives ten minutes the doses of a release', () => {
    const kinds = Map.groupBy(planFaults({ seed: 1, durationMs: 600_000 }), ({ kind }) => kind);
    const least = { workerKill: 100, apiKill: 50, temporalKill: 10, postgresKill: 10, backendKill: 50 };
    const also = {
      workerPause: 20,
      workerStall: 20,
      listenCut: 30,
      clockJump: 3,
      workflowReset: 20,
      workflowTerminate: 20,
      activityReset: 20,
    };
    for (const [kind, count] of Object.entries({ ...least, ...also, rollingRestart: 1 })) {
      assert.ok(
        [...kinds].some(([name, all]) => name === kind && all.length >= count),
        kind,
      );
    }
  });
});

describe('The planted faults of chaos', () => {
  for (const plant of plants) {
    it(`${plant.name}: its place is still in the source`, () => {
      plantedCopy(plant).remove();
    });
  }
});
