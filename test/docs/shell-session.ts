/** One shell, as a reader has it open: what a command sets, the next one finds. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Ran {
  output: string;
  code: number;
}

export interface ShellSession {
  run: (command: string) => Promise<Ran>;
  close: () => Promise<void>;
}

/** A command that takes longer hangs. On a busy machine, a block with fifty calls takes half a minute. */
const maxMs = 120_000;

/** @param before what it runs first, unseen */
export function openShell(cwd: string, env: NodeJS.ProcessEnv, before: string): ShellSession {
  const shell = spawn('bash', ['--noprofile', '--norc'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  // If the shell has ended, run() reports it.
  shell.stdin.on('error', () => undefined);
  let printed = '';
  let told: (() => void) | undefined;
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    told?.();
  });
  const ended = once(shell, 'exit').then(() => told?.());
  shell.stdin.write(`exec 2>&1\n${before}\n`);
  let count = 0;
  return {
    run: async (command) => {
      const mark = `--end-of-${++count}--`;
      printed = '';
      shell.stdin.write(`${command}\necho "${mark}$?"\n`);
      const late = setTimeout(() => shell.kill('SIGKILL'), maxMs);
      try {
        for (;;) {
          const found = new RegExp(`${mark}(\\d+)\\n`).exec(printed);
          if (found !== null) return { output: printed.slice(0, found.index), code: Number(found[1]) };
          if (shell.exitCode !== null || shell.signalCode !== null)
            throw new Error(`The shell ended, or took more than ${maxMs} ms, in: ${command}\n${printed}`);
          await new Promise<void>((resolve) => {
            told = resolve;
          });
        }
      } finally {
        clearTimeout(late);
      }
    },
    close: async () => {
      shell.stdin.end();
      await ended;
    },
  };
}
