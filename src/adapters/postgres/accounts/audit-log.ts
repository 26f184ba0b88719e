/** Writes and reads the audit log. Rows are only added; the database refuses to change or delete them. */
import { v7 as newId } from 'uuid';
import { auditAction, type AuditAction, type AuditEntry } from '../../../contract/accounts/audit.ts';
import { idBelow, newestFirst, pageFrom, type Page } from '../cursor.ts';
import { queryRows, type Database, type Statement, type Transaction } from '../database.ts';

/** Who acts, and from which network address if it is known. Each authenticated caller of the API is an actor. */
export type Actor = (
  | { readonly kind: 'person'; readonly userId: string }
  | { readonly kind: 'token'; readonly tokenId: string }
  /** An operator; `name` is what the audit log shows. */
  | { readonly kind: 'system'; readonly name: string }
) & { readonly address?: string | undefined };

/** @returns the actor without the other fields that a caller of the API has */
export function actorOf(caller: Actor): Actor {
  const { kind, address } = caller;
  if (kind === 'person') return { kind, userId: caller.userId, address };
  if (kind === 'token') return { kind, tokenId: caller.tokenId, address };
  return { kind, name: caller.name, address };
}

const record: Statement = {
  name: 'record-audit',
  text: `insert into audit_log (id, organization_id, actor_id, actor, action, target, address)
           values ($1, $2, $4,
                   coalesce(case $3 when 'person' then (select email from console_users where id = $4)
                                    when 'token' then (select 'API token ' || name || ' (' || prefix || '…)' from api_tokens where id = $4)
                            end, $5),
                   $6, left($7, 300), $8)`,
};

/**
 * Writes an audit event in the transaction of the change that it records, so that both commit or neither. Nothing else
 * writes audit events.
 * @param actor who acts in which organization; the statement reads the user's email or the token's name, if they are not
 * deleted
 * @param target the name of what was changed; the first 300 characters are kept
 */
export async function recordAudit(
  tx: Transaction,
  actor: Actor & { readonly organizationId: string },
  action: AuditAction,
  target: string,
): Promise<void> {
  const { id, name } = identityOf(actor);
  await queryRows(tx, record, [
    ...[newId(), actor.organizationId, actor.kind, id, name],
    ...[action, target, actor.address ?? null],
  ]);
}

/** @returns the actor's id, and the name that is shown if no row has that id */
function identityOf(actor: Actor): { id: string | null; name: string } {
  if (actor.kind === 'person') return { id: actor.userId, name: 'a deleted user' };
  if (actor.kind === 'token') return { id: actor.tokenId, name: 'a deleted API token' };
  return { id: null, name: actor.name };
}

interface AuditRow {
  id: string;
  organization_id: string;
  at: Date;
  actor: string;
  action: string;
  target: string;
  address: string | null;
}

/** @returns the audit events of an organization, newest first */
export async function listAudit(
  db: Database,
  organizationId: string,
  query: { limit: number; cursor?: string | undefined; action?: AuditAction | undefined },
): Promise<Page<AuditEntry>> {
  const before = idBelow(query.cursor);
  const rows: AuditRow[] = await newestFirst(
    db.knex<AuditRow>('audit_log'),
    'audit_log',
    { ...(query.action !== undefined && { action: query.action }), organization_id: organizationId },
    before,
  ).limit(query.limit + 1);
  return pageFrom(
    rows,
    query.limit,
    (row) => row.id,
    (row) => ({
      id: row.id,
      at: row.at.toISOString(),
      actor: row.actor,
      action: auditAction.parse(row.action),
      target: row.target,
      address: row.address,
    }),
  );
}
