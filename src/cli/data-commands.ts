/**
 * `npm run parley -- retention`, `limit`, `export-data` and `erase`: commands for an organization's limits and data.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { uuidForm } from '../adapters/postgres/cursor.ts';
import type { Database } from '../adapters/postgres/database.ts';
import { requestErasure, type ErasureRequest } from '../adapters/postgres/data/erasures.ts';
import { exportLines, isContactKnown, recordExport } from '../adapters/postgres/data/export.ts';
import { changeOrganization, findOrganization } from '../adapters/postgres/accounts/organizations.ts';
import { setTokenLimit } from '../adapters/postgres/data/usage.ts';
import { organizationLimits } from '../contract/data/usage.ts';
import { changeOrganization as changeOrganizationForm } from '../contract/accounts/organization.ts';
import { mustExist, type CommandContext } from './command-context.ts';
import { operator } from './operator.ts';

interface LimitOptions {
  org: string;
  token?: string;
  credits?: string;
  messages?: string;
  storage?: string;
}

export function addDataCommands(program: Command, { stdout, withDatabase }: CommandContext): void {
  program
    .command('retention')
    .description('sets how many days conversations are kept, or `forever`')
    .requiredOption('--org <id>', 'organization')
    .requiredOption('--days <days>', 'a number, or forever')
    .action(({ org, days }: { org: string; days: string }) =>
      withDatabase(async (db) => {
        const set = changeOrganizationForm.parse({
          retention_days: days === 'forever' ? null : Number(days),
        });
        const changed = uuidForm.test(org) ? await changeOrganization(db, org, set, operator()) : undefined;
        if (changed === undefined) throw new Error(`There is no organization ${org}.`);
        return { organization_id: org, retention_days: changed.retention_days };
      }),
    );

  program
    .command('limit')
    .description('sets the monthly limits of an organization or of one of its tokens')
    .requiredOption('--org <id>', 'organization')
    .option('--token <id>', 'only this token')
    .option('--credits <number>', 'credits a month, or none')
    .option('--messages <number>', 'messages a month, or none')
    .option('--storage <megabytes>', 'MiB of files of the organization, or default')
    .action(({ org, token, credits, messages, storage }: LimitOptions) =>
      withDatabase(async (db) => {
        const numberOf = (given: string) => (given === 'none' ? null : Number(given));
        if (token !== undefined && storage !== undefined)
          throw new Error('Storage is limited for the whole organization: leave --token out.');
        const limits = organizationLimits.parse({
          ...(credits !== undefined && { monthly_credit_limit: numberOf(credits) }),
          ...(messages !== undefined && { monthly_message_limit: numberOf(messages) }),
          ...(storage !== undefined && {
            storage_limit_megabytes: storage === 'default' ? null : Number(storage),
          }),
        });
        if (Object.keys(limits).length === 0) throw new Error('Give --credits, --messages or --storage.');
        const known = uuidForm.test(org) && uuidForm.test(token ?? org);
        const changed =
          known &&
          (token === undefined
            ? (await changeOrganization(db, org, limits, operator())) !== undefined
            : await setTokenLimit(db, org, token, limits, operator()));
        if (!changed)
          throw new Error(
            `There is no ${token === undefined ? `organization ${org}` : `token ${token} of it`}.`,
          );
        return {
          organization_id: org,
          ...(token !== undefined && { token_id: token }),
          ...limits,
        };
      }),
    );
  program
    .command('export-data')
    .description('prints all data of an organization, or of one contact, as JSON lines')
    .requiredOption('--org <id>', 'organization')
    .option('--contact <id>', 'only this contact')
    .action(({ org, contact }: { org: string; contact?: string }) =>
      withDatabase(async (db) => {
        await mustExist(db, org);
        if (contact !== undefined && !(await isContactKnown(db, org, contact)))
          throw new Error(`There is no contact ${contact}.`);
        const plan = { organizationId: org, contactId: contact };
        await recordExport(db, operator(), plan);
        const lines = exportLines(db, (query) => query(), plan);
        await pipeline(Readable.from(lines, { highWaterMark: 1 }), stdout, { end: false });
        return '';
      }),
    );

  const erase = program.command('erase').description('erases data permanently; a running worker does it');
  const note = async (db: Database, request: ErasureRequest): Promise<object> => {
    const known =
      uuidForm.test(request.organizationId) &&
      (request.kind !== 'conversation' || uuidForm.test(request.key));
    const erasure = known ? await requestErasure(db, request, operator()) : undefined;
    if (erasure === undefined) throw new Error(`There is no ${request.kind} ${request.key} to erase.`);
    return { erasure_id: erasure.id, status: 'erasing' };
  };
  for (const kind of ['conversation', 'contact'] as const) {
    erase
      .command(`${kind} <id>`)
      .requiredOption('--org <id>', 'organization')
      .action((key: string, { org }: { org: string }) =>
        withDatabase(async (db) => await note(db, { organizationId: org, kind, key })),
      );
  }
  erase
    .command('organization <id>')
    .description('erases an organization with its members, tokens, agents, channels and conversations')
    .requiredOption('--name <name>', 'its name, as a confirmation')
    .action((id: string, { name }: { name: string }) =>
      withDatabase(async (db) => {
        const found = uuidForm.test(id) ? await findOrganization(db, id) : undefined;
        if (found?.name !== name) throw new Error(`There is no organization ${id} with the name ${name}.`);
        return await note(db, { organizationId: id, kind: 'organization', key: id });
      }),
    );
}
