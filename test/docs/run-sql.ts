/** SQL that an administrator is told to run: on a Postgres as it comes, of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../src/adapters/db/migrate.ts';
import { startPostgres } from '../../src/local/postgres.ts';

/** Where it makes the product's user and database, the product must then be able to make its tables as that user. */
export async function runSql(statements: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') });
  const administrator = new pg.Client(postgres.url.replace(/\/parley$/, '/postgres'));
  try {
    await administrator.connect();
    await administrator.query('drop database parley');
    for (const statement of statements.split(';')) await administrator.query(statement);
    const password = /create role parley login password '([^']*)'/.exec(statements)?.[1];
    if (password !== undefined)
      await migrate(`postgresql://parley:${encodeURIComponent(password)}@127.0.0.1:${postgres.port}/parley`);
  } finally {
    await administrator.end();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
