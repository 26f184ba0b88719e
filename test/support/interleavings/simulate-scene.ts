/** Plays one interleaving with the real workflow function, activities and rows, on simulated time. */
import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import type { Database, Statement } from '../../../src/adapters/postgres/database.ts';
import type { ConversationState } from '../../../workflows/conversations/conversation-state.ts';
import type { Cast } from './cast.ts';
import { checkHistory, unfinished } from './check-history.ts';
import { interleavingOf, numbers, type Interleaving } from './interleaving.ts';
import type { Simulated } from './load-simulated.ts';
import { observedActivities } from './observed-activities.ts';
import { Scene, WorkerLost, type Clock } from './scene.ts';
import { attempts, ContinuedAsNew, execution, type Execution } from './sdk-stand-in.ts';
import { SimulatedTime } from './simulated-time.ts';

const start = Date.UTC(2030, 0, 1);
/** Races let time run on before a nudge is sent; a group that an input closed early is looked for by steps. */
const raceMs = 205;
const longest = 400 * 86_400_000;

/** @returns '' or what went wrong */
export async function simulateScene(
  plan: Interleaving | number,
  { conversation, createActivities }: Simulated,
  db: Database,
  cast: Cast,
  show?: (line: string) => void,
): Promise<string> {
  const { seed } = typeof plan === 'number' ? interleavingOf(plan) : plan;
  const time = new SimulatedTime(start, numbers(seed));
  // Every second scene's statements of one instant race on the locks; the others' come in an order that the seed
  // repeats.
  const atOnce = seed % 2 === 0;
  const pool = {
    query: async (statement: Statement & { values: unknown[] }) => {
      const ask = () => db.pool.query(statement);
      return await (atOnce ? time.during(ask()) : time.inTurn(ask));
    },
  };
  const countedDb = { pool } as unknown as Database;
  const clock: Clock = {
    now: () => time.now,
    sleep: async (ms) => {
      await time.sleep(ms);
    },
  };
  const scene = new Scene(plan, countedDb, clock, cast);
  const activities = observedActivities(createActivities, countedDb, cast, clock) as unknown as Record<
    string,
    (...args: unknown[]) => Promise<unknown>
  >;
  let crash: unknown;
  let running: Run | undefined;
  let continueAsNew = false;

  class Run implements Execution {
    readonly runId = randomUUID();
    activities = 0;
    over = false;
    /** A history that has just begun is never long. */
    hasWaited = false;
    readonly conditions: { holds: () => boolean; resolve: () => void }[] = [];
    readonly handlers = new Map<string, (...args: never[]) => unknown>();
    now = () => time.now;
    sleep = async (ms: number) => {
      await new Promise<void>((resolve) => {
        time.at(time.now + ms, () => {
          if (!this.over) resolve();
        });
      });
    };
    condition = async (holds: () => boolean) => {
      this.hasWaited = true;
      await new Promise<void>((resolve) => this.conditions.push({ holds, resolve }));
    };
    handle = (name: string, handler: (...args: never[]) => unknown) => {
      this.handlers.set(name, handler);
    };
    suggestsContinueAsNew = () => continueAsNew && this.hasWaited;
    activity = async (name: string, args: unknown[]) => {
      const activityId = String((this.activities += 1));
      const workflowExecution = { runId: this.runId };
      for (let attempt = 1, delay = 200; ; attempt += 1, delay = Math.min(delay * 2, 5000)) {
        try {
          const info = { activityId, attempt, workflowExecution };
          return await attempts.run(info, async () => await activities[name]!(...args));
        } catch (error) {
          if (error instanceof WorkerLost) await time.sleep(15_000);
          else if (!(error instanceof ApplicationFailure)) throw error;
          else if (error.nonRetryable)
            throw new ActivityFailure(name, name, '1', 'NON_RETRYABLE_FAILURE', 'simulated', error);
          else await time.sleep(Number(error.nextRetryDelay ?? delay));
        }
      }
    };
    signal(name: string, ...args: unknown[]): void {
      execution.run(this, () => this.handlers.get(name)?.(...(args as never[])));
    }
  }

  const begin = (state: ConversationState): Run => {
    const run = new Run();
    running = run;
    execution
      .run(run, async () => {
        await conversation(state);
      })
      .then(
        () => {
          run.over = true;
          running = undefined;
        },
        (error: unknown) => {
          run.over = true;
          running = undefined;
          if (error instanceof ContinuedAsNew) {
            continueAsNew = false;
            begin(JSON.parse(JSON.stringify(error.args[0])) as ConversationState);
          } else crash ??= error;
        },
      );
    return run;
  };
  const nudge = (at: number) => {
    if (scene.conversationId === undefined) return;
    const target = running ?? begin({ conversationId: scene.conversationId, idleMs: scene.plan.idleMs });
    target.signal('nudge', { at });
  };
  const wake = () => {
    let woken = false;
    for (const condition of running?.conditions ?? []) {
      if (!execution.run(running!, condition.holds)) continue;
      running!.conditions.splice(running!.conditions.indexOf(condition), 1);
      condition.resolve();
      woken = true;
    }
    return woken;
  };

  const { ops, accidents } = scene.plan;
  for (const [index, op] of ops.entries()) {
    const at = start + op.at;
    if (op.do === 'input') {
      // A repeat of a call, and a claim that falls due, race with it.
      for (let copy = 0; copy < op.copies; copy++)
        time.at(
          at,
          () => {
            scene.accept(index, op).then(
              (when) => {
                if (when !== undefined && !op.nudgeLost) nudge(when);
              },
              (error: unknown) => (crash ??= error),
            );
          },
          false,
        );
    } else if (op.do === 'nudge')
      time.at(at, () => {
        nudge(at);
      });
    else if (op.do === 'cancel')
      time.at(at, () => {
        scene.cancel().catch((error: unknown) => (crash ??= error));
      });
    else if (op.do === 'continueAsNew') time.at(at, () => (continueAsNew = true));
    else
      time.at(at, () => {
        if (op.do === 'stop' && running) scene.sawStop(at);
        running?.signal('control', op.do === 'flush' ? 'flush' : 'stopFollowUps');
      });
  }
  const hasAccidents =
    Object.keys(accidents).length > 0 || ops.some((op) => op.do === 'input' && op.nudgeLost);
  if (hasAccidents)
    for (const after of [120_000, 240_000, 360_000])
      time.at(start + (ops.at(-1)?.at ?? 0) + after, () => {
        nudge(time.now);
      });
  try {
    await time.run(wake, start + longest);
  } catch (error) {
    crash ??= error;
  }
  if (crash) return `seed ${seed}: ${inspect(crash)}`;
  // Here nobody interrupts the model of a cancelled run: what comes next begins when it has ended.
  const late = hasAccidents || ops.some((op) => op.do === 'cancel') ? Infinity : raceMs;
  const { violation, model } = checkHistory(scene.history, scene.agents, late);
  const wrong = violation || unfinished(model);
  if (show) for (const seen of scene.history) show(JSON.stringify(seen));
  return wrong;
}
