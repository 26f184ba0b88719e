/**
 * Defines the environment, output streams and database access that a command receives, so that it can also run inside
 * another process, such as a test.
 */
import { findOrganization } from '../adapters/postgres/accounts/organizations.ts';
import { uuidForm } from '../adapters/postgres/cursor.ts';
import type { Database } from '../adapters/postgres/database.ts';

export interface Terminal {
  /**
   * Environment of the command. Only `namespace` reads Temporal's settings from the process's own environment instead.
   */
  env: NodeJS.ProcessEnv;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
}

export interface CommandContext extends Terminal {
  print: (result: object | string) => void;
  /** Opens the database of `env`, prints the result of the work, and closes the database. */
  withDatabase: (work: (db: Database) => Promise<object | string>) => Promise<void>;
  /** Sets the command's exit code to 1, for a command that also prints its result. */
  fail: () => void;
}

/** Checks that an organization exists. @throws Error if no organization has this id */
export async function mustExist(db: Database, id: string): Promise<void> {
  if (!uuidForm.test(id) || (await findOrganization(db, id)) === undefined)
    throw new Error(`There is no organization ${id}.`);
}
