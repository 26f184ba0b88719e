/**
 * Stores the secrets that local mode generates and needs again at the next start. They are in DATA_DIR/secrets.json,
 * which only its owner can read.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { readIfThere, writePrivately } from './data-dir.ts';
import { StartProblem } from './start-problem.ts';

const first = z.object({ organization_id: z.string(), token: z.string(), agent_id: z.string() });

const schema = z.object({
  encryption_key: z.string(),
  admin: z.object({ email: z.string(), password: z.string() }),
  /** The organization that the first start created. Contains its token, of which the database has only the hash. */
  first: first.optional(),
});

export type Secrets = z.output<typeof schema>;
export type FirstOrganization = z.output<typeof first>;

/**
 * Reads the secrets, or generates them if there is no file.
 * @throws StartProblem if the file is damaged, because new keys could not decrypt the data
 */
export function openSecrets(dataDir: string): Secrets {
  const file = fileOf(dataDir);
  const text = readIfThere(file);
  if (text === undefined) {
    const made: Secrets = {
      encryption_key: randomBytes(32).toString('base64'),
      admin: { email: 'admin@parley.local', password: randomBytes(12).toString('base64url') },
    };
    saveSecrets(dataDir, made);
    return made;
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new StartProblem(
      `${file} is damaged. Restore it from a copy, or move DATA_DIR away to start over.`,
      { cause },
    );
  }
}

export function saveSecrets(dataDir: string, secrets: Secrets): void {
  writePrivately(fileOf(dataDir), `${JSON.stringify(secrets, null, 2)}\n`);
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'secrets.json');
}
