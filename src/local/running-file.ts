/** DATA_DIR/running.json: everything a script needs to use what runs here. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivately } from './data-dir.ts';

/** The processes' ids; null for one that runs elsewhere. */
export type Processes = {
  supervisor: number;
  api: number;
  worker: number;
  temporal: number | null;
  postgres: number | null;
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

/** Nothing runs (any more): a reader must not find the ids of an earlier start. */
export function removeRunningFile(dataDir: string): void {
  rmSync(fileOf(dataDir), { force: true });
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'running.json');
}
