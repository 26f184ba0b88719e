/**
 * Runs the commands of `npm run parley -- …`, with which an operator manages organizations, tokens, agents and data. A
 * command prints one JSON object, with four exceptions: `export` prints YAML, `export-data` JSON lines, `audit export`
 * JSON lines or CSV, and `permissions` Markdown.
 */
import { readFile } from 'node:fs/promises';
import { Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { Command, CommanderError } from 'commander';
import { recordAudit } from '../adapters/postgres/accounts/audit-log.ts';
import { uuidForm } from '../adapters/postgres/cursor.ts';
import { connectDatabase, inTransaction, type Transaction } from '../adapters/postgres/database.ts';
import { forgetLostSecrets, rotateSecrets } from '../adapters/postgres/sealed-secrets.ts';
import { createEncryption, type Encryption } from '../adapters/secrets/encryption.ts';
import {
  countOrganizations,
  createOrganization,
  listOrganizations,
} from '../adapters/postgres/accounts/organizations.ts';
import {
  createToken,
  deleteToken,
  findToken,
  listTokens,
  revokeToken,
  rotateToken,
  statusOf,
} from '../adapters/postgres/accounts/tokens.ts';
import { missingAgents } from '../adapters/postgres/conversations/agents.ts';
import { applyAgents, exportAgents, namesIn } from '../adapters/postgres/conversations/agents-file.ts';
import type { AuditAction } from '../contract/accounts/audit.ts';
import { accessText } from '../contract/accounts/token-scopes.ts';
import { createTokenForm, rotateTokenForm, type CreateTokenForm } from '../contract/accounts/tokens.ts';
import { migrate } from '../adapters/postgres/migrate.ts';
import { prepareNamespace } from '../adapters/temporal/namespace.ts';
import { parseAgentsFile } from '../app/conversations/parse-agents-file.ts';
import { withSettingFiles } from '../setting-files.ts';
import { addAuditCommands } from './audit-commands.ts';
import { addAdminCommands } from './admin-commands.ts';
import { addDataCommands } from './data-commands.ts';
import { mustExist, valid, type CommandContext, type Terminal } from './command-context.ts';
import { findDatabaseUrl } from './database-url.ts';
import { operator } from './operator.ts';
import { addRehearseCommand } from './rehearse-command.ts';
import { setUp } from './setup.ts';

/**
 * Runs one command. Writes the message of a failure to `stderr`.
 * @param args the arguments after `npm run parley --`
 * @returns the exit code: 0 after a success, otherwise 1 or Commander's exit code
 */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const { env, stdout, stderr } = terminal;
  let code = 0;
  const print = (result: object | string): void => {
    stdout.write(typeof result === 'string' ? result : `${JSON.stringify(result)}\n`);
  };
  const withDatabase: CommandContext['withDatabase'] = async (work) => {
    const db = connectDatabase(await findDatabaseUrl(env), 2);
    try {
      print(await work(db));
    } finally {
      await db.close();
    }
  };
  const program = programOf({
    ...terminal,
    print,
    withDatabase,
    fail: () => {
      code = 1;
    },
  });
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // Commander has already printed the error or the help.
    if (error instanceof CommanderError) return error.exitCode;
    stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
  return code;
}

