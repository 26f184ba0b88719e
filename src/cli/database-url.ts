/**
 * Finds the URL of the database and the origin of the console: in the settings or, if they are not set, in
 * DATA_DIR/running.json, which local mode writes.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { withSettingFiles } from '../setting-files.ts';

const running = z.looseObject({ database_url: z.string(), origin: z.string() });

/**
 * Returns DATABASE_URL, the content of DATABASE_URL_FILE or, if neither is set, `database_url` in
 * DATA_DIR/running.json.
 * @throws Error if no URL is found, both settings are set, or DATABASE_URL_FILE cannot be read
 */
export async function findDatabaseUrl(env: NodeJS.ProcessEnv): Promise<string> {
  const { DATABASE_URL: given } = withSettingFiles(env, ['DATABASE_URL']);
  if (given !== undefined) return given;
  return (await readRunning(env, 'No database found: set DATABASE_URL')).database_url;
}

/**
 * Returns the origin of PUBLIC_URL, of the content of PUBLIC_URL_FILE or, if neither is set, `origin` in
 * DATA_DIR/running.json.
 * @throws Error if no origin is found, both settings are set, PUBLIC_URL_FILE cannot be read, or the setting is not a
 * URL
 */
export async function findConsoleOrigin(env: NodeJS.ProcessEnv): Promise<string> {
  const { PUBLIC_URL: given } = withSettingFiles(env, ['PUBLIC_URL']);
  if (given !== undefined) return new URL(given).origin;
  return (await readRunning(env, 'The address of the console is unknown: set PUBLIC_URL')).origin;
}

/** Reads the addresses of the running local copy. @throws Error that begins with `problem` if they cannot be read */
async function readRunning(env: NodeJS.ProcessEnv, problem: string): Promise<z.output<typeof running>> {
  const file = join(env['DATA_DIR'] ?? '.data', 'running.json');
  try {
    return running.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    throw new Error(`${problem}, or start the local copy with npm start (${file} could not be read).`, {
      cause,
    });
  }
}
