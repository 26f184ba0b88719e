import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { projectRoot } from '../../src/local/project-root.ts';

export type NpmEnded = { code: number | null; stdout: string; stderr: string };

/** Runs the npm of this machine. @param cwd by default the project @throws Error if there is no npm */
export async function runNpm(args: readonly string[], cwd = projectRoot): Promise<NpmEnded> {
  // An npm that runs this program leaves its own settings in the environment.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const child = spawn('npm', args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}
