/** Ends executions of tools: writes the result and its audit event in one transaction. */
import { actorOf, recordAudit } from '../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction, type Database, type Transaction } from '../../adapters/postgres/database.ts';
import { countWithinHour } from '../../adapters/postgres/rate-limiter.ts';
import {
  endToolExecution,
  type EndedExecution,
  type ExecutionResult,
} from '../../adapters/postgres/workspace/tool-executions.ts';
import { findAction } from '../../workspace/registry.ts';

/**
 * Records the result of an execution and one audit event. Of equal reads within an hour, only some are recorded in the
 * audit log (see `isRecorded`). Does nothing if the execution already has a result or does not exist, so that a
 * repeated call adds no event.
 */
export async function endAction(
  db: Database,
  which: { id: string } | { origin: string },
  result: ExecutionResult,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const ended = await endToolExecution(tx, which, result);
    if (ended === undefined) return;
    const actor = { ...ended.requested_by, organizationId: ended.organization_id };
    const effect = effectOf(ended);
    const equal = effect === 'read' ? await countRead(tx, ended) : 1;
    if (!isRecorded(equal)) return;
    const number = equal === 1 ? '' : `, number ${equal} of an hour`;
    await recordAudit(tx, actor, 'tool_action_run', `${targetOf(ended, effect)}${number}`);
  });
}

/**
 * Counts a read. Reads are equal if they have the same action, actor, connection and status.
 * @returns the number of this read, from 1, among the equal reads of the hour that began with the first
 */
async function countRead(
  tx: Transaction,
  { organization_id, requested_by, action, connection_id, status }: EndedExecution,
): Promise<number> {
  const { address: _, ...actor } = actorOf(requested_by);
  return await countWithinHour(tx, 'tool-reads', [organization_id, actor, action, connection_id, status]);
}

/**
 * True for number 1, 2, 4, 8 and so on of equal reads. The audit log thus shows their order of magnitude, although a
 * client that reads endlessly adds few events.
 */
function isRecorded(equal: number): boolean {
  return Number.isInteger(Math.log2(equal));
}

function effectOf({ action, effect }: EndedExecution): string {
  return effect ?? findAction(action)?.effect ?? 'unknown';
}

/**
 * @returns the text of the audit event: the action, its effect, its status, the connection, and the conversation or
 * execution. It contains nothing of the input or the result.
 */
function targetOf(
  { id, action, connection_id, conversation_id, status }: EndedExecution,
  effect: string,
): string {
  const place = conversation_id === null ? `execution ${id}` : `conversation ${conversation_id}`;
  const connection = connection_id === null ? '' : `, connection ${connection_id}`;
  const outcome = status === 'unknown' ? 'has an unknown outcome' : status;
  return `${action} (${effect}) ${outcome}${connection}, ${place}`;
}
