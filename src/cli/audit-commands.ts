/** `npm run parley -- audit …`: verifies the audit log, sets its retention and exports it. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Option, type Command } from 'commander';
import { z } from 'zod';
import {
  changeAuditRetention,
  findAudited,
  verifyAudit,
  type ChainPlace,
} from '../adapters/postgres/accounts/audit-chain.ts';
import { auditEntries, recordAudit } from '../adapters/postgres/accounts/audit-log.ts';
import { uuidForm } from '../adapters/postgres/cursor.ts';
import { inTransaction } from '../adapters/postgres/database.ts';
import { auditFilters } from '../contract/accounts/audit.ts';
import { auditText, type AuditFormat } from '../domain/accounts/audit-text.ts';
import { mustExist, valid, type CommandContext } from './command-context.ts';
import { operator } from './operator.ts';

/** Retention of an audit log, in days. The minimum is 30, so that nobody can hide an action with a short retention. */
const retentionDays = z.number().int().min(30).max(36_500);

export function addAuditCommands(program: Command, { stdout, withDatabase, fail }: CommandContext): void {
  const audit = program.command('audit').description('the audit log');
  audit
    .command('verify')
    .description(
      'recomputes the hash chain of the audit log; exits with 1 if an entry was changed or removed',
    )
    .option('--org <id>', 'only this organization')
    .option('--known <position:hash>', 'an earlier result, which the chain must still contain; needs --org')
    .action(({ org, known }: { org?: string; known?: string }) =>
      withDatabase(async (db) => {
        if (org !== undefined && !uuidForm.test(org)) throw new Error(`There is no organization ${org}.`);
        if (known !== undefined && org === undefined) throw new Error('--known needs --org.');
        const place = known === undefined ? undefined : placeOf(known);
        const data = [];
        for (const id of org === undefined ? await findAudited(db) : [org])
          data.push({ organization_id: id, ...(await verifyAudit(db, id, place)) });
        if (data.some(({ problem }) => problem !== undefined)) fail();
        return { data };
      }),
    );
  audit
    .command('retention')
    .description('sets how many days the audit log of an organization is kept, or `forever`')
    .requiredOption('--org <id>', 'organization')
    .requiredOption('--days <days>', '30 or more, or forever')
    .action(({ org, days }: { org: string; days: string }) =>
      withDatabase(async (db) => {
        const read =
          days === 'forever' ? { success: true, data: null } : retentionDays.safeParse(Number(days));
        if (!read.success) throw new Error('--days must be a whole number from 30 to 36500, or forever.');
        await mustExist(db, org);
        await changeAuditRetention(db, org, read.data ?? null, operator());
        return { organization_id: org, audit_retention_days: read.data ?? null };
      }),
    );
  audit
    .command('export')
    .description('prints the audit log of an organization as CSV or JSON lines, newest first')
    .requiredOption('--org <id>', 'organization')
    .addOption(new Option('--format <format>', 'csv or jsonl').choices(['csv', 'jsonl']).default('jsonl'))
    .option('--action <action>', 'only entries of this action')
    .option('--search <text>', 'only entries with this text in the actor, the target or the address')
    .option('--from <time>', 'only entries of this time (ISO 8601) and later')
    .option('--to <time>', 'only entries before this time')
    .action(({ org, format, ...given }: { org: string; format: AuditFormat } & Record<string, string>) =>
      withDatabase(async (db) => {
        if (!uuidForm.test(org)) throw new Error(`There is no organization ${org}.`);
        const filters = valid(auditFilters, given, (path, message) => `--${path}: ${message}`);
        const target = [format, ...Object.entries(given).map(([name, value]) => `${name} ${value}`)].join(
          ', ',
        );
        await inTransaction(db, (tx) =>
          recordAudit(tx, { ...operator(), organizationId: org }, 'audit_exported', target),
        );
        const entries = auditEntries(db, (ask) => ask(), org, filters);
        await pipeline(Readable.from(auditText(entries, format)), stdout, { end: false });
        return '';
      }),
    );
}

/** @throws Error if the text is not a position, a colon and a hash */
function placeOf(text: string): ChainPlace {
  const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text) ?? [];
  if (position === undefined || hash === undefined)
    throw new Error('--known must be a position, a colon and a hash of 64 hexadecimal digits.');
  return { position: Number(position), hash };
}
