/** Makes one attempt at a recorded execution, of a document action, of an HTTP tool or of an MCP server's tool. */
import { findToolExecution } from '../adapters/postgres/workspace/tool-executions.ts';
import type { ActivityDeps } from './deps.ts';
import { executeHttpTool } from './http-tools/execute-http-tool.ts';
import { executeMcpTool } from './mcp-servers/execute-mcp-tool.ts';
import { executeAction } from './workspace/execute-action.ts';

/**
 * Makes one attempt and stores its result. Idempotent: does nothing if there is a result.
 * @throws ApplicationFailure, retryable, if the execution must be tried again later
 */
export async function executeTool(
  { docs, httpTools }: Pick<ActivityDeps, 'docs' | 'httpTools'>,
  executionId: string,
  signal: AbortSignal,
): Promise<void> {
  const execution = await findToolExecution(docs.db, executionId);
  if (execution === undefined) return;
  if (execution.mcp_tool_id !== null) await executeMcpTool(httpTools, executionId, signal);
  else if (execution.http_tool_id !== null) await executeHttpTool(httpTools, executionId, signal);
  else await executeAction(docs, executionId, signal);
}
