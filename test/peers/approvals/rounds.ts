/**
 * Rounds of ten cases each: the deciders decide, the engine is killed before all tools have ended, and is started
 * again.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../support/until.ts';
import type { Case, Choice, Decided, Plan } from './count.ts';
import type { Engine, Shown } from './engine.ts';
import { toolMs, type HarnessServer } from './harness-server.ts';

const plansOfRound: readonly Plan[] = [
  ...(['approve', 'approve', 'approve', 'approve', 'both approve', 'both approve'] as const),
  ...(['approve and refuse', 'approve and refuse', 'refuse', 'none'] as const),
];
const choicesOf: Readonly<Record<Plan, readonly Choice[]>> = {
  approve: ['approve'],
  'both approve': ['approve', 'approve'],
  'approve and refuse': ['approve', 'refuse'],
  refuse: ['refuse'],
  none: [],
};

const beginMs = 120_000;
/** For how long an engine may work after its start, before what it has not ended counts as it is. Chosen. */
const settleMs = 120_000;
/** For how long nothing may change before an engine counts as done. Chosen. */
const calmMs = 3000;
/** Deciders decide within a second, so that a kill finds calls that have ended, that run, and that wait. Chosen. */
const decideWithinMs = 1000;
/** The latest request to the tool at which a round's kill is planned; a round has at most eight. Chosen. */
const maxRequests = 6;
/** For how long a kill waits for its request. Chosen. */
const maxWaitMs = 15_000;

type OpenCase = Case & { id: string };

/** @param random from 0 up to 1; decides when the engine is killed */
export async function playRound(
  engine: Engine,
  harness: HarnessServer,
  random: () => number,
): Promise<Case[]> {
  const cases: OpenCase[] = plansOfRound.map((plan) => ({
    ...{ id: crypto.randomUUID(), plan, decided: [], executed: [], end: 'open' },
  }));
  await Promise.all(cases.map(({ id }) => engine.begin(id)));
  const shown = await Promise.all(
    cases.map(({ id }) =>
      until(
        'a case to wait for a decision',
        async () => {
          const now = await engine.show(id);
          return now.state === 'waiting' && now;
        },
        beginMs,
      ),
    ),
  );
  await delay(engine.storesWithinMs);

  const before = harness.count();
  const deciding = cases.flatMap((one, index) => {
    const afterMs = random() * decideWithinMs;
    return choicesOf[one.plan].map(async (choice) => {
      await delay(afterMs);
      await decide(engine, one, choice, shown[index]?.amount ?? NaN);
    });
  });
  await duringTools(harness, before, random);
  await engine.kill();
  await Promise.all(deciding);
  await engine.start();
  await calm(engine, harness, cases);

  // A person who still sees a call waiting decides again, as planned.
  await Promise.all(
    cases.map(async (one) => {
      const [choice] = choicesOf[one.plan];
      const now = await engine.show(one.id);
      if (now.state === 'waiting' && choice !== undefined) await decide(engine, one, choice, now.amount);
    }),
  );
  await calm(engine, harness, cases);
  for (const one of cases) {
    const now = await engine.show(one.id);
    one.end = now.state === 'ended' ? now.end : now.state === 'gone' ? 'gone' : 'open';
    one.executed = harness.executed(one.id);
  }
  return cases;
}

async function decide(engine: Engine, one: OpenCase, choice: Choice, amount: number): Promise<void> {
  const decided: Decided = { choice, amount, accepted: null };
  one.decided.push(decided);
  decided.accepted = await engine.decide(one.id, choice).catch(() => null);
}

/** Waits until the tool has had some requests of this round, and then for a part of the time that it takes. */
async function duringTools(harness: HarnessServer, before: number, random: () => number): Promise<void> {
  const requests = 1 + Math.floor(random() * maxRequests);
  const partMs = random() * toolMs;
  const began = performance.now();
  while (harness.count() - before < requests && performance.now() - began < maxWaitMs) await delay(2);
  await delay(partMs);
}

/** Waits until no case is in progress and nothing has changed for a while; at most `settleMs`. */
async function calm(engine: Engine, harness: HarnessServer, cases: readonly OpenCase[]): Promise<void> {
  const began = performance.now();
  let last = '';
  let since = began;
  while (performance.now() - began < settleMs) {
    const shown = await Promise.all(
      cases.map(({ id }) => engine.show(id).catch((): Shown => ({ state: 'working' }))),
    );
    const now = JSON.stringify([shown, harness.count()]);
    if (now !== last) {
      last = now;
      since = performance.now();
    }
    const isWorking = shown.some(({ state }) => state === 'working');
    if (!isWorking && performance.now() - since > calmMs) return;
    await delay(250);
  }
}
