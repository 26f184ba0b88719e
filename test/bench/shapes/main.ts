/** `npm run bench:shapes`: shapes of a turn, each in the product's own API and worker, round by round in turns. */
import { Command } from 'commander';
import { historyPerTurn, measureRound, medianOf, type RoundFigures } from '../compare.ts';
import { startGround } from '../ground.ts';
import { burst, startCallbacks } from '../load.ts';
import { rounded } from '../numbers.ts';
import { startProduct } from '../product-stack.ts';
import { columns, cpuSum, spread } from '../report.ts';
import type { HistorySize } from '../turn-cost.ts';
import { shapeEnvironment, shapes, type Shape } from './shapes.ts';

const options = new Command('bench:shapes')
  .option('--only <letters>', 'only these shapes, by their letters', 'ABCDEF')
  .option('--rounds <number>', 'rounds of each', '3')
  .option('--seconds <number>', 'of each burst', '5')
  .parse()
  .opts<{ only: string; rounds: string; seconds: string }>();
const burstLength = { ms: Number(options.seconds) * 1000 };
const size = { turns: 15, burst: burstLength, inFlight: 50, conversations: 100 };

const ground = await startGround();
const callbacks = await startCallbacks();
const product = await startProduct(ground, { allow: callbacks.origin.slice('http://'.length) });
const chosen = shapes.filter(({ name }) => options.only.includes(name.charAt(0)));
const environments = new Map<Shape, NodeJS.ProcessEnv>();
for (const shape of chosen) environments.set(shape, await shapeEnvironment(shape, ground.folder));
const rounds = new Map(chosen.map((shape) => [shape, new Array<RoundFigures>()]));
const histories = new Map<Shape, HistorySize>();
for (let round = 0; round < Number(options.rounds); round++) {
  for (const [shape, env] of environments) {
    const name = `${shape.name.charAt(0)}-${round}`;
    await product.restartWorkers(1, env);
    await burst(product, callbacks, { ms: 2000, inFlight: 10, conversations: 20, name: `${name}-warm` });
    const figures = await measureRound(product, callbacks, ground.pids, size, name);
    rounds.get(shape)?.push(figures);
    if (round === 0) {
      histories.set(shape, await historyPerTurn(ground.client, product, callbacks, `${name}-history`));
    }
    console.error(`round ${round + 1}, ${shape.name}: ${figures.turnsPerSecond} turns/s`);
  }
}
const row = (shape: Shape) => {
  const taken = rounds.get(shape) ?? [];
  const median = medianOf(taken);
  const history = histories.get(shape);
  const cpu = (name: string) => rounded(median.cpu[name] ?? Number.NaN).toString();
  return [
    shape.name,
    spread(taken.map(({ turnsPerSecond }) => turnsPerSecond)),
    spread(taken.map(({ overheadP50 }) => overheadP50)),
    rounded(cpuSum(taken)).toString(),
    ...['temporal', 'worker', 'postgres', 'api'].map(cpu),
    ...[history?.events, history?.bytes].map((value) => rounded(value ?? Number.NaN).toString()),
  ];
};
const head = [
  'shape',
  'turns/s',
  'overhead ms p50',
  'CPU ms a turn',
  'Temporal',
  'worker',
  'Postgres',
  'API',
];
console.log(columns([[...head, 'events', 'bytes'], ...chosen.map(row)]));
await product.stop();
await callbacks.close();
await ground.stop();
process.exit(0);
