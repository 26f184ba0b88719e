/** A program of a peer as a child process with a process group of its own, which can be killed and started again. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { until } from '../../support/until.ts';

export interface Program {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** The file that it writes its output into. */
  log: string;
  /** Resolves to true when it serves. */
  isUp: () => Promise<boolean>;
}

const startMs = 120_000;

export function childOf(program: Program): { start: () => Promise<void>; kill: () => Promise<void> } {
  let child: ChildProcess | undefined;
  return {
    start: async () => {
      const { PATH = '', HOME = '' } = process.env;
      const { command, args, cwd, env, log } = program;
      const output = openSync(log, 'a');
      const started = spawn(command, args, {
        cwd,
        env: { PATH, HOME, ...env },
        stdio: ['ignore', output, output],
        detached: true,
      });
      child = started;
      await until(
        `${command} to serve: ${log}`,
        async () => {
          if (started.exitCode !== null) throw new Error(`${command} has ended: ${log}`);
          return await program.isUp().catch(() => false);
        },
        startMs,
      );
    },
    kill: async () => {
      const { pid, exitCode, signalCode } = child ?? {};
      if (child === undefined || pid === undefined || exitCode !== null || signalCode !== null) return;
      const ended = once(child, 'exit');
      process.kill(-pid, 'SIGKILL');
      await ended;
    },
  };
}
