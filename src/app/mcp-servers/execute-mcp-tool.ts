/**
 * Makes one attempt at a recorded call of an MCP server's tool, in a separate session. A read may be repeated. A write
 * is claimed before its first byte is sent, and is never sent again. If its outcome is lost, the result is `unknown`.
 */
import { McpFault, type McpCallResult } from '../../adapters/mcp/mcp-session.ts';
import {
  findMcpServer,
  findMcpTool,
  type McpServerRow,
} from '../../adapters/postgres/mcp-servers/mcp-servers.ts';
import type { ToolExecution } from '../../adapters/postgres/workspace/tool-executions.ts';
import type { HttpToolResult } from '../../contract/http-tools/http-tools.ts';
import { jsonObject } from '../../contract/workspace/actions.ts';
import { cutTo, withoutSecrets } from '../../domain/http-tools/read-answer.ts';
import { resultText } from '../../domain/mcp-servers/read-result.ts';
import { checkArguments } from '../http-tools/check-arguments.ts';
import type { HttpToolDeps } from '../http-tools/deps.ts';
import { again, claimRequest, earlierAttempt, failed, maybeCarriedOut, unknown } from '../tool-attempt.ts';
import { compareTools, credentialsOf, isTokenRefused, openSession, type McpCredentials } from './connect.ts';
import { isReady } from './definitions.ts';

/**
 * Maximum age in milliseconds of the last comparison of the server's tools with the accepted ones. If the comparison
 * is older, the tools are compared again before the call. Chosen.
 */
const comparedMs = 60_000;
/** Maximum characters of an error text for the model, including the server's message. Chosen. */
const maxErrorChars = 1200;

const notAccepted = failed(
  'The server has changed this tool. An administrator must accept the change before it can be called.',
);

/**
 * Makes one attempt at a call. The caller must store the result.
 * @returns `succeeded` or `failed` with a text for the model; `unknown` if a write may have been sent and its outcome
 * was lost
 * @throws ApplicationFailure, retryable, if the attempt must be repeated; its message contains no text of the caller
 * or the server. The signal's reason or AbortError if the signal aborts a read, or a write that is not claimed yet.
 * Error if a stored secret of the server cannot be decrypted.
 */
export async function attemptMcpTool(
  deps: HttpToolDeps,
  execution: ToolExecution,
  signal: AbortSignal,
): Promise<HttpToolResult> {
  const { organization_id, mcp_tool_id } = execution;
  const tool = mcp_tool_id === null ? undefined : await findMcpTool(deps.db, organization_id, mcp_tool_id);
  const server = tool && (await findMcpServer(deps.db, organization_id, tool.server_id));
  // The effect that was recorded with the call decides. A call that was recorded as a write must not be repeated, even
  // if an administrator has since changed the tool to a read.
  const isRead = execution.effect === 'read';
  if (!isRead) {
    const earlier = await earlierAttempt(deps, execution, server?.timeout_seconds ?? 60);
    if (earlier !== undefined) return earlier;
  }
  if (tool === undefined || server === undefined) return failed('This tool no longer exists.');
  if (isRead && tool.effect !== 'read')
    return failed('This tool was changed during the call. Call it again.');
  if (!isReady(tool)) return notAccepted;
  const checked = checkArguments(jsonObject.parse(JSON.parse(tool.parameters)), JSON.parse(execution.input));
  if (checked.kind === 'refused') return failed(`INVALID_INPUT: ${checked.message}`);
  const isCompared = Date.now() - (server.listed_at?.getTime() ?? 0) <= comparedMs;
  const opened = await openSession(deps, server, {
    signal,
    begin: async (session) => {
      if (!isCompared) await compareTools(deps.db, server, session);
    },
  });
  if (opened.kind === 'missing') return failed(opened.why);
  if (opened.kind === 'failed') {
    signal.throwIfAborted();
    const text = clean(`The call was not sent: ${opened.fault.message}.`, opened);
    return opened.fault.mayPass ? await again(deps, execution, text) : failed(text);
  }
  const { session, credentials } = opened;
  const call = { server, credentials, secrets: credentials.secrets, isRead };
  try {
    if (!isCompared) {
      const now = await findMcpTool(deps.db, organization_id, tool.id);
      if (now?.digest !== tool.digest || !isReady(now)) return notAccepted;
    }
    if (!isRead) {
      const claim = await claimRequest(deps, execution);
      if (claim.kind === 'ended') return claim.result;
    }
    return resultOf(await session.callTool(tool.remote_name, checked.input), call);
  } catch (error) {
    if (!(error instanceof McpFault)) throw error;
    if (isTokenRefused(server, error)) return await refusedCall(deps, execution, call);
    if (!isRead) return writeFault(error, call);
    signal.throwIfAborted();
    const text = clean(`The server could not be read: ${error.message}.`, call);
    return error.mayPass ? await again(deps, execution, text) : failed(text);
  } finally {
    session.close();
  }
}

/**
 * Handles a call whose access token the server refused, although it accepted the token for the session. A refused call
 * was not carried out. Renews the token, so that the next call has another one.
 * @returns a failed result
 * @throws ApplicationFailure, retryable, if the call is a read and another attempt follows; Error if a stored secret
 * cannot be decrypted
 */
async function refusedCall(
  deps: HttpToolDeps,
  execution: ToolExecution,
  call: Call,
): Promise<HttpToolResult> {
  const renewed = await credentialsOf(deps, call.server, { refused: call.credentials }).catch(
    (error: unknown) => {
      if (error instanceof McpFault) return error;
      throw error;
    },
  );
  if (renewed instanceof McpFault) return failed(clean(`The call was refused: ${renewed.message}.`, call));
  if (renewed.kind === 'missing') return failed(renewed.why);
  const text = 'The server refused the call, and the access to it was renewed. Call the tool again.';
  return call.isRead ? await again(deps, execution, text) : failed(text);
}

interface Call {
  server: McpServerRow;
  credentials: McpCredentials;
  secrets: readonly string[];
  isRead: boolean;
}

const clean = (text: string, { secrets }: Pick<Call, 'secrets'>, maxChars = maxErrorChars): string =>
  cutTo(withoutSecrets(text, secrets), maxChars);

function resultOf(result: McpCallResult, call: Call): HttpToolResult {
  const text = resultText(result);
  if (result.isError === true)
    return failed(clean(`The tool failed: ${text ?? 'the server gives no reason'}`, call));
  return {
    outcome: 'succeeded',
    text:
      text === undefined
        ? 'The server answered without content.'
        : clean(text, call, call.server.answer_max_chars),
  };
}

function writeFault(fault: McpFault, call: Call): HttpToolResult {
  if (!fault.sent) return failed(clean(`The call was not sent: ${fault.message}.`, call));
  if (!fault.answered) return unknown(clean(fault.message, call));
  const { status } = fault;
  const isRefused = status !== undefined && status < 500;
  return failed(clean(`The call failed: ${fault.message}.${isRefused ? '' : maybeCarriedOut}`, call));
}
