/**
 * Environment, output streams and database access that a command receives, so that it can also run inside another
 * process, such as a test.
 */
import type { Database } from '../adapters/postgres/database.ts';

export interface Terminal {
  /** `namespace` alone reads Temporal's settings from the process's own environment. */
  env: NodeJS.ProcessEnv;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
}

export interface CommandContext extends Terminal {
  print: (result: object | string) => void;
  /** Opens the database of `env`, prints the result and closes the database. */
  withDatabase: (work: (db: Database) => Promise<object | string>) => Promise<void>;
  /** Ends the command with exit code 1 after it has printed its result. */
  fail: () => void;
}
