/** DATA_DIR: one supervisor at a time, and small files that only its owner may read. */
import {
  accessSync,
  constants,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { recordedPid, recordPid } from './left-behind.ts';
import { StartProblem } from './start-problem.ts';

/** Makes the folder. @throws StartProblem when it cannot be made or written */
export function openDataDir(path: string): string {
  const folder = resolve(path);
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    mkdirSync(join(folder, 'logs'), { recursive: true });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StartProblem(
      `DATA_DIR ${folder} cannot be written (${why}). Give it to this user, or set DATA_DIR to a folder that can be written.`,
    );
  }
  return folder;
}

/**
 * Takes the folder for this process. A lock whose holder is gone is taken over.
 * @returns a function that gives it back
 * @throws StartProblem naming the process that holds it
 */
export function lockDataDir(folder: string): () => void {
  const lock = join(folder, 'lock');
  const mine = join(folder, `lock.${process.pid}`);
  recordPid(mine, process.pid);
  try {
    for (;;) {
      try {
        // A link appears whole or not at all, and only one of two can make it.
        linkSync(mine, lock);
        break;
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      }
      const holder = recordedPid(lock);
      if (holder !== undefined && holder !== process.pid) {
        throw new StartProblem(
          `Parley is already running on DATA_DIR ${folder} (process ${holder}). Stop it first, or start a second copy with another DATA_DIR and PORT.`,
        );
      }
      setStaleLockAside(lock);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  return () => {
    rmSync(lock, { force: true });
  };
}

/** Another start may have replaced the stale lock a moment ago: what was moved is looked at again, and put back then. */
function setStaleLockAside(lock: string): void {
  const aside = `${lock}.stale.${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch {
    return; // the other start was faster
  }
  const holder = recordedPid(aside);
  if (holder !== undefined && holder !== process.pid) linkSync(aside, lock);
  rmSync(aside);
}

/** Replaces a file in one step, readable by its owner alone. */
export function writePrivately(file: string, text: string): void {
  const aside = `${file}.${process.pid}`;
  writeFileSync(aside, text, { mode: 0o600 });
  renameSync(aside, file);
}

export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
