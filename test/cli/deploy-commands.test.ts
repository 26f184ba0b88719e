/** The commands that a deploy runs, as it runs them: a user of the database who may make no roles, secrets by file. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import pg from 'pg';
import { schemaVersions } from '../support/schema-versions.ts';
import { databaseRoles } from '../../src/adapters/postgres/organization-scope.ts';
import { searchAttributeNames } from '../../src/contract/workflows.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { backing } from '../support/backing.ts';
import { useSharedStack } from '../support/stack.ts';

const run = promisify(execFile);

describe('The commands of a deploy', () => {
  const stack = useSharedStack();
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let database: pg.Client;
  const user = `deployer_${process.pid}`;

  const parley = async (...args: string[]): Promise<unknown> => {
    const { stdout } = await run(process.execPath, ['src/cli/main.ts', ...args], { cwd: projectRoot, env });
    return JSON.parse(stdout);
  };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-deploy-'));
    const url = new URL(await (await backing()).freshDatabase());
    const admin = new pg.Client(url.href);
    await admin.connect();
    const name = admin.escapeIdentifier(`empty_${process.pid}`);
    await admin.query(`create role ${user} login password 'word'`);
    await admin.query(`grant ${Object.values(databaseRoles).join(', ')} to ${user}`);
    await admin.query(`create database ${name} owner ${user}`);
    await admin.end();
    url.pathname = `/empty_${process.pid}`;
    url.username = user;
    url.password = 'word';
    writeFileSync(join(folder, 'database-url'), `${url.href}\n`);
    writeFileSync(join(folder, 'password'), 'a long password\n');
    env = {
      PATH: process.env['PATH'],
      DATABASE_URL_FILE: join(folder, 'database-url'),
      TEMPORAL_ADDRESS: stack().temporal.address,
      TEMPORAL_NAMESPACE: `made_${process.pid}`,
      TEMPORAL_CONFIG_FILE: join(folder, 'none.toml'),
    };
    database = new pg.Client(url.href);
    await database.connect();
  });
  after(async () => {
    await database.end();
    rmSync(folder, { recursive: true });
  });

  it('migrate: makes the schema as a user who owns the database and nothing else, and again changes nothing', async () => {
    const migrations = async () =>
      (await database.query<{ n: number }>('select count(*)::int as n from schema_migrations')).rows[0]?.n;
    assert.deepEqual(await parley('migrate'), { migrated: true });
    assert.equal(await migrations(), schemaVersions().length);
    assert.deepEqual(await parley('migrate'), { migrated: true });
    assert.equal(await migrations(), schemaVersions().length);
  });

  it('setup: makes the first organization and its administrator, and again nothing, whatever has changed since', async () => {
    const args = ['setup', '--organization=First', '--email=Admin@Example.com', '--password-file'];
    const made = (await parley(...args, join(folder, 'password'))) as Record<string, unknown>;
    const { organization_id, ...rest } = made;
    assert.deepEqual(rest, { email: 'admin@example.com', organization_made: true, administrator_made: true });
    const account = async () =>
      (await database.query<{ password: string }>('select password from console_accounts')).rows;
    const before = await account();
    assert.equal(before.length, 1);
    assert.match(before[0]!.password, /^\w+:\w+$/);
    writeFileSync(join(folder, 'password'), 'another long password');
    assert.deepEqual(await parley(...args, join(folder, 'password')), {
      organization_id,
      email: 'admin@example.com',
      organization_made: false,
      administrator_made: false,
    });
    assert.deepEqual(await account(), before, 'the password is as it was');
    // Another administrator has removed the first one.
    await database.query(`update console_users set email = 'second@example.com'`);
    const later = (await parley(...args, join(folder, 'password'))) as Record<string, unknown>;
    assert.equal(later['administrator_made'], false);
    assert.equal((await account()).length, 1);
    await database.query(`update console_users set email = 'admin@example.com'`);
  });

  it('namespace: makes it with its search attributes, and again changes nothing', async () => {
    const namespace = `made_${process.pid}`;
    for (const days of ['3', '9']) {
      assert.deepEqual(await parley('namespace', '--retention-days', days), {
        namespace,
        retention_days: Number(days),
      });
    }
    const connection = await Connection.connect({ address: stack().temporal.address });
    const { config } = await connection.workflowService.describeNamespace({ namespace });
    assert.equal(Number(config?.workflowExecutionRetentionTtl?.seconds), 3 * 86_400);
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    for (const name of searchAttributeNames) assert.ok(name in customAttributes, name);
    await connection.close();
  });
});
