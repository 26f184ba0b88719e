/**
 * LangGraph's dev server (`langgraph dev`), which keeps its data in memory and writes it to files every ten seconds.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { freePort } from '../../../src/local/ports.ts';
import { cached } from '../../generated-clients/generators.ts';
import { run } from '../../generated-clients/run.ts';
import { childOf } from './child.ts';
import type { Engine, Harness } from './engine.ts';

const versions = [
  ...['langgraph==1.2.24', 'langgraph-checkpoint==4.3.2', 'langgraph-sdk==0.4.14'],
  ...['langgraph-cli[inmem]==0.4.40', 'langgraph-api==0.16.7', 'langgraph-runtime-inmem==0.36.7'],
];

const python = () =>
  cached('langgraph-dev', versions.join(' '), async (into) => {
    await run('python3', ['-m', 'venv', into]);
    await run(join(into, 'bin/python'), ['-m', 'pip', 'install', '--quiet', ...versions]);
  });

const amount = z.object({ amount: z.number() });
const thread = z.object({
  status: z.string(),
  values: z.object({ result: z.string().optional() }).nullish(),
  interrupts: z.record(z.string(), z.array(z.object({ value: amount }))).nullish(),
});

export async function langGraphEngine(harness: Harness): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-langgraph-'));
  cpSync(join(import.meta.dirname, 'langgraph'), folder, { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const ask = async (method: string, path: string, body?: object) =>
    await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const child = childOf({
    command: join(await python(), 'bin/langgraph'),
    args: [
      ...['dev', '--no-browser', '--no-reload', '--host', '127.0.0.1', '--port', String(port)],
      // One, the default, would run one case after the other.
      ...['--n-jobs-per-worker', '10'],
    ],
    cwd: folder,
    env: {
      HARNESS: harness.url,
      ...{ LANGSMITH_TRACING: 'false', LANGGRAPH_CLI_NO_ANALYTICS: '1', PYTHONDONTWRITEBYTECODE: '1' },
    },
    log: join(folder, 'output.log'),
    isUp: async () => (await ask('GET', '/ok')).ok,
  });
  const startRun = async (id: string, body: object) => {
    const answer = await ask('POST', `/threads/${id}/runs`, { assistant_id: 'refund', ...body });
    await answer.arrayBuffer();
    return answer.ok;
  };
  return {
    name: 'LangGraph dev server (langgraph 1.2.24, langgraph-api 0.16.7)',
    // Files are written every ten seconds: a case that is killed before is gone.
    storesWithinMs: 13_000,
    start: child.start,
    kill: child.kill,
    stop: async () => {
      await child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
    begin: async (id) => {
      const made = await ask('POST', '/threads', { thread_id: id });
      if (!made.ok || !(await startRun(id, { input: { case: id } })))
        throw new Error('The dev server refused the case.');
    },
    show: async (id) => {
      const answer = await ask('GET', `/threads/${id}`);
      if (answer.status === 404) return { state: 'gone' };
      const { status, values, interrupts } = thread.parse(await answer.json());
      const [shown] = Object.values(interrupts ?? {}).flat();
      if (status === 'interrupted' && shown !== undefined) return { state: 'waiting', ...shown.value };
      if (status === 'error') return { state: 'ended', end: 'failed' };
      const result = values?.result;
      return status === 'idle' && result !== undefined
        ? { state: 'ended', end: result }
        : { state: 'working' };
    },
    decide: (id, choice) => startRun(id, { command: { resume: choice } }),
  };
}
