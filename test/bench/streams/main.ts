/**
 * `npm run bench:streams [-- 200]`: how long a model's tokens take to a stream reader: alone, with many that begin at
 * once, and with many in progress while one after another begins. The model and the readers are this process, so that
 * one clock times both.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { startGround } from '../ground.ts';
import { percentile } from '../numbers.ts';
import { cpuMs } from '../process-cost.ts';
import { startProduct } from '../product-stack.ts';
import { readEvents } from './read-events.ts';
import { answerOf, startTokenServer, tokenLength } from './token-server.ts';

const many = Number(process.argv[2] ?? 200);
const alone = 60;
const betweenMs = 50;
const tokens = 100;
/** Long enough that all streams that begin one after another are in progress at once. */
const beginEveryMs = 100;
const longTokens = (many * beginEveryMs) / betweenMs;
const tokensOf = (message: string) => (message.startsWith('long') ? longTokens : tokens);

const model = await startTokenServer(tokensOf, betweenMs);
const ground = await startGround();
const product = await startProduct(ground, {
  allow: '127.0.0.1',
  env: {
    MODEL_BASE_URL: model.baseUrl,
    MODEL_NAME: 'tokens',
    MODEL_CONCURRENCY: String(2 * many),
    DATABASE_POOL: '12',
  },
});

/** @returns ms from the model's write to the watcher, of each token */
async function watch(agentId: string, message: string, upTo = tokensOf(message)): Promise<number[]> {
  const arrived: number[] = [];
  let text = '';
  await readEvents(
    `${product.baseUrl}/chat/${agentId}`,
    { headers: product.headers, body: { message, sync: true } },
    ({ event, data }) => {
      const now = performance.now();
      assert.notEqual(event, 'failed', data);
      if (event === 'delta') text += z.object({ text: z.string() }).parse(JSON.parse(data)).text;
      // The answer begins without the first token's space.
      while ((arrived.length + 1) * tokenLength <= text.length + 1) arrived.push(now);
      if (event === 'completed') {
        assert.equal(z.object({ response: z.string() }).parse(JSON.parse(data)).response, text);
        assert.equal(text, answerOf(tokensOf(message)));
      }
      return event !== 'completed' && (arrived.length < upTo || upTo === tokensOf(message));
    },
  );
  assert.ok(arrived.length >= upTo, `${arrived.length} of ${upTo} tokens arrived`);
  return lags(message, arrived);
}

function lags(message: string, arrived: readonly number[]): number[] {
  const written = model.writtenFor(message);
  return arrived.map((at, n) => at - (written[n] ?? NaN));
}

function line(what: string, ms: readonly number[]): void {
  const at = (share: number) => percentile([...ms], share).toFixed(1);
  console.log(`${what}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${Math.max(...ms).toFixed(1)} ms`);
}

const residentMiB = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

try {
  const agentId = await product.agent({});
  for (let n = 0; n < 5; n++) await watch(agentId, `warm ${n}`, 1);
  const first: number[] = [];
  for (let n = 0; n < alone; n++) first.push(...(await watch(agentId, `alone ${n}`, 1)).slice(0, 1));
  line(`first token, one stream after the other (${alone})`, first);

  await sleep(6000);
  const streams = Array.from({ length: many }, async (_, n) => {
    await sleep(n * beginEveryMs);
    return await watch(agentId, `long ${n}`);
  });
  const begun = await Promise.all(streams);
  line(
    `first token, ${many} streams that begin ${beginEveryMs} ms apart and are all under way at last`,
    begun.flatMap((of) => of.slice(0, 1)),
  );
  line(
    'of these the last quarter, beside three quarters or more of all',
    begun.slice(-many / 4).flatMap((of) => of.slice(0, 1)),
  );
  line(`every token of these (${many * longTokens})`, begun.flat());

  await sleep(2000);
  const { api = 0 } = product.pids;
  const before = residentMiB(api);
  const used = () => {
    const { user, system } = process.cpuUsage();
    const ofOthers = Object.entries({ ...product.pids, ...ground.pids }).map(
      ([name, pid]) => [name, cpuMs(pid) ?? NaN] as const,
    );
    return new Map([...ofOthers, ['the model and who watches', (user + system) / 1000]]);
  };
  const usedBefore = used();
  const started = performance.now();
  const all = await Promise.all(
    Array.from({ length: many }, async (_, n) => await watch(agentId, `many ${n}`)),
  );
  const seconds = (performance.now() - started) / 1000;
  line(
    `first token, ${many} streams that begin at once`,
    all.flatMap((of) => of.slice(0, 1)),
  );
  line(`every token, ${many} streams that begin at once (${many * tokens})`, all.flat());
  const cpu = [...used()].map(
    ([name, ms]) => `${name} ${((ms - (usedBefore.get(name) ?? NaN)) / 1000).toFixed(1)} s`,
  );
  console.log(`CPU: ${cpu.join(', ')}`);
  console.log(
    `${many} streams of ${tokens} tokens, ${1000 / betweenMs} a second each, all whole after ${seconds.toFixed(1)} s; ` +
      `the API's memory ${before.toFixed(0)} → ${residentMiB(api).toFixed(0)} MiB`,
  );
} finally {
  await product.stop();
  await model.close();
  await ground.stop();
}
process.exit(0);
