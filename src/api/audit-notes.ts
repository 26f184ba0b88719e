/** What a call did, for the audit log: noted by its handler, written once it is done. */
import { writeAudit, type AuditRecord } from '../adapters/postgres/accounts/audit-log.ts';
import { findToken } from '../adapters/postgres/accounts/tokens.ts';
import type { Database } from '../adapters/postgres/database.ts';
import type { AuditAction } from '../contract/accounts/audit.ts';
import type { Logger } from '../log.ts';

export type AuditNote = [action: AuditAction, target: string];
export type Note = (...note: AuditNote) => void;

type Who = Omit<AuditRecord, 'action' | 'target' | 'actor'> & { actor: string | (() => Promise<string>) };

/** What cannot be written stands in the process's own log: the caller is not told of a failure, for it is done. */
export async function writeNotes(
  { db, log }: { db: Database; log: Logger },
  notes: readonly AuditNote[],
  who: Who,
): Promise<void> {
  if (notes.length === 0) return;
  try {
    const actor = typeof who.actor === 'string' ? who.actor : await who.actor();
    for (const [action, target] of notes) await writeAudit(db, { ...who, actor, action, target });
  } catch (err) {
    const { organizationId, actorId, address } = who;
    log.error({ organizationId, actorId, address, notes, err }, 'the audit log could not be written');
  }
}

/** The actor's name for a token in the audit log. */
export async function tokenActor(db: Database, tokenId: string): Promise<string> {
  const token = await findToken(db, tokenId);
  return token === undefined ? `API token ${tokenId}` : `API token ${token.name} (${token.prefix}…)`;
}
