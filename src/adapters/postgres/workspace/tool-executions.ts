/** Stores executions of tool actions, and the steps of each. An execution is attempted until it has a result. */
import { v7 as newId } from 'uuid';
import { z } from 'zod';
import { actor, actorOf, type Actor } from '../accounts/audit-log.ts';
import { firstRow, queryRow, queryRows, statement, type Database } from '../database.ts';

const toolExecution = z.object({
  id: z.string(),
  organization_id: z.string(),
  conversation_id: z.string().nullable(),
  action: z.string(),
  connection_id: z.string().nullable(),
  /** The action's input as JSON text. */
  input: z.string(),
  status: z.enum(['pending', 'succeeded', 'failed', 'unknown']),
  /** Number of attempts that failed with a retryable error. */
  failures: z.number(),
  data: z.string().nullable(),
  error: z.string().nullable(),
  request_hash: z.string().nullable(),
  /** Id of the called HTTP tool; null for any other tool. */
  http_tool_id: z.string().nullable(),
  /** Id of the called tool of an MCP server; null for any other tool. */
  mcp_tool_id: z.string().nullable(),
  /**
   * The setting `effect` of the HTTP or MCP tool at the time of the call: `read`, `write` or `destructive`. Null for an
   * action of a document workspace.
   */
  effect: z.string().nullable(),
  /**
   * Identifies the request: `call/RUN/STEP/POSITION` for an agent's tool call, `key/TOKEN/ACTION/KEY` for a request
   * with an idempotency key, `direct/ID` for any other request. For an HTTP or MCP tool, ACTION is the tool's id.
   */
  origin: z.string(),
});
export type ToolExecution = z.infer<typeof toolExecution>;

export interface NewToolExecution {
  organizationId: string;
  conversationId?: string | undefined;
  /** Returns the origin, given the id that a new execution gets. Calls with the same origin share one execution. */
  origin: (id: string) => string;
  requestHash?: string | undefined;
  action: string;
  connectionId?: string | undefined;
  /** The called HTTP or MCP tool; both fields are absent for an action of a document workspace. */
  httpTool?: { id: string; effect: string } | undefined;
  mcpTool?: { id: string; effect: string } | undefined;
  /** The actor of the audit event that is written when the execution ends. */
  requestedBy: Actor;
  input: unknown;
}

const columns =
  'id, organization_id, conversation_id, action, connection_id, input, status, failures, data, error, request_hash, http_tool_id, mcp_tool_id, effect, origin';

const open = statement('open-tool-execution', toolExecution)`
  insert into tool_executions (id, organization_id, conversation_id, origin, request_hash, action, connection_id, input, requested_by, http_tool_id, mcp_tool_id, effect)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
    on conflict (origin) do update set origin = excluded.origin returning ${columns}`;

/** Stores an execution, unless there is one with its origin. @returns the new or existing execution */
export async function openToolExecution(db: Database, execution: NewToolExecution): Promise<ToolExecution> {
  const id = newId();
  const { organizationId, conversationId, origin, requestHash, action, connectionId, input, requestedBy } =
    execution;
  const values = [
    id,
    organizationId,
    conversationId ?? null,
    origin(id),
    requestHash ?? null,
    action,
    connectionId ?? null,
    JSON.stringify(input ?? {}).replaceAll('\0', ''),
    JSON.stringify(actorOf(requestedBy)),
    execution.httpTool?.id ?? null,
    execution.mcpTool?.id ?? null,
    (execution.httpTool ?? execution.mcpTool)?.effect ?? null,
  ];
  return firstRow(await queryRows(db, open, values));
}

/** Finds an execution. @returns undefined if it does not exist, or was erased or cleaned up */
export const findToolExecution = statement('find-tool-execution', toolExecution).row<[id: string]>`
  select ${columns} from tool_executions where id = $1`;

export interface ExecutionResult {
  successful: boolean;
  /** True if a request that may change data was sent, or may have been, and its outcome was lost. */
  isUnknown?: boolean;
  data: string;
  error?: string | undefined;
}

const endedExecution = toolExecution
  .pick({
    id: true,
    organization_id: true,
    conversation_id: true,
    action: true,
    connection_id: true,
    effect: true,
  })
  .extend({
    requested_by: actor,
    status: z.enum(['succeeded', 'failed', 'unknown']),
  });
