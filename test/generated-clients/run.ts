/** Runs a program to its end. */
import { spawn } from 'node:child_process';
import { projectRoot } from '../../src/local/project-root.ts';

const deadlineMs = 540_000;

/** @returns what it printed. @throws Error with all that it said when it fails */
export async function run(
  command: string,
  args: readonly string[],
  { cwd = projectRoot, env = {} }: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: deadlineMs,
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