function programOf(context: CommandContext): Command {
  const { env, stdout, stderr, print, withDatabase } = context;
  const inOneTransaction = async (work: (tx: Transaction) => Promise<object>): Promise<void> => {
    await withDatabase((db) => inTransaction(db, work));
  };
  // Subcommands inherit `exitOverride` and the output streams.
  const program = new Command('parley')
    .description('Organizations, tokens and agents from the command line.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
    });

  const organization = program.command('org').description('organizations');
  organization
    .command('create <name>')
    .description('creates an organization with a first token')
    .action((name: string) =>
      inOneTransaction(async (tx) => {
        const { id } = await createOrganization(tx, name);
        await record(tx, id, 'organization_created', name);
        const { token } = await makeToken(tx, id, { name: 'first token' });
        return { organization_id: id, name, token };
      }),
    );
  organization
    .command('list')
    .description('prints the id and name of each organization, and how many members and active tokens it has')
    .action(() => withDatabase(async (db) => ({ data: await countOrganizations(db) })));

  program
    .command('migrate')
    .description('migrates the database to the newest schema; run it before every deployment')
    .action(async () => {
      await migrate(await findDatabaseUrl(env));
      print({ migrated: true });
    });

  program
    .command('setup')
    .description('creates the first organization and its administrator if there are none; safe to repeat')
    .requiredOption('--organization <name>', 'name of the first organization')
    .requiredOption('--email <email>', 'email of the administrator')
    .requiredOption('--password-file <path>', 'a file that holds the password')
    .action(({ organization: name, email, passwordFile }: Record<string, string>) =>
      withDatabase(async (db) => {
        const password = (await readFile(passwordFile ?? '', 'utf8')).trim();
        const wanted = { organization: name ?? '', email: email ?? '', password };
        return await setUp(db, wanted, operator());
      }),
    );

  program
    .command('namespace')
    .description(
      'creates the Temporal namespace of the TEMPORAL_… settings and its search attributes; safe to repeat',
    )
    .option('--retention-days <days>', 'how long histories of ended workflows are kept', '7')
    .action(async ({ retentionDays }: { retentionDays: string }) => {
      const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
      const connection = await Connection.connect(connectionOptions);
      await prepareNamespace(connection, namespace, Number(retentionDays));
      await connection.close();
      print({ namespace, retention_days: Number(retentionDays) });
    });

  program
    .command('permissions')
    .description('prints, as Markdown, which scope or capability every operation needs')
    .action(async () => {
      // Imports this module only here, because it imports the whole API, which no other command needs.
      const { permissionTables } = await import('./permissions.ts');
      print(permissionTables(program));
    });

  const tokens = program.command('token').description('API tokens');
  tokens
    .command('create')
    .requiredOption('--org <id>', 'organization')
    .requiredOption('--name <name>', 'Token Name')
    .option('--scopes <scopes>', 'separated by commas; without it, the token has full access')
    .option(
      '--agents <ids>',
      'agents that the token is bound to, separated by commas; without it, every agent',
    )
    .option('--expires-in-days <days>', 'without it, the token does not expire')
    .action(({ org, name, ...given }: { org: string; name: string } & TokenOptions) =>
      inOneTransaction(async (tx) => {
        await mustExist(tx, org);
        const form = formOf(name, given);
        const missing = await missingAgents(tx, org, form.agent_ids ?? []);
        if (missing.length > 0)
          throw new Error(`These are no agents of the organization: ${missing.join(', ')}`);
        return await makeToken(tx, org, form);
      }),
    );
  tokens
    .command('rotate <id>')
    .description('gives a token a new secret; the previous one also works until the overlap is over')
    .option('--overlap-seconds <seconds>', 'at most 604800, a week', '86400')
    .action((id: string, { overlapSeconds }: { overlapSeconds: string }) =>
      inOneTransaction(async (tx) => {
        const { overlap_seconds: overlap } = valid(rotateTokenForm, {
          overlap_seconds: Number(overlapSeconds),
        });
        const known = uuidForm.test(id) ? await findToken(tx, id) : undefined;
        const made = known && (await rotateToken(tx, id, known.organization_id, { overlapSeconds: overlap }));
        if (known === undefined || made === undefined) throw new Error(`There is no active token ${id}.`);
        await record(tx, known.organization_id, 'token_rotated', `${made.name} (${made.prefix}…)`);
        return { id, token: made.token, prefix: made.prefix };
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
            status: statusOf({ revoked_at, expires_at: row.expires_at }),
          })),
        };
      }),
    );
  for (const [command, end, action, result] of [
    ['revoke <id>', revokeToken, 'token_revoked', { status: 'Revoked' }],
    ['delete <id>', deleteToken, 'token_deleted', { deleted: true }],
  ] as const)
    tokens.command(command).action((id: string) =>
      inOneTransaction(async (tx) => {
        const token = uuidForm.test(id) ? await end(tx, id) : undefined;
        if (token === undefined) throw new Error(`There is no token ${id}.`);
        await record(tx, token.organization_id, action, `${token.name} (${token.prefix}…)`);
        return { id, ...result };
      }),
    );

  program
    .command('apply <file>')
    .description('creates or updates agents by name from a YAML file')
    .requiredOption('--org <id>', 'organization')
    .action((file: string, { org }: { org: string }) =>
      inOneTransaction(async (tx) => {
        await mustExist(tx, org);
        const given = parseAgentsFile(await readFile(file, 'utf8'));
        const result = await applyAgents(tx, org, given, operator());
        await record(tx, org, 'agents_imported', namesIn(result));
        return result;
      }),
    );
  program
    .command('export')
    .description('prints the agents as YAML that `apply` reads')
    .requiredOption('--org <id>', 'organization')
    .action(({ org }: { org: string }) =>
      withDatabase(async (db) => {
        await mustExist(db, org);
        return await exportAgents(db, org);
      }),
    );

  /** Changes the secrets of every organization, and records the change in each organization's audit log. */
  const changeSecrets = (
    change: (tx: Transaction, encryption: Encryption) => Promise<{ result: object; target: string }>,
  ) =>
    inOneTransaction(async (tx) => {
      const { ENCRYPTION_KEY: keys } = withSettingFiles(env, ['ENCRYPTION_KEY']);
      const { result, target } = await change(tx, createEncryption(keys));
      for (const { id } of await listOrganizations(tx)) await record(tx, id, 'secrets_rotated', target);
      return result;
    });
  const secrets = program.command('secrets').description('secrets at rest');
  secrets
    .command('rotate')
    .description(
      'encrypts every secret with the first key of ENCRYPTION_KEY; the old key follows after a comma',
    )
    .action(() =>
      changeSecrets(async (tx, encryption) => ({
        result: await rotateSecrets(tx, encryption),
        target: `to the key of id ${encryption.keyIds[0] ?? 'none'}`,
      })),
    );

  secrets
    .command('forget-lost')
    .description(
      'for a lost key: deletes the credentials that no key of ENCRYPTION_KEY decrypts; they must be connected again',
    )
    .action(() =>
      changeSecrets(async (tx, encryption) => {
        const result = await forgetLostSecrets(tx, encryption);
        const target = `to the key of id ${result.key_id}; credentials under a lost key were dropped`;
        return { result, target };
      }),
    );

  addAdminCommands(program, context);
  addDataCommands(program, context);
  addRehearseCommand(program, context);
  addAuditCommands(program, context);
  return program;
}

interface TokenOptions {
  scopes?: string;
  agents?: string;
  expiresInDays?: string;
}

function formOf(name: string, { scopes, agents, expiresInDays }: TokenOptions): CreateTokenForm {
  return valid(createTokenForm, {
    name,
    scopes: scopes?.split(','),
    agent_ids: agents?.split(','),
    ...(expiresInDays !== undefined && { expires_in_days: Number(expiresInDays) }),
  });
}

async function makeToken(tx: Transaction, organizationId: string, form: CreateTokenForm) {
  const { name, scopes, agent_ids: agentIds, expires_in_days: expiresInDays } = form;
  const by = { name: operator().name };
  const made = await createToken(tx, { organizationId, name, scopes, agentIds, expiresInDays, by });
  await record(tx, organizationId, 'token_created', `${name} (${made.prefix}…): ${accessText(scopes)}`);
  return made;
}

/** Records an audit event, with the operating system's user as the actor. */
async function record(tx: Transaction, organizationId: string, action: AuditAction, target: string) {
  await recordAudit(tx, { ...operator(), organizationId }, action, target);
}
