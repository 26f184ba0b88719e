/** Writes and reads the audit log. Rows are only added; the database refuses to change or delete them. */
import { v7 as newId } from 'uuid';
import { auditAction, type AuditAction, type AuditEntry } from '../../../contract/accounts/audit.ts';
import { idBelow, newestFirst, pageFrom, type Page } from '../cursor.ts';
import { queryRows, type Database, type Statement, type Transaction } from '../database.ts';

/** Who acts: a user, an API token, or the name in `actor`. Each authenticated caller of the API is an actor. */
export interface Actor {
  readonly userId?: string | undefined;
  readonly tokenId?: string | undefined;
  readonly actor?: string;
  readonly address?: string | undefined;
}

/** @returns the fields of audit_by's argument that identify the audit event and its actor */
export function auditBy({ userId, tokenId, actor = 'somebody', address }: Actor): Record<string, string> {
  return {
    ...{ audit_id: newId(), actor },
    ...(address !== undefined && { address }),
    ...(userId !== undefined && { user_id: userId }),
    ...(tokenId !== undefined && { token_id: tokenId }),
  };
}

const record: Statement = { name: 'record-audit', text: 'select audit_by($1::jsonb, $2, $3)' };

/**
 * Writes an audit event in the transaction of the change that it records, so that both commit or neither.
 * @param actor who acts in which organization; SQL reads the user's email or the token's name
 * @param target the name of what was changed; the first 300 characters are kept
 */
export async function recordAudit(
  tx: Transaction,
  actor: Actor & { readonly organizationId: string },
  action: AuditAction,
  target: string,
): Promise<void> {
  const by = JSON.stringify({ organization_id: actor.organizationId, ...auditBy(actor) });
  await queryRows(tx, record, [by, action, target]);
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
