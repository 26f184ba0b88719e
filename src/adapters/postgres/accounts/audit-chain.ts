/**
 * Seals and verifies the hash chain of each organization's audit log, and deletes its old entries. The hash of an entry
 * covers the entry and the previous entry's hash, so that the chain shows if an entry was changed, removed or inserted.
 *
 * Entries are written without a position in the chain, so that audited calls never wait for each other. A worker seals
 * them later: each transaction gives the committed entries of one organization their positions, in the order of their
 * ids. Sealing, deletion, verification and changes of the retention period lock the organization's row of
 * `audit_chains`.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { auditLogDays } from '../../../contract/data/limits.ts';
import { changeText } from '../../../domain/accounts/change-text.ts';
import { chainedFields, recordAudit, type Actor, type ChainedFields } from './audit-log.ts';
import { idRow, inTransaction, queryRow, queryRows, statement, type Database } from '../database.ts';

/**
 * Returns the hash of an entry: the SHA-256 of the previous entry's hash and a JSON array in UTF-8, concatenated. The
 * array contains the organization, position, id, time in ISO 8601 with milliseconds, actor's id, actor, action, target
 * and address. docs/audit.md describes the hash for other programs.
 */
export function entryHash(previous: Buffer, position: number, entry: ChainedFields): Buffer {
  const { organization_id, id, at, actor_id, actor, action, target, address } = entry;
  const fields = [organization_id, position, id, at.toISOString(), actor_id, actor, action, target, address];
  return createHash('sha256').update(previous).update(JSON.stringify(fields)).digest();
}

const chainRow = z.object({
  position: z.number(),
  hash: z.instanceof(Buffer),
  deleted_to: z.number(),
  deleted_hash: z.instanceof(Buffer),
  retention_days: z.number().nullable(),
});
type Chain = z.infer<typeof chainRow>;

const fields = 'organization_id, id, at, actor_id, actor, action, target, address';
const batch = 1000;

/** @returns ids of at most `limit` organizations that have unsealed entries */
export const findUnsealed = statement('unsealed-organizations', idRow).ids<[limit: number]>`
  select distinct organization_id as id from audit_log where position is null limit $1`;

const openChain = statement('open-audit-chain')`
  insert into audit_chains (organization_id) values ($1) on conflict do nothing`;
const sealedRow = chainedFields.extend({ position: z.number(), hash: z.instanceof(Buffer) });

const lockChain = statement('lock-audit-chain', chainRow)`
  select position, hash, deleted_to, deleted_hash, retention_days from audit_chains
    where organization_id = $1 for update`;
const unsealed = statement('unsealed-audit', chainedFields)`
  select ${fields} from audit_log where organization_id = $1 and position is null order by id limit $2`;
const seal = statement('seal-audit')`
  with sealed as (
    update audit_log l set position = s.position, hash = s.hash
      from unnest($2::uuid[], $3::bigint[], $4::bytea[]) as s (id, position, hash) where l.id = s.id)
  update audit_chains set position = $5, hash = $6 where organization_id = $1`;

/**
 * Gives the next unsealed entries of an organization their positions and hashes. Concurrent calls for one organization
 * wait for each other.
 * @returns how many entries were sealed, at most `batch`
 * @throws Error if somebody deletes the chain's row at the same time; Parley itself never deletes it
 */
export async function sealAudit(db: Database, organizationId: string): Promise<number> {
  return await inTransaction(db, async (tx) => {
    await queryRows(tx, openChain, [organizationId]);
    const chain = await queryRow(tx, lockChain, [organizationId]);
    if (chain === undefined) throw new Error('the audit chain that was just opened does not exist');
    const entries = await queryRows(tx, unsealed, [organizationId, batch]);
    if (entries.length === 0) return 0;
    let { position, hash } = chain;
    const sealed = entries.map((entry) => {
      position += 1;
      hash = entryHash(hash, position, entry);
      return { id: entry.id, position, hash };
    });
    await queryRows(tx, seal, [
      organizationId,
      sealed.map(({ id }) => id),
      sealed.map((one) => one.position),
      sealed.map((one) => one.hash),
      position,
      hash,
    ]);
    return entries.length;
  });
}

