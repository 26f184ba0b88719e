/** Ends executions of tool actions: the result and its audit event are written in one transaction. */
import { recordAudit } from '../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction, type Database } from '../../adapters/postgres/database.ts';
import {
  endToolExecution,
  type EndedExecution,
  type ExecutionResult,
} from '../../adapters/postgres/workspace/tool-executions.ts';
import { findAction } from '../../workspace/registry.ts';

/**
 * Records the result of an execution and one audit event. Does nothing if there is a result, so that retries and lost
 * workers leave one event.
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
    await recordAudit(tx, actor, 'tool_action_run', targetOf(ended));
  });
}

/** The event names the action, its effect, the connection and the outcome, but none of the input or the result. */
function targetOf({
  id,
  action,
  connection_id,
  conversation_id,
  status,
  effect: ofHttpTool,
}: EndedExecution): string {
  const effect = ofHttpTool ?? findAction(action)?.effect ?? 'unknown';
  const place = conversation_id === null ? `execution ${id}` : `conversation ${conversation_id}`;
  const connection = connection_id === null ? '' : `, connection ${connection_id}`;
  const outcome = status === 'unknown' ? 'has an unknown outcome' : status;
  return `${action} (${effect}) ${outcome}${connection}, ${place}`;
}
