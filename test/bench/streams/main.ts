/** `npm run bench:streams [-- 200]`: how long a model's tokens take to who watches: alone, with many that begin at
 *  once, and with many under way while one after another begins. The model and those who watch are this process, so that one clock times both. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopBacking } from '../../support/backing.ts';
import { serverEvents } from '../../../src/console/server-events.ts';
import { startStack } from '../../support/stack.ts';
import { percentile } from '../numbers.ts';
import { cpuMs } from '../process-cost.ts';
import { answerOf, startTokenServer, tokenLength } from './token-server.ts';

const many = Number(process.argv[2] ?? 200);
const alone = 60;
const betweenMs = 50;
const tokens = 100;
/** So long that all of those that begin one after another are under way at once. */
const beginEveryMs = 100;
const longTokens = (many * beginEveryMs) / betweenMs;
const tokensOf = (message: string) => (message.startsWith('long') ? longTokens : tokens);

const model = await startTokenServer(tokensOf, betweenMs);
const stack = await startStack({
  env: {
    MODEL_BASE_URL: model.baseUrl,
    MODEL_NAME: 'tokens',
    MODEL_CONCURRENCY: String(2 * many),
    RATE_LIMIT: 'off',
    ORGANIZATION_RATE_LIMIT: 'off',
    DATABASE_POOL: '12',
  },
});

/** @returns ms from the model's write to the watcher, of each token */
async function watch(agentId: string, message: string, upTo = tokensOf(message)): Promise<number[]> {
  const arrived: number[] = [];
  let text = '';
  const response = await fetch(`${stack.apiUrl}/chat/${agentId}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${stack.token}`,
      accept: 'text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ message, sync: true }),
  });
  assert.ok(response.status === 200 && response.body);
  for await (const { event, data } of serverEvents(response.body)) {
    const now = performance.now();
    const said = JSON.parse(data) as { text?: string; response?: string };
    if (event === 'delta') text += said.text ?? '';
    // The answer begins without the first token's space.
    while ((arrived.length + 1) * tokenLength <= text.length + 1) arrived.push(now);
    if (event === 'completed') assert.equal(said.response, text);
    assert.notEqual(event, 'failed', data);
    if (arrived.length >= upTo && upTo < tokensOf(message)) return lags(message, arrived);
  }
  assert.equal(text, answerOf(tokensOf(message)));
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
  const agent = await stack.api.createAgent();
  for (let n = 0; n < 5; n++) await watch(agent.id, `warm ${n}`, 1);
  const first: number[] = [];
  for (let n = 0; n < alone; n++) first.push(...(await watch(agent.id, `alone ${n}`, 1)).slice(0, 1));
  line(`first token, one stream after the other (${alone})`, first);

  await sleep(6000);
  const streams = Array.from({ length: many }, async (_, n) => {
    await sleep(n * beginEveryMs);
    return await watch(agent.id, `long ${n}`);
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
  const before = residentMiB(stack.apiProcess.pid);
  const pids = {
    api: stack.apiProcess.pid,
    worker: stack.worker.pid,
    'the model and who watches': process.pid,
  };
  const cpuBefore = Object.values(pids).map((pid) => cpuMs(pid) ?? NaN);
  const started = performance.now();
  const all = await Promise.all(
    Array.from({ length: many }, async (_, n) => await watch(agent.id, `many ${n}`)),
  );
  const seconds = (performance.now() - started) / 1000;
  line(
    `first token, ${many} streams that begin at once`,
    all.flatMap((of) => of.slice(0, 1)),
  );
  line(`every token, ${many} streams that begin at once (${many * tokens})`, all.flat());
  const cpu = Object.entries(pids).map(([name, pid], at) => {
    const ms = (cpuMs(pid) ?? NaN) - (cpuBefore[at] ?? NaN);
    return `${name} ${(ms / 1000).toFixed(1)} s`;
  });
  console.log(`CPU: ${cpu.join(', ')}`);
  console.log(
    `${many} streams of ${tokens} tokens, ${1000 / betweenMs} a second each, all whole after ${seconds.toFixed(1)} s; ` +
      `the API's memory ${before.toFixed(0)} → ${residentMiB(stack.apiProcess.pid).toFixed(0)} MiB`,
  );
} finally {
  await stack.stop();
  await model.close();
  await stopBacking();
}
process.exit(0);