/** @returns ids of at most `limit` organizations whose oldest sealed entry is older than the audit retention period */
export const findExpiredAudit = statement('expired-audit-chains', idRow).ids<[limit: number]>`
  select c.organization_id as id from audit_chains c
    join audit_log l on l.organization_id = c.organization_id and l.position = c.deleted_to + 1
    where l.at < statement_timestamp() - make_interval(days => c.retention_days) limit $1`;

const oldest = statement(
  'oldest-audit',
  z.object({ position: z.number(), hash: z.instanceof(Buffer), expired: z.boolean() }),
)`
  select position, hash, at < statement_timestamp() - make_interval(days => $2) as expired from audit_log
    where organization_id = $1 and position > $3 order by position limit $4`;
const rememberDeleted = statement('remember-deleted-audit')`
  update audit_chains set deleted_to = $2, deleted_hash = $3 where organization_id = $1`;
const deleteOldest = statement('delete-oldest-audit')`
  delete from audit_log where organization_id = $1 and position > $2 and position <= $3`;

/**
 * Deletes an organization's oldest sealed entries that are older than the retention period of its audit log. The chain
 * stores the hash of the last deleted entry, so that the remaining entries can still be verified.
 * @returns how many entries were deleted, at most `batch`
 */
export async function deleteExpiredAudit(db: Database, organizationId: string): Promise<number> {
  return await inTransaction(db, async (tx) => {
    const chain = await queryRow(tx, lockChain, [organizationId]);
    if (chain?.retention_days == null) return 0;
    const values = [organizationId, chain.retention_days, chain.deleted_to, batch];
    const rows = await queryRows(tx, oldest, values);
    const kept = rows.findIndex(({ expired }) => !expired);
    const expired = kept === -1 ? rows : rows.slice(0, kept);
    const last = expired.at(-1);
    if (last === undefined) return 0;
    await queryRows(tx, rememberDeleted, [organizationId, last.position, last.hash]);
    await queryRows(tx, deleteOldest, [organizationId, chain.deleted_to, last.position]);
    return expired.length;
  });
}

const retention = statement('audit-retention', chainRow.pick({ retention_days: true }))`
  select retention_days from audit_chains where organization_id = $1`;

/** @returns the retention period of an organization's audit log in days; null: entries are never deleted */
export async function findAuditRetention(db: Database, organizationId: string): Promise<number | null> {
  const chain = await queryRow(db, retention, [organizationId]);
  return chain === undefined ? auditLogDays : chain.retention_days;
}

const setRetention = statement('set-audit-retention')`
  update audit_chains set retention_days = $2 where organization_id = $1`;
const daysText = (days: number | null) => (days === null ? 'forever' : String(days));

/**
 * Sets the retention period of an organization's audit log, and writes an audit event.
 * @param days 30 to 36500; null: entries are never deleted
 */
export async function changeAuditRetention(
  db: Database,
  organizationId: string,
  days: number | null,
  actor: Actor,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await queryRows(tx, openChain, [organizationId]);
    const before = await queryRow(tx, lockChain, [organizationId]);
    await queryRows(tx, setRetention, [organizationId, days]);
    const change = changeText(daysText(before?.retention_days ?? null), daysText(days));
    await recordAudit(tx, { ...actor, organizationId }, 'audit_retention_changed', `Days to keep: ${change}`);
  });
}

/**
 * The position and the hash of an entry in a chain. An auditor records them outside of the database, for `verifyAudit`.
 */
export interface ChainPlace {
  position: number;
  /** The entry's hash in hexadecimal. */
  hash: string;
}

