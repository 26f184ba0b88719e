/**
 * Makes one attempt at a recorded call of an HTTP tool. A read may be repeated. The request of a write is claimed
 * before it is sent, and is never sent again: if its outcome is lost, the result is `unknown`.
 */
import { failures, type Prepared, type Sent } from '../../adapters/http/public-http.ts';
import { findHttpTool, type HttpToolRow } from '../../adapters/postgres/http-tools/http-tools.ts';
import type { ToolExecution } from '../../adapters/postgres/workspace/tool-executions.ts';
import type { HttpToolResult } from '../../contract/http-tools/http-tools.ts';
import { jsonObject } from '../../contract/workspace/actions.ts';
import { argumentNames } from '../../domain/http-tools/tool-schema.ts';
import { fillUrl, readUrlTemplate } from '../../domain/http-tools/url-template.ts';
import { again, claimRequest, earlierAttempt, failed, passingStatuses, unknown } from '../tool-attempt.ts';
import { checkArguments } from './check-arguments.ts';
import { maxToolAnswerBytes, type HttpToolDeps } from './deps.ts';
import { lostHeaders, openHeaders } from './headers.ts';
import { readToolAnswer } from './read-tool-answer.ts';

/**
 * Makes one attempt at a call of an HTTP tool. The caller must store the result.
 * @returns `succeeded` or `failed` with a text for the model; `unknown` if a write may have been sent and its outcome
 * was lost
 * @throws ApplicationFailure, retryable, if the attempt must be repeated; its message contains no text of the caller
 * or the server. The signal's reason if the signal aborts a read.
 */
export async function attemptHttpTool(
  deps: HttpToolDeps,
  execution: ToolExecution,
  signal: AbortSignal,
): Promise<HttpToolResult> {
  const { organization_id, http_tool_id } = execution;
  const tool = http_tool_id === null ? undefined : await findHttpTool(deps.db, organization_id, http_tool_id);
  // Uses the effect that the tool had when it was called. Even if the tool has been changed to a read since then, a
  // write must not be repeated.
  const isRead = execution.effect === 'read';
  if (!isRead) {
    const earlier = await earlierAttempt(deps, execution, tool?.timeout_seconds ?? 60);
    if (earlier !== undefined) return earlier;
  }
  if (tool === undefined) return failed('This tool no longer exists.');
  if (isRead && tool.effect !== 'read')
    return failed('This tool was changed during the call. Call it again.');
  if (lostHeaders(tool))
    return failed('The headers of this tool were lost. An administrator must enter them again.');
  const request = requestOf(tool, JSON.parse(execution.input));
  if (request.kind === 'refused') return failed(`INVALID_INPUT: ${request.message}`);
  const prepared = await deps.http.prepare(request.url, organization_id);
  if (prepared.kind === 'blocked') return failed(blockedText(prepared, request.url));
  if (prepared.kind === 'unresolved') {
    if (prepared.reason === 'not_found')
      return failed('The request was not sent: the host name does not exist.');
    return await again(deps, execution, 'The request was not sent: the host name could not be looked up.');
  }
  const headers = openHeaders(deps.encryption, tool);
  const send = (timeoutMs: number) =>
    deps.http.send(prepared.target, {
      method: tool.method,
      headers: {
        accept: 'application/json, text/plain;q=0.9, */*;q=0.5',
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
        ...Object.fromEntries(headers),
      },
      ...(request.body !== undefined && { body: request.body }),
      timeoutMs,
      maxBytes: maxToolAnswerBytes,
      signal,
    });
  const secrets = [...headers.values()];
  return isRead
    ? await read(deps, execution, { tool, secrets, signal, send })
    : await write(deps, execution, { tool, secrets, send });
}

interface Sending {
  tool: HttpToolRow;
  secrets: readonly string[];
  send: (timeoutMs: number) => Promise<Sent>;
}

async function read(
  deps: HttpToolDeps,
  execution: ToolExecution,
  { tool, secrets, signal, send }: Sending & { signal: AbortSignal },
): Promise<HttpToolResult> {
  const sent = await send(tool.timeout_seconds * 1000);
  if (sent.outcome === 'failed') {
    signal.throwIfAborted();
    return await again(deps, execution, `The server could not be read: ${failures[sent.reason]}.`);
  }
  const result = readToolAnswer(sent, tool, secrets);
  const mayPass = passingStatuses.includes(sent.status) || (!sent.bodyComplete && !sent.truncated);
  if (result.outcome === 'succeeded' || !mayPass) return result;
  return await again(deps, execution, result.text, retryAfterMs(sent.headers['retry-after']));
}

async function write(
  deps: HttpToolDeps,
  execution: ToolExecution,
  { tool, secrets, send }: Sending,
): Promise<HttpToolResult> {
  const claim = await claimRequest(deps, execution);
  if (claim.kind === 'ended') return claim.result;
  // The timeout counts from the claim, because `earlierAttempt` also counts from the claim.
  const sent = await send(tool.timeout_seconds * 1000 - claim.passedMs);
  if (sent.outcome === 'answered') return readToolAnswer(sent, tool, secrets);
  const why = failures[sent.reason];
  return sent.sent ? unknown(why) : failed(`The request was not sent: ${why}.`);
}

function retryAfterMs(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined;
}

type Request =
  { kind: 'request'; url: string; body: string | undefined } | { kind: 'refused'; message: string };

/**
 * Builds the request. Arguments that the URL does not name go into its query or, for POST, PUT and PATCH, into a JSON
 * body.
 */
function requestOf(tool: HttpToolRow, input: unknown): Request {
  const parameters = jsonObject.parse(JSON.parse(tool.parameters));
  const checked = checkArguments(parameters, input);
  if (checked.kind === 'refused') return checked;
  const read = readUrlTemplate(tool.url);
  if (read.kind === 'refused') return read;
  const { template } = read;
  const names = argumentNames(parameters).filter((name) => !template.variables.includes(name));
  const rest = Object.fromEntries(
    names.filter((name) => checked.input[name] !== undefined).map((name) => [name, checked.input[name]]),
  );
  const hasBody = tool.method !== 'GET' && tool.method !== 'DELETE';
  const filled = fillUrl(template, checked.input, hasBody ? {} : rest);
  if (filled.kind === 'refused') return filled;
  return { kind: 'request', url: filled.url, body: hasBody ? JSON.stringify(rest) : undefined };
}

function blockedText({ reason }: Extract<Prepared, { kind: 'blocked' }>, url: string): string {
  const host = URL.canParse(url) ? new URL(url).host : 'this URL';
  if (reason === 'internal_name' || reason === 'private_address')
    return `The request was not sent: ${host} is a private address. If this server may be called, the operator of Parley sets TOOL_ALLOW=${host}.`;
  return `The request was not sent: the URL cannot be called (${reason.replaceAll('_', ' ')}).`;
}
