/** Writes and reads the audit log. Rows are only added; the database refuses to change or delete them. */
import { v7 as newId } from 'uuid';
import { auditAction, type AuditAction, type AuditEntry } from '../../../contract/accounts/audit.ts';
import { idBelow, newestFirst, pageFrom, type Page } from '../cursor.ts';
import { queryRows, type Database, type Statement, type Transaction } from '../database.ts';

/** Who acts: a user, an API token, or the name in `actor`. Each authenticated caller of the API is an actor. */
export interface Actor {
  readonly userId?: string | undefined;
  readonly tokenId?: string | undefined;
  readonly actor?: string | undefined;
  readonly address?: string | undefined;
}

const record: Statement = {
  name: 'record-audit',
  text: `insert into audit_log (id, organization_id, actor_id, actor, action, target, address)
           values ($1, $2, coalesce($3::uuid, $4::uuid),
                   coalesce((select email from console_users where id = $3),
                            (select 'API token ' || name || ' (' || prefix || '…)' from api_tokens where id = $4),
                            $5),
                   $6, left($7, 300), $8)`,
};

/**
 * Writes an audit event in the transaction of the change that it records, so that both commit or neither. Nothing else
 * writes audit events.
 * @param actor who acts in which organization; the statement reads the user's email or the token's name
 * @param target the name of what was changed; the first 300 characters are kept
 */
export async function recordAudit(
  tx: Transaction,
  {
    organizationId,
    userId,
    tokenId,
    actor = 'somebody',
    address,
  }: Actor & { readonly organizationId: string },
  action: AuditAction,
  target: string,
): Promise<void> {
  await queryRows(tx, record, [
    ...[newId(), organizationId, userId ?? null, tokenId ?? null, actor],
    ...[action, target, address ?? null],
  ]);
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
