/** Migrates a database to the newest schema. Concurrent migrations of one database run one after another. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import { approvalReasons } from '../../domain/conversations/approval-reasons.ts';
import { secureRows } from './row-security.ts';
import { keepNoSamplesOfText } from './unsampled-text.ts';

const advisoryLock = 7_205_759_403;

const shippedSql = import.meta.dirname;

/**
 * Migrates the database in one transaction. Applies all trigger functions, the files of `schema/` that were not applied
 * before, in the order of their names, and all other functions. Then copies `approvalReasons`, and applies row
 * security and the statistics settings of text columns. Idempotent. A failure leaves the database unchanged.
 * @param databaseUrl a `postgres://` URL whose user may create tables
 * @param folder contains `schema/` and `functions/`
 * @throws Error that names the SQL file that failed; the errors of `secureRows`; the driver's errors
 */
export async function migrate(databaseUrl: string, folder = shippedSql): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [advisoryLock]);
    // Functions may refer to functions and tables that are created later. With this setting, Postgres does not check
    // their bodies when it creates them.
    await client.query('set local check_function_bodies = off');
    // Trigger functions come before the schema, because its triggers and indexes refer to them. They can be created
    // before the tables exist, because their signatures use no table.
    await applyAll(client, join(folder, 'functions/triggers'));
    await applySchema(client, join(folder, 'schema'));
    await applyAll(client, join(folder, 'functions'));
    await copyReasons(client);
    await secureRows(client);
    await keepNoSamplesOfText(client);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

const appliedRows = z.object({ rows: z.array(z.object({ name: z.string() })) });

async function applySchema(client: pg.Client, folder: string): Promise<void> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key,
    applied_at timestamptz not null default now()
  )`);
  const { rows } = appliedRows.parse(await client.query('select name from schema_migrations'));
  const applied = new Set(rows.map((row) => row.name));
  for (const file of sqlFiles(folder)) {
    const name = file.slice(0, -'.sql'.length);
    if (applied.has(name)) continue;
    await apply(client, join(folder, file));
    await client.query('insert into schema_migrations (name) values ($1)', [name]);
  }
}

/** Copies the texts of `approvalReasons` into the table that the SQL functions read. */
async function copyReasons(client: pg.Client): Promise<void> {
  const rows = Object.entries(approvalReasons).map(([code, texts]) => ({ code, ...texts }));
  await client.query(
    `insert into approval_reasons select * from json_populate_recordset(null::approval_reasons, $1)
       on conflict (code) do update set note = excluded.note, result = excluded.result`,
    [JSON.stringify(rows)],
  );
}

async function applyAll(client: pg.Client, folder: string): Promise<void> {
  for (const file of sqlFiles(folder)) await apply(client, join(folder, file));
}

/** Runs one SQL file. @throws Error naming the file, with the database's error as its cause */
async function apply(client: pg.Client, path: string): Promise<void> {
  try {
    await client.query(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function sqlFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort();
}
