/** Runs a program to its end. */
import { spawn } from 'node:child_process';
import { projectRoot } from '../../src/local/project-root.ts';

const usualMs = 540_000;

/** @returns its output @throws Error with all of its output if it fails */
export async function run(
  command: string,
  args: readonly string[],
  {
    cwd = projectRoot,
    env = {},
    maxMs = usualMs,
  }: { cwd?: string; env?: NodeJS.ProcessEnv; maxMs?: number } = {},
): Promise<string> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: maxMs,
  });
  let printed = '';
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const code = await new Promise<number | string>((resolve) => {
    child.on('error', (error) => {
      resolve(error.message);
    });
    child.on('close', (status, signal) => {
      resolve(status ?? signal ?? 'no status');
    });
  });
  if (code === 0) return printed;
  throw new Error(`${command} ${args.join(' ')}: ${code}\n${said.slice(-6000)}\n${printed.slice(-6000)}`);
}
