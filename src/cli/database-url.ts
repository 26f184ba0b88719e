/** Finds the database: DATABASE_URL or DATABASE_URL_FILE, otherwise the database of the running local copy. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { withSettingFiles } from '../setting-files.ts';

const running = z.looseObject({ database_url: z.string() });

/**
 * Reads DATABASE_URL or its file, else `database_url` in DATA_DIR/running.json.
 * @throws Error with instructions if there is none
 */
export async function findDatabaseUrl(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const { DATABASE_URL: given } = withSettingFiles(env, ['DATABASE_URL']);
  if (given !== undefined) return given;
  const file = join(env['DATA_DIR'] ?? '.data', 'running.json');
  try {
    return running.parse(JSON.parse(await readFile(file, 'utf8'))).database_url;
  } catch (cause) {
    throw new Error(
      `No database found: set DATABASE_URL, or start the local copy with npm start (${file} could not be read).`,
      { cause },
    );
  }
}
