/**
 * Ends processes that an earlier start left running because its supervisor was killed. Each start records the ids of
 * its processes in files.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { endProcess, processIdentity } from './processes.ts';

const record = z.object({ pid: z.int().min(2), identity: z.string() });

export function recordPid(file: string, pid: number): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ pid, identity: processIdentity(pid) ?? 'gone' }));
}

/**
 * Reads the id of a running process from a file.
 * @returns the id; undefined if there is no such file, the file has no valid record, or the process has ended, even if
 * another process now has the same id
 */
export function recordedPid(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  const parsed = record.safeParse(parseJson(readFileSync(file, 'utf8')));
  if (!parsed.success) return undefined;
  return processIdentity(parsed.data.pid) === parsed.data.identity ? parsed.data.pid : undefined;
}

/**
 * Ends all processes whose ids are recorded in the files of a folder, and deletes the files.
 * @returns the names of the files whose processes were still running
 */
export async function endLeftBehind(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const ended = await Promise.all(
    readdirSync(folder).map(async (name) => {
      const file = join(folder, name);
      const pid = recordedPid(file);
      // On SIGTERM, Postgres waits until its clients have disconnected. On SIGINT, it disconnects them and shuts down.
      if (pid !== undefined) await endProcess(pid, name === 'postgres' ? 'SIGINT' : 'SIGTERM', 3000);
      await rm(file, { force: true });
      return pid === undefined ? [] : [name];
    }),
  );
  return ended.flat();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The process that wrote the file was killed before the file was complete.
  }
}