export type EndedExecution = z.infer<typeof endedExecution>;

const end = (by: 'id' | 'origin') => statement(`end-tool-execution-by-${by}`, endedExecution)`
  update tool_executions set status = $2, data = $3, error = $4, finished_at = clock_timestamp()
    where ${by} = $1 and status = 'pending'
    returning id, organization_id, conversation_id, action, connection_id, requested_by, status, effect`;
const endings = { id: end('id'), origin: end('origin') };

/**
 * Records the result of an execution that has none. Does not delete its steps, because an abandoned attempt may still
 * run and must find them; a cleanup deletes them later.
 * @returns the ended execution; undefined if it already had a result, or does not exist
 */
export async function endToolExecution(
  db: Database,
  which: { id: string } | { origin: string },
  result: ExecutionResult,
): Promise<EndedExecution | undefined> {
  const status = result.successful ? 'succeeded' : result.isUnknown === true ? 'unknown' : 'failed';
  const text = (value: string | undefined) => value?.replaceAll('\0', '') ?? null;
  const [ending, key] = 'id' in which ? [endings.id, which.id] : [endings.origin, which.origin];
  return await queryRow(db, ending, [key, status, text(result.data), text(result.error)]);
}

/** Counts an attempt that failed with a retryable error. Not idempotent: a repeated call counts the attempt again. */
export const countToolFailure = statement('count-tool-failure').write<[id: string]>`
  update tool_executions set failures = failures + 1 where id = $1`;

const addWait = statement('add-tool-wait', z.object({ waited: z.number() }))`
  update tool_executions set waited_ms = waited_ms + $2 where id = $1 returning waited_ms as waited`;
/**
 * Adds to the time that an execution has waited before retries. Not idempotent: a repeated call adds the time again.
 * @returns the total in milliseconds; 0 if the execution does not exist
 */
export async function addToolWait(db: Database, id: string, ms: number): Promise<number> {
  return (await queryRow(db, addWait, [id, ms]))?.waited ?? 0;
}

/** Deletes an execution, for a caller that could not start its workflow. Does nothing if the execution has a result. */
export async function withdrawToolExecution(db: Database, id: string): Promise<void> {
  await db.knex('tool_executions').where({ id, status: 'pending' }).delete();
}

const getStep = statement('get-tool-step', z.object({ value: z.string().nullable() }))`
  select value from tool_steps where execution_id = $1 and name = $2`;
const putStep = statement('put-tool-step')`
  insert into tool_steps (execution_id, name, value)
    select $1, $2, $3 where exists (select from tool_executions where id = $1)
    on conflict (execution_id, name) do update set value = excluded.value`;
const claimStep = statement('claim-tool-step')`
  insert into tool_steps (execution_id, name, claimed_at) values ($1, $2, clock_timestamp())
    on conflict (execution_id, name) do nothing returning name`;
const claimAge = statement('tool-step-claim-age', z.object({ age: z.number().nullable() }))`
  select extract(epoch from clock_timestamp() - claimed_at)::double precision * 1000 as age
    from tool_steps where execution_id = $1 and name = $2`;

const json = z.string().transform((text): unknown => JSON.parse(text));

/**
 * Gives access to the stored steps of one execution, which all its attempts on any worker share. `get` returns
 * undefined for a step without a value. `put` does nothing if the execution was deleted. `claim` succeeds once per
 * step. `claimedMsAgo` returns Infinity for a step that was not claimed.
 */
export function toolStepLog(db: Database, executionId: string) {
  return {
    async get(name: string): Promise<unknown> {
      const row = await queryRow(db, getStep, [executionId, name]);
      return row?.value == null ? undefined : json.parse(row.value);
    },
    async put(name: string, value: unknown): Promise<void> {
      await queryRows(db, putStep, [executionId, name, JSON.stringify(value).replaceAll('\0', '')]);
    },
    async claim(name: string): Promise<'claimed' | 'already_claimed'> {
      const row = await queryRow(db, claimStep, [executionId, name]);
      return row === undefined ? 'already_claimed' : 'claimed';
    },
    async claimedMsAgo(name: string): Promise<number> {
      const row = await queryRow(db, claimAge, [executionId, name]);
      return row?.age ?? Number.POSITIVE_INFINITY;
    },
  };
}
