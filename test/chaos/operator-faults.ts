/**
 * Faults by an operator in Temporal's UI on a conversation with work in progress: reset, terminate, reset an activity.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { conversationWorkflowId } from '../../src/contract/workflows.ts';
import { resetWorkflow } from '../support/reset-workflow.ts';
import type { FaultRecord } from './observed.ts';
import type { PlannedFault } from './plan-faults.ts';
import type { Stand } from './stand.ts';

const tries = 300;
/** Chosen: longer than Temporal takes to start again. */
const chooseWithinMs = 15_000;

/** Chooses again if the conversation ends before the operator's call arrives, or Temporal is away. */
export async function operatorFault(stand: Stand, fault: PlannedFault): Promise<Partial<FaultRecord>> {
  const latest = Date.now() + chooseWithinMs;
  for (;;) {
    const conversationId = await someoneAtWork(stand, fault);
    try {
      await operate(stand, fault, conversationId);
      return { conversationId };
    } catch (error) {
      if (Date.now() > latest) throw error;
      await delay(50);
    }
  }
}

async function operate(stand: Stand, fault: PlannedFault, conversationId: string): Promise<void> {
  const workflowId = conversationWorkflowId(conversationId);
  const { client, namespace } = stand;
  if (fault.kind === 'workflowReset') {
    await resetWorkflow(client, namespace, workflowId, fault.which % 2 === 0 ? 'first' : 'last');
  } else if (fault.kind === 'workflowTerminate') {
    await client.workflow.getHandle(workflowId).terminate('an operator');
  } else {
    await client.workflowService.resetActivity({
      ...{ namespace, execution: { workflowId }, matchAll: true, resetHeartbeat: true },
    });
  }
}

/** Finds a conversation whose run or callback is in progress, because there a fault does most damage. */
async function someoneAtWork({ db }: Stand, { which }: PlannedFault): Promise<string> {
  for (let left = tries; left > 0; left--) {
    const { rows } = await db.pool
      .query<{
        id: string;
      }>(
        "select conversation_id as id from runs where state = 'running' union select conversation_id from deliveries where status in ('pending', 'attempting')",
      )
      .catch(() => ({ rows: [] }));
    const found = rows[which % Math.max(1, rows.length)];
    if (found !== undefined) return found.id;
    await delay(50);
  }
  throw new Error('nobody was at work');
}
