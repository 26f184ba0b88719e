/**
 * Runs the API, the worker or the small model as a child process. The child sends an IPC message once it is ready, and
 * stops when the IPC channel closes.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { LocalModelMessage } from '../contract/models/local-model.ts';
import { projectRoot } from './project-root.ts';
import { spawnLogged } from './spawn-logged.ts';
import { StartProblem } from './start-problem.ts';
import { aborted } from './unless-aborted.ts';
import type { Running } from './keep-running.ts';
import { z } from 'zod';

export type NodeChild = Running &
  Readonly<{ send: (message: { type: 'ready' } | LocalModelMessage) => void }>;

/**
 * Without this flag, V8 lets the young generation of each thread grow to 128 MB and more on a machine with much memory,
 * and never shrinks it.
 */
const nodeFlags = ['--max-semi-space-size=8'];

/**
 * Limits the number of memory arenas of glibc. By default, glibc creates up to eight per core for the threads, and
 * returns only the free memory at the end of an arena to the system. Other C libraries ignore this variable.
 */
const fewArenas = { MALLOC_ARENA_MAX: '2' };

const message = z.object({ type: z.string() });
const readyWithinMs = 60_000;
/**
 * Milliseconds between SIGTERM and SIGKILL. Chosen above `apiDrainMs` and below `workerGraceMs`: a worker can therefore
 * be killed during a long activity, which Temporal then retries.
 */
const drainMs = 10_500;

/**
 * Starts the program and waits until it is ready.
 * @param options.script path of the program
 * @param options.saysWhenUp type of the IPC message that the program sends once it is ready
 * @param options.said called with the type of each IPC message of the program
 * @throws StartProblem, with the end of the program's output, if the program exits before it is ready, or is not ready
 * within `readyWithinMs`; the signal's reason if the signal is aborted
 */
export async function startNodeChild(options: {
  name: string;
  script: string;
  saysWhenUp: string;
  env: NodeJS.ProcessEnv;
  log: string;
  pidFile?: string;
  signal?: AbortSignal;
  said?: (type: string) => void;
}): Promise<NodeChild> {
  const { name, script, saysWhenUp, env, log, pidFile, signal, said } = options;
  const { child, exited, end, lastOutput } = spawnLogged({
    command: process.execPath,
    args: [...nodeFlags, script],
    env: { ...fewArenas, ...env },
    log,
    cwd: projectRoot,
    ipc: true,
    pidFile,
  });
  const ready = new Promise<'up'>((resolve) => {
    child.on('message', (value) => {
      const parsed = message.safeParse(value);
      if (!parsed.success) return;
      said?.(parsed.data.type);
      if (parsed.data.type === saysWhenUp) resolve('up');
    });
  });
  const up = await Promise.race([
    ready,
    exited,
    delay(readyWithinMs, 'late', { ref: false }),
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
      // The child may have exited a moment ago. Its replacement then gets the message.
      if (child.connected) child.send(word, () => undefined);
    },
    stop: () => end('SIGTERM', drainMs),
  };
}
