/** Brings a database to the newest schema. Safe when several processes start at once. */
import pg from 'pg';
import knex from 'knex';
import { migrations } from './migrations/index.ts';
import { secureRows } from './row-security.ts';
import { keepNoSamplesOfText } from './unsampled-text.ts';

const advisoryLock = 7_205_759_403;

/**
 * @param databaseUrl a `postgres://` URL whose user may create tables
 * @throws Error when a migration fails; it is rolled back whole
 */
export async function migrate(databaseUrl: string): Promise<void> {
  const guard = new pg.Client({ connectionString: databaseUrl });
  const db = knex({ client: 'pg', connection: databaseUrl, pool: { min: 0, max: 2 } });
  await guard.connect();
  try {
    await guard.query('select pg_advisory_lock($1)', [advisoryLock]);
    // Under the advisory lock nobody else migrates: a lock that a killed process left in knex's table is stale.
    const options = { migrationSource: source, tableName: 'schema_migrations' };
    await db.migrate.forceFreeMigrationsLock(options);
    await db.migrate.latest(options);
    await secureRows(db);
    await keepNoSamplesOfText(db);
  } finally {
    await guard.end();
    await db.destroy();
  }
}

type Migration = (typeof migrations)[number];

const source: knex.Knex.MigrationSource<Migration> = {
  getMigrations: () => Promise.resolve([...migrations]),
  getMigrationName: (migration) => migration.name,
  getMigration: (migration) =>
    Promise.resolve({
      up: async (db) => {
        await db.raw(migration.sql.replaceAll('?', '\\?'));
      },
      down: () => Promise.reject(new Error('Migrations only go forward: restore a backup instead.')),
    }),
};
