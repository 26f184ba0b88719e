/**
 * `npm run bench:slow`: 2,000 model calls of 10 s at once; what other conversations notice, and the worker's memory.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { startGround } from '../ground.ts';
import { startCallbacks, takeTurn, modelMs, type Turn } from '../load.ts';
import { startModelServer } from '../model-server.ts';
import { percentile, rounded } from '../numbers.ts';
import { residentBytes } from '../process-cost.ts';
import { startProduct } from '../product-stack.ts';
import { until } from '../../support/until.ts';

const options = new Command('bench:slow')
  .option('--calls <number>', 'slow model calls', '2000')
  .option('--seconds <number>', 'that each takes', '10')
  .option('--turns <number>', 'of other conversations, before and during', '40')
  .option('--scripted', 'the slow agent reads a script in place of asking a provider')
  .parse()
  .opts<{ calls: string; seconds: string; turns: string; scripted?: true }>();
const calls = Number(options.calls);
const slowMs = Number(options.seconds) * 1000;
const megabyte = 1024 * 1024;

const ground = await startGround();
const callbacks = await startCallbacks();
const model = await startModelServer();
const product = await startProduct(ground, {
  allow: callbacks.origin.slice('http://'.length),
  env: { MODEL_BASE_URL: model.baseUrl },
});
const slow = product.to(
  await product.agent(
    options.scripted
      ? { model: 'scripted/default', script: [{ reply: 'late', delay_ms: slowMs }] }
      : { model: `custom/wait-${slowMs}` },
  ),
);
const quick = { send: product.to(await product.agent({ model: `custom/wait-${modelMs}` })) };
const others = async (count: number, name: string): Promise<Turn[]> => {
  const taken: Turn[] = [];
  for (let turn = 0; turn < count; turn++) {
    taken.push(await takeTurn(quick, callbacks, `${name}-${turn % 5}`));
  }
  return taken;
};
const memory = () => residentBytes(product.pids['worker'] ?? 0) / megabyte;
const show = (turns: Turn[]) => {
  const whole = turns.map(({ overheadMs }) => overheadMs + modelMs);
  return `p50 ${rounded(percentile(whole, 0.5))} ms, p95 ${rounded(percentile(whole, 0.95))} ms`;
};

await others(10, 'warm');
const idle = await others(Number(options.turns), 'idle');
console.log(`other conversations, nothing else going on: ${show(idle)}; worker ${rounded(memory())} MB`);

const arrivals = Array.from({ length: calls }, (_, call) => callbacks.arrival(`/slow/${call}`));
let arrived = 0;
for (const arrival of arrivals) void arrival.then(() => (arrived += 1));
let most = 0;
let peakMemory = 0;
const watching = setInterval(() => {
  most = Math.max(most, model.underWay());
  peakMemory = Math.max(peakMemory, memory());
}, 100);
const began = performance.now();
let next = 0;
const lane = async () => {
  while (next < calls) {
    const call = next++;
    await slow({
      conversation: `slow-${call}`,
      text: 'take your time',
      webhook: `${callbacks.origin}/slow/${call}`,
    });
  }
};
await Promise.all(Array.from({ length: 20 }, lane));
console.log(
  `${calls} inputs for the slow agent accepted in ${rounded((performance.now() - began) / 1000)} s`,
);
// The storm itself is work; what is asked is what the calls that wait then do to others.
const started = async () => (await product.db.pool.query<{ count: number }>(waiting)).rows[0]?.count === 0;
const waiting = `select count(*)::int as count from runs where state in ('ready', 'collecting')`;
await until('every slow run claimed', started, 600_000);
const underWay = calls - arrived;
const during: Turn[] = [];
while (during.length < Number(options.turns) && arrived < calls)
  during.push(...(await others(1, `during-${during.length % 5}`)));
console.log(
  `${underWay} slow runs under way ${rounded((performance.now() - began) / 1000)} s after the first; other conversations meanwhile: ${show(during)} (${during.length} turns)`,
);
const ratio = (part: number) =>
  percentile(
    during.map(({ overheadMs }) => overheadMs + modelMs),
    part,
  ) /
  percentile(
    idle.map(({ overheadMs }) => overheadMs + modelMs),
    part,
  );
console.log(`during ÷ idle: p50 ${rounded(ratio(0.5), 2)}, p95 ${rounded(ratio(0.95), 2)}; goal: at most 2`);
await until('every slow callback', () => arrived === calls, 600_000);
clearInterval(watching);
await sleep(1000);
console.log(
  `all ${arrived} slow callbacks arrived after ${rounded((performance.now() - began) / 1000)} s, ${callbacks.doubled().length} doubled; at most ${most} calls at the provider at once; worker at most ${rounded(peakMemory)} MB, then ${rounded(memory())} MB`,
);
await product.stop();
await Promise.all([callbacks.close(), model.close()]);
await ground.stop();
process.exit(0);
