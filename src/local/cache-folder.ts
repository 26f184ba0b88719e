import { accessSync, constants, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from './project-root.ts';
import { StartProblem } from './start-problem.ts';

/**
 * The folder for downloaded programs, shared by every copy of the project of this user: XDG_CACHE_HOME/parley,
 * then ~/.cache/parley, then .cache in the project where the home folder cannot be written.
 * @throws StartProblem when none can be written
 */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const base = env['XDG_CACHE_HOME'];
  const shared =
    base !== undefined && base !== '' ? join(base, 'parley') : join(homedir(), '.cache', 'parley');
  const own = join(projectRoot, '.cache');
  for (const folder of [shared, own]) {
    try {
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.W_OK | constants.X_OK);
      return folder;
    } catch {
      continue; // the next one, or the sentence below
    }
  }
  throw new StartProblem(
    `Neither ${shared} nor ${own} can be written. Set XDG_CACHE_HOME to a folder that can be, for the downloaded programs.`,
  );
}
