/** `npm run interleavings -- --count 10000 [--from 1] [--on rules|postgres|server] [--processes 1]`: the real workflow and
 *  activities against the reference model, on simulated time or on the time-skipping server. `--seed N` plays one and
 *  shows what was seen of it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { newCast } from './cast.ts';
import type { Interleaving } from './interleaving.ts';
import { openGround } from './interleavings-database.ts';
import { loadSimulated } from './load-simulated.ts';
import { describeFailure, playBatches, playMany, type Failing } from './play-many.ts';
import { serveScenes } from './serve-scenes.ts';
import { simulateScene } from './simulate-scene.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    from: { type: 'string', default: '1' },
    on: { type: 'string', default: 'rules' },
    processes: { type: 'string', default: '1' },
    seed: { type: 'string' },
  },
});
const one = values.seed !== undefined;
const count = one ? 1 : Number(values.count);
const from = Number(values.seed ?? values.from);
const processes = Number(values.processes);
const started = performance.now();
const failed = processes > 1 ? await inProcesses() : await here();
const seconds = ((performance.now() - started) / 1000).toFixed(1);
if (failed) process.exitCode = 1;
else console.log(`${count} interleavings from seed ${from} on ${values.on}: 0 violations, ${seconds} s`);

async function here(): Promise<boolean> {
  const ground = values.on === 'rules' ? undefined : await openGround(20);
  const cast = ground?.cast ?? newCast();
  if (ground !== undefined && values.on === 'server') {
    const { db } = ground;
    const play = async (plans: (Interleaving | number)[]) => await serveScenes(plans, db, cast);
    const failing = await playBatches(play, { from, count, atOnce: 100 });
    await ground.close();
    return report(failing);
  }
  const simulated = await loadSimulated();
  const show = one ? console.log : undefined;
  const failing = await playMany(
    async (plan) =>
      await simulateScene(plan, simulated, ground?.db ?? 'rules', cast, plan === from ? show : undefined),
    { from, count, atOnce: 100 },
  );
  await ground?.close();
  return report(failing);
}

function report(failing: Failing | undefined): boolean {
  if (failing) console.log(describeFailure(failing));
  return failing !== undefined;
}

/** Each takes its share of the seeds. */
async function inProcesses(): Promise<boolean> {
  const share = Math.ceil(count / processes);
  const codes = await Promise.all(
    Array.from({ length: processes }, async (_, index) => {
      const own = ['--from', from + index * share, '--count', Math.min(share, count - index * share)];
      const args = [fileURLToPath(import.meta.url), '--on', values.on, ...own.map(String)];
      const child = spawn(process.execPath, args, { stdio: 'inherit' });
      await once(child, 'exit');
      return child.exitCode;
    }),
  );
  return codes.some((code) => code !== 0);
}
