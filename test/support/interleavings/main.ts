/**
 * `npm run interleavings -- [--count 1000 | --seconds 60] [--from 1] [--on postgres|server]`: the real workflow,
 * activities and SQL against the reference model, on simulated time or on the time-skipping server. `--seed N` plays
 * one and prints what was seen of it.
 */
import { parseArgs } from 'node:util';
import type { Interleaving } from './interleaving.ts';
import { openGround } from './interleavings-database.ts';
import { loadSimulated } from './load-simulated.ts';
import { describeFailure, playBatches, playMany } from './play-many.ts';
import { serveScenes } from './serve-scenes.ts';
import { simulateScene } from './simulate-scene.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seconds: { type: 'string' },
    from: { type: 'string', default: '1' },
    on: { type: 'string', default: 'postgres' },
    seed: { type: 'string' },
  },
});
const isOne = values.seed !== undefined;
const count = isOne ? 1 : Number(values.count);
const from = Number(values.seed ?? values.from);
const started = performance.now();
const ground = await openGround(20);
const { db, cast } = ground;
const { played, failing } = values.on === 'server' ? await onServer() : await onPostgres();
await ground.close();
const seconds = ((performance.now() - started) / 1000).toFixed(1);
if (failing) {
  console.log(describeFailure(failing));
  process.exitCode = 1;
} else console.log(`${played} interleavings from seed ${from} on ${values.on}: 0 violations, ${seconds} s`);

async function onServer() {
  const play = async (plans: (Interleaving | number)[]) => await serveScenes(plans, db, cast);
  return { played: count, failing: await playBatches(play, { from, count, atOnce: 100 }) };
}

async function onPostgres() {
  const simulated = await loadSimulated();
  const show = isOne ? console.log : undefined;
  return await playMany(
    async (plan) => await simulateScene(plan, simulated, db, cast, plan === from ? show : undefined),
    {
      ...(values.seconds === undefined ? { count } : { seconds: Number(values.seconds) }),
      ...{ from, atOnce: 40 },
    },
  );
}