/**
 * The result of a verification. `position` and `hash` are those of the last correct entry, or else of the last deleted
 * one; `position` is 0 if there is neither.
 */
export interface Verified extends ChainPlace {
  /** Number of correct sealed entries before the first fault. */
  verified: number;
  /** Number of entries that have no position in the chain yet. */
  unsealed: number;
  /** Position of the last entry that retention has deleted; 0 if there is none. */
  deleted_to: number;
  /** Describes the first fault; undefined if there is none. */
  problem?: string;
}

const shareChain = statement('share-audit-chain', chainRow)`
  select position, hash, deleted_to, deleted_hash, retention_days from audit_chains
    where organization_id = $1 for share`;
const sealedAfter = statement('sealed-audit-after', sealedRow)`
  select ${fields}, position, hash from audit_log
    where organization_id = $1 and position > $2 order by position limit $3`;
const countUnsealed = statement('count-unsealed-audit', z.object({ entries: z.number() }))`
  select count(*)::integer as entries from audit_log where organization_id = $1 and position is null`;

const noChain: Chain = {
  position: 0,
  hash: Buffer.alloc(32),
  deleted_to: 0,
  deleted_hash: Buffer.alloc(32),
  retention_days: null,
};

/**
 * Recomputes the hashes of an organization's sealed entries, up to the first fault. Until it ends, sealing, deletion
 * and changes of the retention period wait in this organization; other audited calls do not.
 * @param known an earlier position and hash, which the chain must still contain. Without them, the verification does
 * not detect that the database's owner has replaced the whole chain
 * @returns how many entries are correct, and the first fault
 */
export async function verifyAudit(
  db: Database,
  organizationId: string,
  known?: ChainPlace,
): Promise<Verified> {
  return await inTransaction(db, async (tx) => {
    const chain = (await queryRow(tx, shareChain, [organizationId])) ?? noChain;
    const [waiting] = await queryRows(tx, countUnsealed, [organizationId]);
    const isKnown = (position: number, hash: Buffer) =>
      position !== known?.position || hash.toString('hex') === known.hash.toLowerCase();
    let { deleted_to: position, deleted_hash: hash } = chain;
    const result = (problem?: string): Verified => ({
      verified: position - chain.deleted_to,
      unsealed: waiting?.entries ?? 0,
      deleted_to: chain.deleted_to,
      position,
      hash: hash.toString('hex'),
      ...(problem !== undefined && { problem }),
    });
    if (known !== undefined && known.position < chain.deleted_to)
      return result(
        `Retention has deleted the entries up to ${chain.deleted_to}, so position ${known.position} cannot be compared.`,
      );
    if (!isKnown(position, hash)) return result(`The chain has another hash at position ${position}.`);
    for (;;) {
      const rows = await queryRows(tx, sealedAfter, [organizationId, position, batch]);
      for (const row of rows) {
        if (row.position !== position + 1) return result(`The entry at position ${position + 1} is missing.`);
        const expected = entryHash(hash, row.position, row);
        if (!expected.equals(row.hash))
          return result(`The entry at position ${row.position} or its hash was changed.`);
        if (!isKnown(row.position, expected))
          return result(`The chain has another hash at position ${row.position}.`);
        position = row.position;
        hash = expected;
      }
      if (rows.length < batch) break;
    }
    if (chain.position !== position || !chain.hash.equals(hash))
      return result(
        chain.position > position
          ? `The entry at position ${position + 1} is missing.`
          : `The chain ends at position ${chain.position}, but there are entries after it.`,
      );
    if (known !== undefined && known.position > position)
      return result(`The chain ends at position ${position}, before position ${known.position}.`);
    return result();
  });
}

/** @returns the ids of all organizations that have an audit log, including erased organizations */
export const findAudited = statement('audited-organizations', idRow).ids<[]>`
  select distinct organization_id as id from (select organization_id from audit_chains union all select organization_id from audit_log where position is null) o order by 1`;
