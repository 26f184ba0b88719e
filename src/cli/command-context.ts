/**
 * Defines the environment, output streams and database access that a command receives as parameters. A command can
 * therefore also run inside another process, such as a test.
 */
import type { z } from 'zod';
import { findOrganization } from '../adapters/postgres/accounts/organizations.ts';
import { uuidForm } from '../adapters/postgres/cursor.ts';
import type { Database } from '../adapters/postgres/database.ts';

export interface Terminal {
  /**
   * Environment variables of the command. The command `namespace` ignores them: it reads Temporal's settings from the
   * environment of the process.
   */
  env: NodeJS.ProcessEnv;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
}

export interface CommandContext extends Terminal {
  print: (result: object | string) => void;
  /** Connects to the database that `env` names, prints the result of the work, and closes the connections. */
  withDatabase: (work: (db: Database) => Promise<object | string>) => Promise<void>;
  /** Sets the exit code to 1, for a command that prints its result instead of throwing an error. */
  fail: () => void;
}

/** Checks that an organization exists. @throws Error if no organization has this id */
export async function mustExist(db: Database, id: string): Promise<void> {
  if (!uuidForm.test(id) || (await findOrganization(db, id)) === undefined)
    throw new Error(`There is no organization ${id}.`);
}

/**
 * Validates the options or the file of a command.
 * @param line returns what to print of an invalid field
 * @throws Error with a line for each invalid field
 */
export function valid<S extends z.ZodType>(
  schema: S,
  value: unknown,
  line = (path: string, message: string) => `${path}: ${message}`,
): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  throw new Error(issues.map(({ path, message }) => line(path.map(String).join('.'), message)).join('\n'));
}
