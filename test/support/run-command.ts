/** `npm run parley -- …` without a process of its own, whose start is most of what a command takes. */
import { Writable } from 'node:stream';
import { runCommand } from '../../src/cli/program.ts';

export interface CommandEnded {
  code: number;
  stdout: string;
  stderr: string;
}

/** @param env all that the command has of the environment */
export async function commandEnds(args: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandEnded> {
  const [stdout, stderr] = [new Collected(), new Collected()];
  const code = await runCommand(args, { env, stdout, stderr });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** @returns what the command prints @throws Error with what it writes to stderr if it fails */
export async function commandPrints(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { code, stdout, stderr } = await commandEnds(args, env);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

class Collected extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
