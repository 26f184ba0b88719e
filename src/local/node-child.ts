/**
 * Runs one of our own programs (API, worker) as a child: ready when it says so over IPC, ended when the channel
 * closes.
 */
import type { ChildProcess } from 'node:child_process';
import { projectRoot } from './project-root.ts';
import { spawnLogged } from './spawn-logged.ts';
import { StartProblem } from './start-problem.ts';
import { aborted } from './unless-aborted.ts';
import type { Running } from './keep-running.ts';
import { z } from 'zod';

export type NodeChild = Running & Readonly<{ send: (message: { type: 'ready' }) => void }>;

/**
 * V8 lets the young generation of each thread grow with the machine's memory, to 128 MB and more, and never shrinks
 * it.
 */
const nodeFlags = ['--max-semi-space-size=8'];

/** glibc gives each of many threads its own arena and never shrinks it. Other C libraries ignore this. */
const fewArenas = { MALLOC_ARENA_MAX: '2' };

const message = z.object({ type: z.string() });
const readyWithinMs = 60_000;
/** The programs drain for at most 10 s. */
const drainMs = 10_500;

/**
 * @param options.script path of the program
 * @param options.saysWhenUp type of the message that it sends once it can be used
 * @throws StartProblem with the end of its output if it ends before that
 */
export async function startNodeChild(options: {
  name: string;
  script: string;
  saysWhenUp: string;
  env: NodeJS.ProcessEnv;
  log: string;
  pidFile?: string;
  signal?: AbortSignal;
}): Promise<NodeChild> {
  const { name, script, saysWhenUp, env, log, pidFile, signal } = options;
  const { child, exited, end, lastOutput } = spawnLogged({
    command: process.execPath,
    args: [...nodeFlags, script],
    env: { ...fewArenas, ...env },
    log,
    cwd: projectRoot,
    ipc: true,
    pidFile,
  });
  const up = await Promise.race([
    said(child, saysWhenUp),
    exited,
    new Promise<'late'>((resolve) => {
      setTimeout(resolve, readyWithinMs, 'late').unref();
    }),
    ...(signal === undefined ? [] : [aborted(signal).then(() => 'aborted')]),
  ]);
  const { pid } = child;
  if (up !== 'up' || pid === undefined) {
    child.kill('SIGKILL');
    signal?.throwIfAborted();
    const how = up === 'late' ? `not ready within ${readyWithinMs / 1000} s` : up;
    throw new StartProblem(`The ${name} did not start (${how}; its log: ${log}):\n${lastOutput()}`);
  }
  return {
    pid,
    exited,
    send: (word) => {
      // The child may have ended this very moment; its successor gets the message.
      if (child.connected) child.send(word, () => undefined);
    },
    stop: () => end('SIGTERM', drainMs),
  };
}

async function said(child: ChildProcess, type: string): Promise<'up'> {
  return new Promise((resolve) => {
    child.on('message', (value) => {
      const parsed = message.safeParse(value);
      if (parsed.success && parsed.data.type === type) resolve('up');
    });
  });
}
