/** `npm run parley -- …`: organizations, tokens, agents as code. Prints one JSON object (or YAML for export). */
import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { uuidForm } from '../adapters/db/cursor.ts';
import { connectDatabase, type Database } from '../adapters/db/database.ts';
import { rotateSecrets } from '../adapters/db/sealed-secrets.ts';
import { createEncryption } from '../adapters/encryption.ts';
import { createOrganization, findOrganization } from '../adapters/db/organizations.ts';
import { createToken, deleteToken, listTokens, revokeToken } from '../adapters/db/tokens.ts';
import { applyAgents, exportAgents } from '../adapters/db/agents-file.ts';
import { findDatabaseUrl } from './database-url.ts';

const program = new Command('parley').description('Organizations, tokens and agents from the command line.');

const organization = program.command('org').description('organizations');
organization
  .command('create <name>')
  .description('creates an organization with a first token')
  .action((name: string) =>
    withDatabase(async (db) => {
      const { id } = await createOrganization(db, name);
      const { token } = await createToken(db, { organizationId: id, name: 'first token' });
      return { organization_id: id, name, token };
    }),
  );

const tokens = program.command('token').description('API tokens');
tokens
  .command('create')
  .requiredOption('--org <id>', 'organization')
  .requiredOption('--name <name>', 'Token Name')
  .action(({ org, name }: { org: string; name: string }) =>
    withDatabase(async (db) => {
      await mustExist(db, org);
      return await createToken(db, { organizationId: org, name });
    }),
  );
tokens
  .command('list')
  .requiredOption('--org <id>', 'organization')
  .action(({ org }: { org: string }) =>
    withDatabase(async (db) => {
      await mustExist(db, org);
      const rows = await listTokens(db, org);
      return {
        data: rows.map(({ revoked_at, organization_id: _, ...row }) => ({
          ...row,
          status: revoked_at === null ? 'Active' : 'Revoked',
        })),
      };
    }),
  );
tokens.command('revoke <id>').action((id: string) =>
  withDatabase(async (db) => {
    if (!uuidForm.test(id) || !(await revokeToken(db, id))) throw new Error(`There is no token ${id}.`);
    return { id, status: 'Revoked' };
  }),
);
tokens.command('delete <id>').action((id: string) =>
  withDatabase(async (db) => {
    if (!uuidForm.test(id) || !(await deleteToken(db, id))) throw new Error(`There is no token ${id}.`);
    return { id, deleted: true };
  }),
);

program
  .command('apply <file>')
  .description('creates or updates agents by name from a YAML file')
  .requiredOption('--org <id>', 'organization')
  .action((file: string, { org }: { org: string }) =>
    withDatabase(async (db) => {
      await mustExist(db, org);
      return await applyAgents(db, org, await readFile(file, 'utf8'));
    }),
  );
program
  .command('export')
  .description('prints the agents in the form that apply takes')
  .requiredOption('--org <id>', 'organization')
  .action(({ org }: { org: string }) =>
    withDatabase(async (db) => {
      await mustExist(db, org);
      return await exportAgents(db, org);
    }),
  );

program
  .command('secrets')
  .description('secrets at rest')
  .command('rotate')
  .description('seals every secret with the first key of ENCRYPTION_KEY; the old key follows after a comma')
  .action(() =>
    withDatabase(async (db) => await rotateSecrets(db, createEncryption(process.env['ENCRYPTION_KEY']))),
  );

async function withDatabase(work: (db: Database) => Promise<object | string>): Promise<void> {
  const db = connectDatabase(await findDatabaseUrl(), 2);
  try {
    const result = await work(db);
    process.stdout.write(typeof result === 'string' ? result : `${JSON.stringify(result)}\n`);
  } finally {
    await db.close();
  }
}

async function mustExist(db: Database, id: string): Promise<void> {
  if (!uuidForm.test(id) || (await findOrganization(db, id)) === undefined) {
    throw new Error(`There is no organization ${id}.`);
  }
}

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
