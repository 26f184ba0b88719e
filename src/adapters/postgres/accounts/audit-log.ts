/** The audit log of the console. Rows are only ever added; the database refuses changes. */
import { v7 as newId } from 'uuid';
import { auditAction, type AuditAction, type AuditEntry } from '../../../contract/accounts/audit.ts';
import { idBelow, newestFirst, pageFrom, type Page } from '../cursor.ts';
import type { Database } from '../database.ts';

export interface AuditRecord {
  organizationId: string;
  actorId: string | undefined;
  actor: string;
  action: AuditAction;
  target: string;
  address: string | undefined;
}

/** The actor: a user, a token, or the name in `actor`. */
export interface Doer {
  userId?: string | undefined;
  tokenId?: string | undefined;
  actor?: string;
  address?: string | undefined;
}

/** The arguments of the SQL function audit_by, for an audit event written in the transaction that it records. */
export function auditBy({ userId, tokenId, actor = 'somebody', address }: Doer): Record<string, string> {
  return {
    ...{ audit_id: newId(), actor },
    ...(address !== undefined && { address }),
    ...(userId !== undefined && { user_id: userId }),
    ...(tokenId !== undefined && tokenId !== '' && { token_id: tokenId }),
  };
}

const targetChars = 300;

export async function writeAudit(db: Database, record: AuditRecord): Promise<void> {
  await db.knex('audit_log').insert({
    id: newId(),
    organization_id: record.organizationId,
    actor_id: record.actorId ?? null,
    actor: record.actor,
    action: record.action,
    target: record.target.slice(0, targetChars),
    address: record.address ?? null,
  });
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

/** @returns newest first */
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
