/** Temporal's real server and its SQL tool, built from its Go module: releases of them are made for a few platforms
 *  and as images only. Built once, kept in the cache folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from '../../../src/local/cache-folder.ts';

/** The version that the dev server has. */
const version = '1.32.0';

export interface TemporalServerPrograms {
  server: string;
  /** `temporal-sql-tool`. */
  sql: string;
}

/** @param say called with what takes long @throws Error if Go is missing or the module cannot be downloaded */
export async function ensureTemporalServer(say: (line: string) => void): Promise<TemporalServerPrograms> {
  const folder = join(cacheFolder(), `temporal-server-${version}`);
  const programs = { server: join(folder, 'server'), sql: join(folder, 'sql') };
  if (existsSync(programs.server) && existsSync(programs.sql)) return programs;
  say(`Temporal's server ${version} is built from its Go module: once, for some minutes.`);
  const packages = ['server', 'tools/sql'].map((name) => `go.temporal.io/server/cmd/${name}@v${version}`);
  const build = spawn('go', ['install', ...packages], {
    env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  // Other work has priority over the build.
  if (build.pid !== undefined) setPriority(build.pid, 19);
  const [code] = (await once(build, 'exit').catch((cause: unknown) => {
    throw new Error('Go is needed to build the Temporal server: https://go.dev/doc/install', { cause });
  })) as [number | null];
  if (code !== 0) throw new Error(`go install ended with ${code}`);
  return programs;
}
