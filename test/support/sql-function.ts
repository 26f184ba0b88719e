import { readFileSync } from 'node:fs';

/** The definition of an SQL function, for a test that plants a bug in it. */
export function sqlFunction(name: string): string {
  return readFileSync(new URL(`../../src/adapters/postgres/functions/${name}.sql`, import.meta.url), 'utf8');
}
