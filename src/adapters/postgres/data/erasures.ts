/** Stores requested erasures. A row remains until all requested data is erased, so a crash only delays the erasure. */
import { v7 as newId } from 'uuid';
import { z } from 'zod';
import { recordAudit, type Actor } from '../accounts/audit-log.ts';
import {
  idRow,
  inTransaction,
  queryIds,
  queryResult,
  queryRows,
  resultRow,
  statement,
  type Database,
} from '../database.ts';

const erasure = z.object({
  id: z.string(),
  organization_id: z.string(),
  kind: z.enum(['conversation', 'contact', 'organization', 'workflow']),
  /** Id of the conversation or organization, or the contact_id. For kind `workflow`: id of the erased conversation. */
  key: z.string(),
});
export type Erasure = z.infer<typeof erasure>;

export interface ErasureRequest {
  organizationId: string;
  kind: 'conversation' | 'contact' | 'organization';
  key: string;
}

const request = statement(
  'request-erasure',
  resultRow(z.object({ id: z.string(), target: z.string() }).nullable()),
)`
  select request_erasure($1, $2, $3, $4) as result`;
const close = statement('close-organization')`select close_organization($1)`;

/**
 * Records the request and its audit event in one transaction. If the request is to erase an organization, also closes
 * the organization (see `close_organization.sql`). A request that is repeated before the erasure is complete has the id
 * of the first one and writes another audit event.
 * @returns the recorded erasure; undefined if there is nothing to erase
 */
export async function requestErasure(
  db: Database,
  { organizationId, kind, key }: ErasureRequest,
  actor: Actor,
): Promise<Erasure | undefined> {
  return await inTransaction(db, async (tx) => {
    const found = await queryResult(tx, request, [newId(), organizationId, kind, key]);
    if (found === null) return undefined;
    await recordAudit(tx, { ...actor, organizationId }, `${kind}_erased`, found.target);
    if (kind === 'organization') await queryRows(tx, close, [organizationId]);
    return { id: found.id, organization_id: organizationId, kind, key };
  });
}

/** Finds due erasures, the earliest due ones first. Does not claim them: two workers may get the same one. */
export const findDueErasures = statement('due-erasures', erasure).rows<[limit: number]>`
  select id, organization_id, kind, key from erasures where due_at < clock_timestamp() order by due_at limit $1`;

/** Postpones an erasure: it is due again after this many seconds. */
export const postponeErasure = statement('postpone-erasure').write<[id: string, seconds: number]>`
  update erasures set due_at = clock_timestamp() + make_interval(secs => $2) where id = $1`;

/** Deletes the row of an erasure whose data has been erased completely. Idempotent. */
export const finishErasure = statement('finish-erasure').write<[id: string]>`
  delete from erasures where id = $1`;

const ofContact = statement('conversations-of-contact', idRow)`
  select id from conversations_of_contact($1, $2) as id order by id limit $3`;
const ofOrganization = statement('some-conversations-of-organization', idRow)`
  select id from conversations
    where (organization_id, id) > ($1, '00000000-0000-0000-0000-000000000000') and organization_id <= $1
    order by organization_id, id limit $2`;

/**
 * Finds conversations that an erasure of a contact or an organization has not erased yet.
 * @returns at most `limit` ids
 */
export async function findToErase(db: Database, erasure: Erasure, limit: number): Promise<string[]> {
  const { kind, organization_id: organizationId, key } = erasure;
  if (kind === 'contact') return await queryIds(db, ofContact, [organizationId, key, limit]);
  return await queryIds(db, ofOrganization, [organizationId, limit]);
}

/** Maximum files that one statement deletes. Chosen: small, because a file can be as large as 16 MiB. */
const filesAtOnce = 20;
const eraseFiles = statement('erase-attachments')`
  delete from attachments where id in (
    select id from attachments where conversation_id = $1 and state = 'stored' limit $2) returning id`;
const eraseTrials = statement('erase-trials', resultRow(z.boolean()))`
  select erase_trials($1, null) as result`;
/** Maximum runs, and maximum messages without a run, that one statement deletes. Chosen: it then takes about 0.2 s. */
const runsAtOnce = 500;
const eraseTurns = statement('erase-turns', resultRow(z.boolean()))`
  select erase_turns($1, 'infinity', $2) as result`;
const eraseRows = statement('erase-conversation', resultRow(z.boolean()))`
  select erase_conversation($1, $2) as result`;

/**
 * Erases a conversation with its trials, messages, attachments, runs, tool calls, deliveries and events, and requests
 * the erasure of its workflow histories. Works in statements of limited size; a repeated call erases the rest.
 * Idempotent.
 * @param hasTime returns false once the time for this call is over
 * @returns true if all of it is erased; false if the time ran out first
 */
export async function eraseConversation(db: Database, id: string, hasTime: () => boolean): Promise<boolean> {
  const parts = [
    async () => (await queryRows(db, eraseFiles, [id, filesAtOnce])).length === filesAtOnce,
    async () => await queryResult(db, eraseTrials, [id]),
    async () => await queryResult(db, eraseTurns, [id, runsAtOnce]),
  ];
  for (const erasePart of parts) {
    while (await erasePart()) if (!hasTime()) return false;
  }
  await queryResult(db, eraseRows, [id, newId()]);
  return true;
}

/**
 * Deletes the hellos to a contact, and those of its rows in channel_contacts that no conversation refers to (see
 * `functions/erase_contact.sql`). Idempotent.
 */
export const eraseContact = statement('erase-contact').write<[organizationId: string, key: string]>`
  select erase_contact($1, $2)`;

/**
 * Deletes the next part of an organization that has no conversations left (see `functions/erase_organization.sql`).
 * @returns true once the organization itself is deleted; false if more remains
 */
export const eraseOrganizationPart = statement('erase-organization', z.boolean()).result<
  [organizationId: string]
>`
  select erase_organization($1) as result`;
