import { accessSync, constants, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from './project-root.ts';
import { StartProblem } from './start-problem.ts';

/**
 * Returns the folders for downloaded programs, in order of preference: XDG_CACHE_HOME/parley (by default
 * ~/.cache/parley), which all copies of Parley of this user share, and .cache in the project.
 */
export function cacheFolders(env: NodeJS.ProcessEnv = process.env): readonly [string, string] {
  const base = env['XDG_CACHE_HOME'];
  const shared = base !== undefined && base !== '' ? base : join(homedir(), '.cache');
  return [join(shared, 'parley'), join(projectRoot, '.cache')];
}

/**
 * Returns the first of the `cacheFolders` in which this user can write, and creates it if it is missing.
 * @throws StartProblem if none of them can be written
 */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const [shared, own] = cacheFolders(env);
  const folder = [shared, own].find(isWritable);
  if (folder !== undefined) return folder;
  throw new StartProblem(
    `Neither ${shared} nor ${own} can be written. Set XDG_CACHE_HOME to a folder that can be, for downloaded programs and built code.`,
  );
}

/** True if this user can write in the folder. Creates the folder if it is missing. */
export function isWritable(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
