/** A file system of so many megabytes, so that something can fill it. Only root can mount one. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  folder: string;
  /** More space than before; nothing on it changes. */
  grow: (megabytes: number) => void;
  remove: () => void;
}

/** @throws Error if this process may not mount */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'parley-disk-'));
  const mount = (...args: string[]) => {
    execFileSync('mount', args);
  };
  try {
    mount('-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder);
  } catch (cause) {
    rmSync(folder, { recursive: true });
    throw new Error('A small disk is mounted by root alone: run this test as root, as a container does.', {
      cause,
    });
  }
  return {
    folder,
    grow: (size) => {
      mount('-o', `remount,size=${size}m`, folder);
    },
    remove: () => {
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true });
    },
  };
}
