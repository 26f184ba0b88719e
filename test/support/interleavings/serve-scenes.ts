/** Plays many interleavings at once with the real workflow on the time-skipping server, and rows in Postgres. */
import { inspect } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { createActivities } from '../../../activities/index.ts';
import { isDatabaseUnavailable, type Database } from '../../../src/adapters/postgres/database.ts';
import { controlSignal, conversationWorkflowId, nudgeSignal } from '../../../src/contract/workflows.ts';
import type { Cast } from './cast.ts';
import { checkHistory, unfinished } from './check-history.ts';
import type { Interleaving } from './interleaving.ts';
import { observedActivities } from './observed-activities.ts';
import { Scene, type Clock } from './scene.ts';
import { startSkippingServer } from './skipping-server.ts';

/** Work takes real time here, and holds the server's: so it is short. */
const longestWorkMs = 250;
const longHistory = 24;
/** After the last follow-up of any agent. */
const restMs = 3 * 86_400_000;
const sweepsAfterMs = [120_000, 240_000, 360_000];

/** @returns for each, in their order, '' or what went wrong */
export async function serveScenes(
  plans: readonly (Interleaving | number)[],
  db: Database,
  cast: Cast,
): Promise<string[]> {
  let now = async () => Promise.resolve(0);
  const clock: Clock = {
    now: async () => await now(),
    sleep: async (ms) => {
      await delay(Math.min(ms, longestWorkMs));
    },
  };
  const server = await startSkippingServer(
    observedActivities(createActivities, db, cast, clock),
    longHistory,
  );
  now = server.now;
  const crashes = new Map<Scene, unknown>();
  const scenes = plans.map((plan) => new Scene(plan, db, clock, cast));
  try {
    const start = await server.now();
    const acts = scenes.flatMap((scene) => actsOf(scene, server));
    acts.sort((a, b) => a.at - b.at);
    while (acts.length > 0) {
      const at = acts[0]?.at ?? 0;
      // Events within a few milliseconds happen at once, and race.
      const together = acts.splice(0, acts.findLastIndex((act) => act.at <= at + 5) + 1);
      await server.runTo(start + at);
      await Promise.all(
        together.map(({ scene, act }) => act().catch((error: unknown) => crashes.set(scene, error))),
      );
    }
    await server.runTo((await server.now()) + restMs);
    await Promise.all(scenes.flatMap(({ late }) => late));
  } finally {
    await server.close();
  }
  return scenes.map((scene) => {
    const crash = crashes.get(scene);
    if (crash !== undefined) return inspect(crash);
    const { violation, model } = checkHistory(scene.history, scene.agents, Infinity);
    return violation || unfinished(model);
  });
}

/** Hundreds at once wait longer for a connection than a caller would: then nothing was written. */
async function patiently<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 20; ; tries--) {
    try {
      return await act();
    } catch (error) {
      if (tries === 0 || !isDatabaseUnavailable(error)) throw error;
    }
  }
}

interface Act {
  at: number;
  scene: Scene;
  act: () => Promise<void>;
}

function actsOf(scene: Scene, server: Awaited<ReturnType<typeof startSkippingServer>>): Act[] {
  const { ops, idleMs } = scene.plan;
  const signal = async (name: string, ...args: unknown[]) => {
    const { conversationId } = scene;
    if (conversationId === undefined) return;
    await server.signal(conversationWorkflowId(conversationId), { conversationId, idleMs }, name, ...args);
  };
  const nudgeNow = async () => {
    await signal(nudgeSignal.name, { at: await server.now() });
  };
  const acts = ops.flatMap((op, index): Act[] => {
    if (op.do === 'input') {
      const act = async () => {
        const when = await patiently(async () => await scene.accept(index, op));
        if (when !== undefined && !op.nudgeLost) await signal(nudgeSignal.name, { at: when });
      };
      return Array.from({ length: op.copies }, () => ({ at: op.at, scene, act }));
    }
    if (op.do === 'cancel') return [{ at: op.at, scene, act: () => patiently(() => scene.cancel()) }];
    if (op.do === 'nudge') return [{ at: op.at, scene, act: nudgeNow }];
    // Histories are short anyway; and when a stop arrives cannot be seen from outside.
    if (op.do !== 'flush') return [];
    return [
      {
        at: op.at,
        scene,
        act: async () => {
          await signal(controlSignal.name, 'flush');
        },
      },
    ];
  });
  const last = ops.at(-1)?.at ?? 0;
  return [...acts, ...sweepsAfterMs.map((after) => ({ at: last + after, scene, act: nudgeNow }))];
}
