/** `npm run interleavings:simulated -- [count] [first seed]`: the real workflow function on simulated time. */
import { openGround } from './interleavings-database.ts';
import { loadSimulated } from './load-simulated.ts';
import { playMany } from './simulate-many.ts';
import { simulateScene } from './simulate-scene.ts';

const [count = 10_000, from = 1] = process.argv.slice(2).map(Number);
const ground = await openGround();
const simulated = await loadSimulated();
const started = performance.now();
const failing = await playMany(async (plan) => await simulateScene(plan, simulated, ground.db, ground.cast), {
  from,
  count,
  atOnce: 100,
});
const seconds = ((performance.now() - started) / 1000).toFixed(1);
await ground.close();
if (failing) {
  console.log(
    `seed ${failing.seed} fails: ${failing.violation}\nthe least that fails: ${JSON.stringify(failing.least)}`,
  );
  process.exitCode = 1;
} else console.log(`${count} interleavings from seed ${from}, 0 violations, ${seconds} s`);
