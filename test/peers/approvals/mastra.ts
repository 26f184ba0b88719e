/** A Mastra workflow that suspends and resumes, in a Node process with a LibSQL file. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { freePort } from '../../../src/local/ports.ts';
import { cached } from '../../generated-clients/generators.ts';
import { run } from '../../generated-clients/run.ts';
import { childOf } from './child.ts';
import type { Engine, Harness } from './engine.ts';

const versions = ['@mastra/core@1.71.0', '@mastra/libsql@1.23.1', 'zod@4.6.7'];

const packages = () =>
  cached('mastra-libsql', versions.join(' '), async (into) => {
    writeFileSync(join(into, 'package.json'), '{"private":true}');
    const quiet = ['--no-audit', '--no-fund', '--silent', '--ignore-scripts'];
    await run('npm', ['install', ...quiet, ...versions], { cwd: into });
  });

const state = z.object({ status: z.string(), call: z.object({ amount: z.number() }).optional() });
const ends: Readonly<Record<string, string>> = {
  success: 'executed',
  failed: 'failed',
  canceled: 'cancelled',
};

export async function mastraEngine(harness: Harness): Promise<Engine> {
  const installed = await packages();
  cpSync(join(import.meta.dirname, 'mastra/app.mjs'), join(installed, 'app.mjs'));
  const folder = mkdtempSync(join(tmpdir(), 'parley-mastra-'));
  const port = await freePort();
  const ask = async (method: string, path: string, body?: object) =>
    await fetch(`http://127.0.0.1:${port}${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
  const child = childOf({
    command: process.execPath,
    args: [join(installed, 'app.mjs')],
    cwd: folder,
    env: {
      HARNESS: harness.url,
      PORT: String(port),
      STORE: join(folder, 'store.db'),
      MASTRA_TELEMETRY_DISABLED: '1',
    },
    log: join(folder, 'output.log'),
    isUp: async () => (await ask('GET', '/cases/none')).ok,
  });
  return {
    name: 'Mastra (@mastra/core 1.71.0, @mastra/libsql 1.23.1)',
    storesWithinMs: 0,
    start: child.start,
    kill: child.kill,
    stop: async () => {
      await child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
    begin: async (id) => {
      if (!(await ask('POST', `/cases/${id}`)).ok) throw new Error('The app refused the case.');
    },
    show: async (id) => {
      const { status, call } = state.parse(await (await ask('GET', `/cases/${id}`)).json());
      if (status === 'gone') return { state: 'gone' };
      if (status === 'suspended' && call !== undefined) return { state: 'waiting', amount: call.amount };
      const end = ends[status];
      return end === undefined ? { state: 'working' } : { state: 'ended', end };
    },
    decide: async (id, choice) => {
      const answer = await ask('POST', `/decisions/${id}`, { decision: choice });
      await answer.arrayBuffer();
      return answer.ok;
    },
  };
}
