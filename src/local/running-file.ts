/** Writes and removes DATA_DIR/running.json: the URLs, ids and secrets that a script needs to use this Parley. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivately } from './data-dir.ts';

/** Process ids; null for a server that local mode did not start. */
export type Processes = {
  supervisor: number;
  api: number;
  worker: number;
  temporal: number | null;
  postgres: number | null;
  /** The small model; null if it does not run. */
  model: number | null;
};

export type RunningFile = Readonly<{
  origin: string;
  base_url: string;
  console: { url: string; email: string; password: string };
  organization_id: string;
  token: string;
  temporal: { address: string; namespace: string; ui_url: string | null };
  database_url: string;
  processes: Readonly<Processes>;
}>;

export function writeRunningFile(dataDir: string, content: RunningFile): void {
  writePrivately(fileOf(dataDir), `${JSON.stringify(content, null, 2)}\n`);
}

/** Removes the file, so that no script reads the process ids of an earlier start. Does nothing if there is no file. */
export function removeRunningFile(dataDir: string): void {
  rmSync(fileOf(dataDir), { force: true });
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'running.json');
}
