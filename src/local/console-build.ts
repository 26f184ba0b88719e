import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filesBelow, projectRoot } from './project-root.ts';
import { spawnLogged } from './spawn-logged.ts';
import { StartProblem } from './start-problem.ts';

/**
 * Builds the console with the documentation, unless the last build used the same sources, or the sources are missing.
 * @throws StartProblem if vite is missing, or if the build fails; the message then contains the end of its output
 */
export async function ensureConsole(options: { log: string; say: (line: string) => void }): Promise<void> {
  const config = join(projectRoot, 'src/console/vite.config.ts');
  if (!existsSync(config)) return;
  const mark = join(projectRoot, 'dist', '.console-sources');
  const sources = await fingerprint([
    'src/console',
    'src/contract',
    'docs',
    'README.md',
    'examples/README.md',
    'package-lock.json',
  ]);
  if (existsSync(mark) && (await readFile(mark, 'utf8')) === sources) return;

  const vite = join(projectRoot, 'node_modules/vite/bin/vite.js');
  if (!existsSync(vite)) {
    throw new StartProblem('The console is not built, and vite is missing. Run npm ci without --omit=dev.');
  }
  options.say('Building the console …');
  const { exited, lastOutput } = spawnLogged({
    command: process.execPath,
    args: [vite, 'build', '--config', config],
    log: options.log,
    env: process.env,
    cwd: projectRoot,
  });
  const how = await exited;
  if (how !== 'exit code 0') {
    throw new StartProblem(`The console could not be built (${how}; log: ${options.log}):\n${lastOutput()}`);
  }
  await mkdir(join(projectRoot, 'dist'), { recursive: true });
  await writeFile(mark, sources);
}

async function fingerprint(paths: string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) {
    const whole = join(projectRoot, path);
    const names = path.includes('.') ? [whole] : await filesBelow(whole);
    for (const name of names) hash.update(`\0${name}\0`).update(await readFile(name));
  }
  return hash.digest('hex');
}
