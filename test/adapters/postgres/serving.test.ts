/**
 * An activity that waits for the next input, its workflow, a caller and an operator, in many orders: each input is
 * answered once, in order, and each is known to somebody who will look for it, without the help of any look that
 * repeats.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { maxModelTimeoutSeconds } from '../../../src/contract/conversations/limits.ts';
import { createAgent } from '../../../src/adapters/postgres/conversations/agents.ts';
import { acceptInput } from '../../../src/adapters/postgres/conversations/inputs.ts';
import { Runs, type Serving } from '../../../src/adapters/postgres/conversations/runs.ts';
import {
  endServing,
  findDueOfServed,
  takeOverServing,
} from '../../../src/adapters/postgres/conversations/serving.ts';
import { stayWarm } from '../../../src/app/conversations/stay-warm.ts';
import { WarmConversations } from '../../../src/worker/warm-conversations.ts';
import { connectDatabase, type Database } from '../../../src/adapters/postgres/database.ts';
import { createOrganization } from '../../../src/adapters/postgres/accounts/organizations.ts';
import { createAgent as agentBody } from '../../../src/contract/conversations/agents.ts';
import { backing } from '../../support/backing.ts';
import { numbers } from '../../support/interleavings/interleaving.ts';
import { sqlFunction } from '../../support/sql-function.ts';

/** An activity that answers runs until it ends. */
interface Activity {
  by: string;
  claimant: string;
  attempt: number;
  /** The next step of the activity. */
  at: 'claim' | 'record' | 'waits' | 'ends' | 'ended';
  run?: { id: string; inputs: number };
  served: boolean;
  told: boolean;
  /** Temporal has given it up; a new attempt runs in its place. */
  lost: boolean;
}

interface Scene {
  conversation: string;
  activities: Activity[];
  /** The workflow knows of something due. */
  wake: boolean;
  sent: string[];
  /** Notifications that were sent after the commit and are not yet received. */
  calls: string[];
  activityCount: number;
}

