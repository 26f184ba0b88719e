/** The real workflow on the time-skipping server: what takes days, and what comes in any order. */
import assert from 'node:assert/strict';
import { createActivities } from '../../activities/index.ts';
import { connectDatabase, type Database } from '../../src/adapters/postgres/database.ts';
import { conversationWorkflowId, nudgeSignal } from '../../src/contract/workflows.ts';
import { backing } from '../support/backing.ts';
import { newCast, saveCast, type Cast } from '../support/interleavings/cast.ts';
import { pairs, type Interleaving } from '../support/interleavings/interleaving.ts';
import { observedActivities } from '../support/interleavings/observed-activities.ts';
import { describeFailure, playBatches } from '../support/interleavings/play-many.ts';
import { Scene } from '../support/interleavings/scene.ts';
import { serveScenes } from '../support/interleavings/serve-scenes.ts';
import { startSkippingServer, type SkippingServer } from '../support/interleavings/skipping-server.ts';
import { until } from '../support/until.ts';

const dayMs = 86_400_000;

describe('On the time-skipping server', () => {
  let db: Database | undefined;
  let cast: Cast | undefined;
  const ground = (): { db: Database; cast: Cast } => {
    if (db === undefined || cast === undefined) throw new Error('only while tests run');
    return { db, cast };
  };

  before(async () => {
    db = connectDatabase(await (await backing()).freshDatabase(), 20);
    cast = newCast();
    await saveCast(db, cast);
  });

  after(async () => {
    await db?.close();
  });

  it('two follow-ups after 24 hours each are sent in under 2 seconds', async () => {
    const { db: rows, cast: actors } = ground();
    const days = JSON.stringify(
      Array.from({ length: 2 }, () => ({ after_seconds: dayMs / 1000, instructions: 'ask' })),
    );
    const plan: Interleaving = {
      seed: 1,
      pair: pairs.findIndex(([agent]) => agent.windowMs === 0),
      idleMs: 1000,
      ops: [],
      replies: [],
      postMs: [],
      accidents: {},
    };
    await rows.knex('agents').where({ id: actors.agents[plan.pair]?.[0] }).update({ follow_ups: days });
    let now = async () => Promise.resolve(Date.now());
    const clock = { now: async () => await now(), sleep: async () => Promise.resolve() };
    const server = await startSkippingServer(observedActivities(createActivities, rows, actors, clock));
    now = server.now;
    try {
      // The fastest of a few: the machine may be busy with other things.
      const took: number[] = [];
      while (took.length < 5 && !took.some((ms) => ms < 2000)) {
        took.push(await timeOfFollowUps(new Scene(plan, rows, clock, actors), server));
      }
      assert.ok(
        took.some((ms) => ms < 2000),
        `${String(took)} ms`,
      );
    } finally {
      await server.close();
    }
  });

  it('100 concurrent seeded interleavings match the reference model, across continue-as-new', async () => {
    const { db: rows, cast: actors } = ground();
    await saveAgentsAnew(rows, actors);
    const failing = await playBatches(async (plans) => await serveScenes(plans, rows, actors), {
      from: 50_001,
      count: 100,
      atOnce: 100,
    });
    assert.equal(failing && describeFailure(failing), undefined);
  });
});

/** @returns ms of real time from the answer to the second follow-up */
async function timeOfFollowUps(scene: Scene, server: SkippingServer): Promise<number> {
  const input = { at: 0, do: 'input', sync: false, url: 1, copies: 1, nudgeLost: false } as const;
  const at = await scene.accept(0, input);
  const { conversationId = '', history } = scene;
  const sent = () => history.flatMap(({ what }) => (what.kind === 'send' ? [what.body] : []));
  const state = { conversationId, idleMs: scene.plan.idleMs };
  await server.signal(conversationWorkflowId(conversationId), state, nudgeSignal.name, { at });
  await until('the answer to be posted', () => sent().length === 1);
  const begun = performance.now();
  await server.runTo((await server.now()) + 2 * dayMs + 60_000);
  await until('both follow-ups to be posted', () => sent().length === 3);
  const took = performance.now() - begun;
  assert.deepEqual(
    sent().map((body) => (JSON.parse(body) as string[])[1]),
    ['answer 0', 'answer 1', 'answer 2'],
  );
  const [first = 0, second = 0] = history.flatMap(({ what }) => (what.kind === 'followUp' ? [what.t] : []));
  assert.ok(second - first >= dayMs);
  return took;
}

/** Their follow-ups as the generator has them. */
async function saveAgentsAnew(db: Database, { agents }: Cast): Promise<void> {
  for (const [index, ids] of agents.entries()) {
    for (const [side, id] of ids.entries()) {
      const followUps = pairs[index]?.[side]?.followUps ?? [];
      await db
        .knex('agents')
        .where({ id })
        .update({
          follow_ups: JSON.stringify(
            followUps.map((ms) => ({ after_seconds: ms / 1000, instructions: 'ask' })),
          ),
        });
    }
  }
}
