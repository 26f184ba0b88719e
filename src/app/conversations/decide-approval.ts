/**
 * Records the decision of a person or a program on a tool call that waits for approval: from the console, the API or a
 * reply on WhatsApp.
 */
import { recordAudit, type OrganizationActor } from '../../adapters/postgres/accounts/audit-log.ts';
import {
  decideApproval,
  findApproval,
  type ApprovalDecision,
  type FoundApproval,
} from '../../adapters/postgres/conversations/approvals.ts';
import type { Transaction } from '../../adapters/postgres/database.ts';
import type { Approval } from '../../contract/conversations/approvals.ts';
import { notExecuted } from '../../domain/conversations/tool-policy.ts';

/**
 * Records a decision with its audit event. If two decisions race, the first one wins. The caller must nudge the
 * conversation after the transaction, even if `decided` is false, because the process that recorded the first decision
 * may have crashed before its nudge.
 * @returns the approval, and `decided`, which is false if the approval was already decided, has expired, or belongs to
 * a call that can no longer be executed; undefined if the organization has no such approval
 */
export async function decideAndRecord(
  tx: Transaction,
  decision: Omit<ApprovalDecision, 'result'>,
  actor: OrganizationActor,
): Promise<{ decided: boolean; found: FoundApproval } | undefined> {
  const { id, organizationId, approve, note } = decision;
  const decided = await decideApproval(tx, { ...decision, result: notExecuted.refused(note) });
  const found = await findApproval(tx, organizationId, id);
  if (decided === undefined || found === undefined) return undefined;
  if (decided) {
    const target = `${found.approval.tool}, approval ${id}`;
    await recordAudit(tx, actor, approve ? 'approval_given' : 'approval_refused', target);
  }
  return { decided, found };
}

/** @returns the sentence for a person whose decision came too late: who decided before, and when */
export function lateSentence({ decided_by, decided_at, status, note }: Approval): string {
  const outcome = status === 'refused' ? 'refused' : status === 'expired' ? 'expired' : 'approved';
  const at = decided_at ?? 'before';
  if (decided_by?.kind === 'system')
    return `This tool call was ${outcome} at ${at}: ${note ?? 'by Parley'}. It can no longer be decided.`;
  return `${decided_by?.name ?? 'Somebody'} ${outcome} this tool call at ${at}. It can no longer be decided.`;
}
