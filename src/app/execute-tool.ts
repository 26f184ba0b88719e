/** Makes one attempt at a recorded execution of a document action, an HTTP tool or an MCP server's tool. */
import { findToolExecution, type ToolExecution } from '../adapters/postgres/workspace/tool-executions.ts';
import type { HttpToolResult } from '../contract/http-tools/http-tools.ts';
import { transient } from '../worker/failures.ts';
import type { ActivityDeps } from './deps.ts';
import type { HttpToolDeps } from './http-tools/deps.ts';
import { attemptHttpTool } from './http-tools/execute-http-tool.ts';
import { attemptMcpTool } from './mcp-servers/execute-mcp-tool.ts';
import { failed, resultOf } from './tool-attempt.ts';
import { endAction } from './workspace/end-action.ts';
import { executeAction } from './workspace/execute-action.ts';

const busyMs = 1000;

/**
 * Makes one attempt at an execution and stores its result. Does nothing if the execution has a result or was erased.
 * @throws ApplicationFailure, retryable, if the execution must be tried again later
 */
export async function executeTool(
  { docs, httpTools }: Pick<ActivityDeps, 'docs' | 'httpTools'>,
  executionId: string,
  signal: AbortSignal,
): Promise<void> {
  const execution = await findToolExecution(docs.db, executionId);
  if (execution === undefined) return;
  if (isOwn(execution)) await executeOwnTool(httpTools, executionId, signal);
  else await executeAction(docs, executionId, signal);
}

const isOwn = ({ http_tool_id, mcp_tool_id }: ToolExecution): boolean =>
  http_tool_id !== null || mcp_tool_id !== null;

/**
 * Makes one attempt at a call of an organization's own tool, and stores its result before returning it. Idempotent: if
 * the call has a stored result, returns it. Concurrent attempts all return the result that was stored first.
 * @param executionId id of a row in tool_executions
 * @returns the stored result; `failed`, which is not stored, if the execution was erased
 * @throws ApplicationFailure, retryable, if the attempt must be repeated; its message contains no text of the caller
 * or the server. The signal's reason if the signal aborts a read, or a write that was not claimed yet.
 */
export async function executeOwnTool(
  deps: HttpToolDeps,
  executionId: string,
  signal: AbortSignal,
): Promise<HttpToolResult> {
  const execution = await findToolExecution(deps.db, executionId);
  if (execution === undefined) return failed('The call is gone.');
  if (execution.status !== 'pending') return resultOf(execution);
  const attempt = execution.mcp_tool_id === null ? attemptHttpTool : attemptMcpTool;
  const { organization_id: organizationId } = execution;
  const { outcome, text } = await deps.shares.use(organizationId, () =>
    deps.calls.use(organizationId, () => attempt(deps, execution, signal), {
      busy: () => transient('Busy', 'Too many calls of own tools are in progress.', busyMs),
    }),
  );
  const successful = outcome === 'succeeded';
  await endAction(
    deps.db,
    { id: executionId },
    {
      successful,
      isUnknown: outcome === 'unknown',
      ...(successful ? { data: text } : { data: '{}', error: text }),
    },
  );
  // Reads the stored result again, because a concurrent attempt may have stored another result first.
  const ended = await findToolExecution(deps.db, executionId);
  return ended === undefined ? failed('The call is gone.') : resultOf(ended);
}
