import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';

/** @returns the names of the schema's files, without `.sql`, in the order in which they are applied */
export function schemaVersions(): string[] {
  return globSync(join(projectRoot, 'src/adapters/postgres/schema/*.sql'))
    .map((path) => basename(path, '.sql'))
    .sort();
}
