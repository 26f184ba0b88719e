import { queryRows, type Database, type Statement } from './database.ts';

export interface ToolCall {
  name: string;
  input: unknown;
  organization_id: string;
  conversation_id: string;
  /** Whether the agent that has the run is given this tool. */
  allowed: boolean;
  call_id: string;
  /** Somebody watches the run. */
  streamed: boolean;
}

const claim: Statement = {
  name: 'claim-tool-call',
  text: `update tool_calls t set status = 'attempting', started_at = coalesce(t.started_at, clock_timestamp())
           from runs r join agents a on a.id = r.agent_id
           where t.run_id = $1 and t.step = $2 and t.position = $3 and t.status in ('pending', 'attempting') and r.id = t.run_id and r.state = 'running'
           returning t.name, t.input, r.organization_id, r.conversation_id, t.name = any(a.tools) as allowed,
             t.call_id, exists (select from run_streams w where w.run_id = r.id) as streamed`,
};

/** @returns undefined when the call has its result already, or its run is gone */
export async function claimToolCall(
  db: Database,
  runId: string,
  step: number,
  position: number,
): Promise<ToolCall | undefined> {
  const [row] = await queryRows<ToolCall>(db, claim, [runId, step, position]);
  return row;
}

const finish: Statement = {
  name: 'finish-tool-call',
  text: `update tool_calls set status = $4, result = $5, finished_at = clock_timestamp()
           where run_id = $1 and step = $2 and position = $3 and status = 'attempting'`,
};

export async function finishToolCall(
  db: Database,
  runId: string,
  step: number,
  position: number,
  status: 'succeeded' | 'failed' | 'unknown',
  result: string,
): Promise<void> {
  await queryRows(db, finish, [runId, step, position, status, result.replaceAll('\0', '')]);
}