describe('Serving a conversation', () => {
  let db: Database;
  let organizationId: string;
  let targetId: string;

  before(async () => {
    db = connectDatabase(await (await backing()).freshDatabase(), 4);
    ({ id: organizationId } = await createOrganization(db, 'an organization'));
    const body = agentBody.parse({ name: 'agent', model: 'scripted/default', script: [{ reply: 'ok' }] });
    ({ id: targetId } = await createAgent(db, organizationId, body));
  });
  after(async () => {
    await db.close();
  });

  const warmMs = 60_000;
  const input = async (text: string, conversationId?: string) => {
    const accepted = await acceptInput(db, {
      caller: { kind: 'system' },
      organizationId,
      targetId,
      conversationId,
      text,
      sync: false,
    });
    if (accepted.outcome !== 'accepted') throw new Error(accepted.outcome);
    return accepted;
  };
  const claim = async (conversation: string, claimant: string, serving?: Serving, repeated = false) =>
    await new Runs(db).claim(conversation, {}, { id: claimant, repeated }, false, undefined, serving);
  const record = async (run: { id: string; inputs: number }) =>
    await new Runs(db).record({
      run_id: run.id,
      step: 0,
      inputs: run.inputs,
      kind: 'answer',
      text: `answer ${run.id}`,
      truncated: false,
      model: 'scripted/default',
      input_tokens: 1,
      output_tokens: 1,
      credits: 0,
      message_credits: 0,
      ...{ agent_version: 1, model_id: 'scripted/default', model_ms: 0, history_turns: 0, was_cut: false },
    });
  const newBy = () => `${randomUUID()}/${randomUUID()}`;

  /** One run that was answered a moment ago. */
  async function answered(): Promise<string> {
    const { conversation_id: conversation } = await input('1');
    const claimed = await claim(conversation, 'first');
    assert.ok(claimed.next === 'run' && !claimed.served);
    await record({ id: claimed.run.id, inputs: 1 });
    return conversation;
  }

  it('begins with a run that was opened soon after the last answer', async () => {
    const conversation = await answered();
    const by = newBy();
    await input('2', conversation);
    const claimed = await claim(conversation, 'second', { by, warmMs, lingering: false });
    assert.ok(claimed.next === 'run' && claimed.served);
    const next = await input('3', conversation);
    assert.equal(next.served_by, by);
  });

  const cold: [what: string, serving: Serving | undefined][] = [
    ['an activity that serves nothing', undefined],
    ['a run that was opened long after the last answer', { by: newBy(), warmMs: 0, lingering: false }],
  ];
  for (const [what, serving] of cold) {
    it(`does not begin with ${what}`, async () => {
      const conversation = await answered();
      await input('2', conversation);
      const claimed = await claim(conversation, 'second', serving);
      assert.ok(claimed.next === 'run' && !claimed.served);
      assert.equal((await input('3', conversation)).served_by, null);
    });
  }

  it('of a first run does not begin', async () => {
    const { conversation_id: conversation } = await input('1');
    const claimed = await claim(conversation, 'first', { by: newBy(), warmMs, lingering: false });
    assert.ok(claimed.next === 'run' && !claimed.served);
  });

  it('ends with what is due', async () => {
    const conversation = await answered();
    const by = newBy();
    await input('2', conversation);
    const claimed = await claim(conversation, 'second', { by, warmMs, lingering: false });
    assert.ok(claimed.next === 'run');
    await record({ id: claimed.run.id, inputs: 1 });
    assert.deepEqual(await findDueOfServed(db, [{ conversationId: conversation, by }]), []);
    const { wake_at } = await input('3', conversation);
    assert.deepEqual(await findDueOfServed(db, [{ conversationId: conversation, by }]), [conversation]);
    assert.equal(await endServing(db, conversation, by), wake_at?.getTime());
    assert.equal((await input('4', conversation)).served_by, null);
    assert.equal(await endServing(db, conversation, by), wake_at?.getTime(), 'again');
    assert.deepEqual(await claim(conversation, 'late', { by, warmMs, lingering: true }), {
      next: 'superseded',
    });
  });

  it('is ended by the claim of another activity, whose end it does not touch', async () => {
    const conversation = await answered();
    const [by, other] = [newBy(), newBy()];
    await input('2', conversation);
    await claim(conversation, 'second', { by, warmMs, lingering: false });
    const again = await claim(conversation, 'second', { by: other, warmMs, lingering: false }, true);
    assert.ok(again.next === 'run' && again.served);
    await endServing(db, conversation, by);
    assert.equal((await input('3', conversation)).served_by, other);
  });

  /** Serves a conversation with a further input due. @returns the run that the activity ends with, and those before */
  async function serveTwo(modelTimeoutSeconds: number | null) {
    const conversation = await answered();
    const never = (): never => {
      throw new Error('unexpected');
    };
    const all = new WarmConversations({
      worker: randomUUID(),
      limits: { maxRuns: 2, waitMs: 60_000, activityMs: 600_000, maxWarm: 1 },
      notifications: { on: () => undefined },
      findDue: () => Promise.resolve([]),
      failed: never,
      runEnded: () => undefined,
    });
    const one = all.register(conversation);
    assert.ok(one);
    const answer = { next: 'answer', step: 0 } as const;
    const first = {
      outcome: { ...answer, runId: 'first', wakeAt: 1 },
      served: { organizationId, modelTimeoutSeconds },
      began: performance.now(),
    };
    const outcomes = [{ outcome: { ...answer, runId: 'second' } }];
    const deps = { db, runs: new Runs(db) };
    const outcome = await stayWarm(
      deps,
      conversation,
      { all, one, signal: new AbortController().signal },
      first,
      () => Promise.resolve(outcomes.shift() ?? never()),
    );
    one.unregister();
    return ['runId' in outcome && outcome.runId, outcome.earlier?.map(({ runId }) => runId)];
  }

  it('of an answer with a further input due claims again, without a notification', async () => {
    assert.deepEqual(await serveTwo(null), ['second', ['first']]);
  });

  it('ends with the run if another model call of its agent may not end before the timeout of the activity', async () => {
    assert.deepEqual(await serveTwo(maxModelTimeoutSeconds), ['first', undefined]);
  });

  it('a repeated attempt continues the run that the lost one was in, not the one before', async () => {
    const conversation = await answered();
    const by = newBy();
    await input('2', conversation);
    const second = await claim(conversation, 'the activity', { by, warmMs, lingering: false });
    assert.ok(second.next === 'run');
    await record({ id: second.run.id, inputs: 1 });
    await input('3', conversation);
    const third = await claim(conversation, 'the activity', { by, warmMs, lingering: true });
    assert.ok(third.next === 'run');
    const repeated = await claim(
      conversation,
      'the activity',
      { by: newBy(), warmMs, lingering: false },
      true,
    );
    assert.ok(repeated.next === 'run');
    assert.equal(repeated.run.id, third.run.id);
  });

  /** Plays one order of the steps of all parts. @returns what went wrong */
  async function play(seed: number): Promise<string | undefined> {
    const random = numbers(seed);
    const scene: Scene = {
      conversation: await answered(),
      activities: [],
      wake: false,
      sent: [],
      calls: [],
      activityCount: 0,
    };
    const { conversation } = scene;
    const pending = () => scene.activities.find(({ at, lost }) => at !== 'ended' && !lost);
    const steps: [can: () => boolean, step: () => Promise<void> | void][] = [
      [() => scene.sent.length < 5, () => accept(scene)],
      [
        () => scene.calls.length > 0,
        () => {
          hear(scene);
        },
      ],
      [
        () => scene.wake && pending() === undefined,
        () => {
          scene.wake = false;
          begin(scene, `claimant-${(scene.activityCount += 1)}`, 1);
        },
      ],
      [
        () => pending() !== undefined && scene.sent.length < 5 && random() < 0.1,
        async () => {
          await takeOverServing(db, conversation);
          tell(scene);
        },
      ],
      [
        // A heartbeat is missed: Temporal starts another attempt while the first one continues.
        () => pending() !== undefined && random() < 0.2,
        () => {
          const lost = pending();
          if (lost === undefined) return;
          lost.lost = true;
          // Its worker may have died, or may only be slow.
          if (random() < 0.5) lost.at = 'ended';
          begin(scene, lost.claimant, lost.attempt + 1);
        },
      ],
    ];
    for (let left = 400; left > 0; left--) {
      const able = [
        ...steps.filter(([can]) => can()).map(([, step]) => step),
        ...scene.activities
          .filter((activity) => canStep(scene, activity))
          .map((activity) => async () => {
            await advance(scene, activity, random);
          }),
      ];
      const step = able[Math.floor(random() * able.length)];
      if (step === undefined) break;
      await step();
    }
    const rows = await db
      .knex<{ origin: string; run_id: string; conversation_id: string; seq: number }>('messages')
      .where({ conversation_id: conversation })
      .orderBy('seq')
      .select('origin', 'run_id');
    const runs = await db
      .knex<{ id: string; state: string; conversation_id: string; ordinal: number }>('runs')
      .where({ conversation_id: conversation })
      .orderBy('ordinal')
      .select('id', 'state');
    const open = runs.filter(({ state }) => state !== 'answered');
    if (open.length > 0) return `${open.length} runs are left ${open.map(({ state }) => state).join(', ')}`;
    const answers = rows.filter(({ origin }) => origin === 'agent').map(({ run_id }) => run_id);
    if (answers.join() !== runs.map(({ id }) => id).join()) return 'answers are doubled or out of order';
    return undefined;
  }

  async function accept(scene: Scene): Promise<void> {
    const text = `input ${scene.sent.length + 2}`;
    const accepted = await input(text, scene.conversation);
    scene.sent.push(text);
    if (accepted.served_by === null) scene.wake = true;
    else scene.calls.push(accepted.served_by);
  }

  function hear(scene: Scene): void {
    const by = scene.calls.shift();
    for (const activity of scene.activities) if (activity.by === by) activity.told = true;
  }

  function tell(scene: Scene): void {
    for (const activity of scene.activities) activity.told = true;
  }

  function begin(scene: Scene, claimant: string, attempt: number): void {
    const activity = { by: newBy(), claimant, attempt, served: false, told: false, lost: false };
    scene.activities.push({ ...activity, at: 'claim' });
  }

  function canStep(scene: Scene, { at, told }: Activity): boolean {
    if (at === 'ended') return false;
    // Silence ends a wait, but only once nothing else happens, or the wait would never be seen.
    return at !== 'waits' || told || scene.sent.length === 5 || scene.sent.length % 2 === 0;
  }

  async function advance(scene: Scene, activity: Activity, random: () => number): Promise<void> {
    const { conversation } = scene;
    const { by, claimant, attempt } = activity;
    switch (activity.at) {
      case 'claim': {
        const lingering = activity.served;
        const serving = { by, warmMs, lingering };
        const claimed = await claim(conversation, claimant, serving, !lingering && attempt > 1);
        if (claimed.next === 'run') {
          activity.run = { id: claimed.run.id, inputs: claimed.run.inputs.length };
          activity.served = claimed.served;
          activity.at = 'record';
        } else if (claimed.next === 'idle' && lingering) activity.at = 'waits';
        else {
          if (claimed.next === 'answer' && claimed.wakeAt !== undefined && !activity.lost) scene.wake = true;
          activity.at = activity.served ? 'ends' : 'ended';
        }
        return;
      }
      case 'record': {
        if (activity.run === undefined) throw new Error('records without a run');
        const outcome = await record(activity.run);
        // Waits for the outcome's wakeAt as the workflow does, once the activity has ended.
        if (!activity.served && outcome.next === 'answer' && outcome.wakeAt !== undefined && !activity.lost)
          scene.wake = true;
        activity.at = activity.served ? 'waits' : 'ended';
        return;
      }
      case 'waits':
        if (activity.told && random() < 0.9) {
          activity.told = false;
          activity.at = 'claim';
        } else activity.at = 'ends';
        return;
      case 'ends': {
        const due = await endServing(db, conversation, by);
        if (due !== undefined && !activity.lost) scene.wake = true;
        activity.at = 'ended';
        return;
      }
      case 'ended':
    }
  }

  it('in 300 random orders, no input is lost and none is answered twice', async () => {
    for (let seed = 1; seed <= 300; seed++) {
      const wrong = await play(seed);
      assert.equal(wrong, undefined, `order ${seed}`);
    }
  });

  const plants: [what: string, file: string, planted: (sql: string) => string][] = [
    [
      'an end that does not say what is due',
      'end_serving',
      (sql) =>
        sql
          .replace('return (select min(due)', 'return (select null::timestamptz from (select min(due)')
          .replace(/waiting\);\nend/, 'waiting) nothing);\nend'),
    ],
    [
      'an input that is told to an activity which has ended',
      'end_serving',
      (sql) => sql.replace(/update conversations set served_by = null[^;]+;/, 'null;'),
    ],
    [
      'an input that is told to nobody',
      'accept_input',
      (sql) =>
        sql.replace(
          /case when v_wake is not null and v_conversation\.served_until > v_now then v_conversation\.served_by end/,
          "coalesce(v_conversation.served_by, 'nobody')",
        ),
    ],
  ];
  for (const [what, file, planted] of plants) {
    it(`the orders find ${what}`, async () => {
      const original = sqlFunction(file);
      const broken = planted(original);
      assert.notEqual(broken, original);
      await db.pool.query(broken);
      try {
        let found: string | undefined;
        for (let seed = 1; seed <= 300 && found === undefined; seed++) found = await play(seed);
        assert.notEqual(found, undefined);
      } finally {
        await db.pool.query(original);
      }
    });
  }
});
