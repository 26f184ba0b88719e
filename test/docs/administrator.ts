/** Runs the SQL that the pages give to an administrator, on a fresh Postgres, apart from the stack's. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { databaseRoles } from '../../src/adapters/postgres/organization-scope.ts';
import { migrate } from '../../src/adapters/postgres/migrate.ts';
import { startPostgres } from '../../src/local/postgres.ts';

export interface Administrator {
  run: (statements: string) => Promise<void>;
  stop: () => Promise<void>;
}

export async function startAdministrator(): Promise<Administrator> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') });
  const client = new pg.Client(postgres.url.replace(/\/parley$/, '/postgres'));
  await client.connect();
  return {
    /**
     * If they create the product's user and database, the product must then be able to create its tables as that user.
     */
    run: async (statements) => {
      await client.query('drop database if exists parley');
      await client.query(`drop role if exists ${['parley', ...Object.values(databaseRoles)].join(', ')}`);
      for (const statement of statements.split(';')) await client.query(statement);
      const password = /create role parley login password '([^']*)'/.exec(statements)?.[1];
      if (password !== undefined)
        await migrate(
          `postgresql://parley:${encodeURIComponent(password)}@127.0.0.1:${postgres.port}/parley`,
        );
    },
    stop: async () => {
      await client.end();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
