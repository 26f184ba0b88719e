/** Creates DATA_DIR, locks it for one supervisor, and atomically writes files that only their owner can read. */
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

/**
 * Creates the folder and its subfolder `logs`.
 * @returns the folder's absolute path
 * @throws StartProblem if the folder cannot be created or written
 */
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
 * Locks the folder for this process. Takes over a lock whose process has ended.
 * @returns a function that releases the lock
 * @throws StartProblem if another running process holds the lock; the message contains its id
 */
export function lockDataDir(folder: string): () => void {
  const lock = join(folder, 'lock');
  const mine = join(folder, `lock.${process.pid}`);
  recordPid(mine, process.pid);
  try {
    for (;;) {
      try {
        // Creating a link is atomic: if two processes try, only one succeeds.
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

/**
 * Removes a stale lock: renames it, reads it again, and deletes it. If the renamed lock belongs to another running
 * process, which has replaced the stale lock in the meantime, puts it back.
 */
function setStaleLockAside(lock: string): void {
  const aside = `${lock}.stale.${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch {
    return; // Another start has already moved the lock, or its holder has released it.
  }
  const holder = recordedPid(aside);
  if (holder !== undefined && holder !== process.pid) linkSync(aside, lock);
  rmSync(aside);
}

/** Writes or replaces a file atomically. Only its owner can read it. */
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
