/** A program of examples/ as its reader starts it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { projectRoot } from '../../src/local/project-root.ts';
import { until } from '../support/until.ts';

export interface Example {
  /** Its output so far, both streams. */
  output: () => string;
  /** Waits until it has printed this. */
  says: (what: RegExp) => Promise<RegExpExecArray>;
  /** SIGKILL: whatever it was doing. */
  kill: () => Promise<void>;
  /** Resolves to its exit code when it ends; null after a signal. */
  ended: Promise<number | null>;
}

/** @param file `ask.ts` or `ask.py` */
export function startExample(file: string, env: Record<string, string>): Example {
  const program = file.endsWith('.py') ? 'python3' : process.execPath;
  const { PATH = '', HOME = '' } = process.env;
  const child: ChildProcess = spawn(program, [`examples/${file}`], {
    cwd: projectRoot,
    env: { PATH, HOME, PYTHONDONTWRITEBYTECODE: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const ended = once(child, 'close').then(([code]: (number | null)[]) => code ?? null);
  return {
    output: () => output,
    says: (what) =>
      until(`${file} to say ${String(what)}, not ${output}`, () => what.exec(output) ?? undefined),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    ended,
  };
}

/** Runs it to its end. @returns what it printed */
export async function runExample(file: string, env: Record<string, string>): Promise<string> {
  const example = startExample(file, env);
  const code = await example.ended;
  if (code !== 0) throw new Error(`${file} ended with ${String(code)}: ${example.output()}`);
  return example.output();
}
