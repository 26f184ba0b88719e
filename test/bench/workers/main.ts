/**
 * `npm run bench:workers`: turns a second with 1, 2 and 3 workers on a Temporal server that has its own Postgres, and
 * from the CPU of a turn what a region needs; and the same if slots for model calls are scarce instead of cores.
 */
import { Command } from 'commander';
import { measureRound, type RoundFigures } from '../compare.ts';
import { startGround } from '../ground.ts';
import { burst, startCallbacks } from '../load.ts';
import { startModelServer } from '../model-server.ts';
import { median, rounded } from '../numbers.ts';
import { startProduct } from '../product-stack.ts';
import { columns, cpuSum, spread } from '../report.ts';
import { coresFor } from './cores-for.ts';

const options = new Command('bench:workers')
  .option('--rounds <number>', 'of each number of workers, in turns', '3')
  .option('--seconds <number>', 'of each burst', '8')
  .option('--workers <list>', 'numbers of workers', '1,2,3')
  .parse()
  .opts<{ rounds: string; seconds: string; workers: string }>();
const counts = options.workers.split(',').map(Number);
const burstLength = { ms: Number(options.seconds) * 1000 };
const size = { turns: 10, burst: burstLength, inFlight: 50, conversations: 100 };

const ground = await startGround({ temporal: 'server' });
const callbacks = await startCallbacks();
const model = await startModelServer();
const slowMs = 2000;
const product = await startProduct(ground, {
  allow: callbacks.origin.slice('http://'.length),
  env: { MODEL_BASE_URL: model.baseUrl },
});
const rounds = new Map(counts.map((count) => [count, new Array<RoundFigures>()]));
for (let round = 0; round < Number(options.rounds); round++) {
  for (const [count, taken] of rounds) {
    const name = `${count}-${round}`;
    await product.restartWorkers(count);
    await burst(product, callbacks, { ms: 2000, inFlight: 10, conversations: 20, name: `${name}-warm` });
    const figures = await measureRound(product, callbacks, ground.pids, size, name);
    taken.push(figures);
    console.error(`round ${round + 1}, ${count} workers: ${figures.turnsPerSecond} turns/s`);
  }
}
const part = (taken: RoundFigures[], isOf: (process: string) => boolean) =>
  median(
    taken.map(({ cpu }) =>
      Object.entries(cpu).reduce((sum, [process, ms]) => (isOf(process) ? sum + ms : sum), 0),
    ),
  );
const processes = ['temporal', 'temporal-postgres', 'worker', 'postgres', 'api'];
const cpuOfPart = (taken: RoundFigures[], name: string) =>
  part(taken, (process) => (name === 'worker' ? process.startsWith('worker') : process === name));
const rows = [...rounds].map(([count, taken]) => [
  `${count}`,
  spread(taken.map(({ turnsPerSecond }) => turnsPerSecond)),
  spread(taken.map(({ overheadP50 }) => overheadP50)),
  rounded(cpuSum(taken)).toString(),
  ...processes.map((name) => rounded(cpuOfPart(taken, name)).toString()),
]);
console.log(columns([['workers', 'turns/s', 'overhead ms p50', 'CPU ms a turn', ...processes], ...rows]));
console.log(`${callbacks.doubled().length} callbacks doubled\n`);
const all = rounds.get(counts[0] ?? 1) ?? [];
console.log(
  columns([
    ['cores needed, at 60 % of use', '10 turns/s', '1,000 turns/s'],
    ...processes.map((name) => {
      const ms = cpuOfPart(all, name);
      return [name, ...[10, 1000].map((rate) => rounded(coresFor(ms, rate), 2).toString())];
    }),
    ['together', ...[10, 1000].map((rate) => rounded(coresFor(cpuSum(all), rate), 2).toString())],
  ]),
);
// If cores are scarce, more workers make no difference. Here slots are scarce: each worker has few, and the model is
// slow.
const slots = 5;
/** Number of these slots that one agent may hold (src/limits/limiter.ts). */
const usable = 4;
const waiting = { send: product.to(await product.agent({ model: `custom/wait-${slowMs}` })) };
const rates: string[][] = [
  [
    `workers; of ${slots} slots each for model calls of ${slowMs / 1000} s an agent has ${usable}`,
    'turns/s',
    'at best',
  ],
];
for (const count of counts) {
  await product.restartWorkers(count, { MODEL_CONCURRENCY: String(slots) });
  const name = `waiting-${count}`;
  await burst(waiting, callbacks, { ms: 2 * slowMs, inFlight: 10, conversations: 10, name: `${name}-warm` });
  // Keeps more turns in flight than there are slots, until the end.
  const shape = { ms: 6 * slowMs, inFlight: 2 * usable * count, conversations: 4 * usable * count, name };
  const { perSecond } = await burst(waiting, callbacks, shape);
  rates.push([`${count}`, rounded(perSecond, 2).toString(), `${(count * usable * 1000) / slowMs}`]);
}
console.log(`\n${columns(rates)}`);
await product.stop();
await Promise.all([callbacks.close(), model.close()]);
await ground.stop();
process.exit(0);
