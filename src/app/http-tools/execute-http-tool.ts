/**
 * Makes one attempt at a recorded call of an HTTP tool and stores its result before returning it. A read may be
 * repeated. The request of a write is claimed before its first byte leaves, and is never sent again: if its outcome is
 * lost, the result is `unknown`.
 */
import type { Prepared, Sent, Target } from '../../adapters/http/public-http.ts';
import { findHttpTool, type HttpToolRow } from '../../adapters/postgres/http-tools/http-tools.ts';
import {
  countToolFailure,
  findToolExecution,
  toolStepLog,
  type ToolExecution,
} from '../../adapters/postgres/workspace/tool-executions.ts';
import type { HttpToolResult } from '../../contract/http-tools/http-tools.ts';
import { jsonObject } from '../../contract/workspace/actions.ts';
import { argumentNames } from '../../domain/http-tools/tool-schema.ts';
import { fillUrl, readUrlTemplate } from '../../domain/http-tools/url-template.ts';
import { NoSlot } from '../../limits/limiter.ts';
import { transient } from '../../worker/failures.ts';
import { endAction } from '../workspace/end-action.ts';
import { checkArguments } from './check-arguments.ts';
import { maxToolAnswerBytes, type HttpToolDeps } from './deps.ts';
import { lostHeaders, openHeaders } from './headers.ts';
import { readToolAnswer } from './read-tool-answer.ts';

/** Attempts of one call. Only reads and DNS look-ups are retried, and they share this count. Chosen. */
const maxAttempts = 3;
const retryMs = { min: 1000, max: 10_000 };
const busyMs = 1000;
/** Margin in milliseconds after which the request of an earlier attempt must have ended. Chosen. */
const marginMs = 2000;
/** If the process is paused for longer between claim and send, another attempt may have recorded an outcome. Chosen. */
const pausedMs = 1500;
/** The name of the step that is claimed before a write is sent. */
const requestStep = 'request';

const failed = (text: string): HttpToolResult => ({ outcome: 'failed', text });
const unknown = (why: string): HttpToolResult => ({
  outcome: 'unknown',
  text: `UNKNOWN_OUTCOME: the request was sent, but ${why}. It may have been carried out. Parley does not send it again: check whether it took effect before you call this tool again.`,
});

/** @returns the recorded result */
export function resultOf({
  status,
  data,
  error,
}: Pick<ToolExecution, 'status' | 'data' | 'error'>): HttpToolResult {
  return status === 'succeeded'
    ? { outcome: 'succeeded', text: data ?? '' }
    : { outcome: status === 'unknown' ? 'unknown' : 'failed', text: error ?? '' };
}

/**
 * Makes one attempt and stores its result. Idempotent: if there is a result, returns it.
 * @param executionId id of a row in tool_executions
 * @throws ApplicationFailure, retryable, without any text of the caller or the server; the signal's reason if a read is
 * aborted
 */
export async function executeHttpTool(
  deps: HttpToolDeps,
  executionId: string,
  signal: AbortSignal,
): Promise<HttpToolResult> {
  const execution = await findToolExecution(deps.db, executionId);
  if (execution === undefined) return failed('The call is gone.');
  if (execution.status !== 'pending') return resultOf(execution);
  const { outcome, text } = await deps.shares.use(execution.organization_id, async () => {
    const free = await hold(deps, execution.organization_id);
    try {
      return await attempt(deps, execution, signal);
    } finally {
      free();
    }
  });
  const successful = outcome === 'succeeded';
  await endAction(
    deps.db,
    { id: executionId },
    {
      ...{ successful, isUnknown: outcome === 'unknown' },
      ...(successful ? { data: text } : { data: '{}', error: text }),
    },
  );
  // Another attempt may have recorded another outcome meanwhile, which then holds.
  const ended = await findToolExecution(deps.db, executionId);
  return ended === undefined ? failed('The call is gone.') : resultOf(ended);
}

async function hold({ calls }: HttpToolDeps, organizationId: string): Promise<() => void> {
  try {
    return await calls.hold(organizationId);
  } catch (error) {
    if (!(error instanceof NoSlot)) throw error;
    throw transient('Busy', 'Too many calls of HTTP tools are in progress.', busyMs);
  }
}

async function attempt(
  deps: HttpToolDeps,
  execution: ToolExecution,
  signal: AbortSignal,
): Promise<HttpToolResult> {
  const { organization_id, http_tool_id } = execution;
  const tool = http_tool_id === null ? undefined : await findHttpTool(deps.db, organization_id, http_tool_id);
  // The effect at the time of the call: a tool that has become a read since must not repeat a write.
  const isRead = execution.effect === 'read';
  if (!isRead) {
    const claimedMsAgo = await toolStepLog(deps.db, execution.id).claimedMsAgo(requestStep);
    const patienceMs = (tool?.timeout_seconds ?? 60) * 1000 + marginMs;
    if (claimedMsAgo < patienceMs)
      throw transient(
        'Attempting',
        'An earlier attempt may still be in progress.',
        Math.min(2000, patienceMs - claimedMsAgo + 50),
      );
    if (Number.isFinite(claimedMsAgo)) return unknown('the process ended while it waited for the answer');
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
    : await write(deps, execution, { tool, secrets, target: prepared.target, send });
}

interface Sending {
  tool: HttpToolRow;
  secrets: readonly string[];
  send: (timeoutMs: number) => Promise<Sent>;
}

/** Statuses with which a server asks to try again later. */
const passing: readonly number[] = [429, 502, 503, 504];

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
  const mayPass = passing.includes(sent.status) || (!sent.bodyComplete && !sent.truncated);
  if (result.outcome === 'succeeded' || !mayPass) return result;
  return await again(deps, execution, result.text, retryAfterMs(sent.headers['retry-after']));
}

async function write(
  deps: HttpToolDeps,
  execution: ToolExecution,
  { tool, secrets, send }: Sending & { target: Target },
): Promise<HttpToolResult> {
  const claiming = performance.now();
  if ((await toolStepLog(deps.db, execution.id).claim(requestStep)) === 'already_claimed')
    throw transient('ClaimedElsewhere', 'Another attempt has claimed this request.', 500);
  const passedMs = performance.now() - claiming;
  if (passedMs > pausedMs) return failed('The request was not sent: the process was paused before it.');
  // The timeout counts from the claim, because a later attempt counts from there too.
  const sent = await send(tool.timeout_seconds * 1000 - passedMs);
  if (sent.outcome === 'answered') return readToolAnswer(sent, tool, secrets);
  const why = failures[sent.reason];
  return sent.sent ? unknown(why) : failed(`The request was not sent: ${why}.`);
}

/** Throws a failure with a retry delay. After the last attempt, returns the result instead. */
async function again(
  deps: HttpToolDeps,
  execution: ToolExecution,
  text: string,
  delayMs = retryMs.min * 2 ** execution.failures,
): Promise<HttpToolResult> {
  if (execution.failures + 1 >= maxAttempts) return failed(text);
  await countToolFailure(deps.db, execution.id);
  throw transient(
    'ToolFault',
    `The call of an HTTP tool failed (${execution.failures + 1} of ${maxAttempts}); it is tried again.`,
    Math.min(Math.max(delayMs, retryMs.min), retryMs.max),
  );
}

function retryAfterMs(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined;
}

type Request =
  { kind: 'request'; url: string; body: string | undefined } | { kind: 'refused'; message: string };

/** Builds the request: arguments that the URL does not name go into its query, or into a JSON body. */
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

/** Fixed messages, so that a tenant learns nothing about our network from an error. */
const failures: Record<Extract<Sent, { outcome: 'failed' }>['reason'], string> = {
  timeout: 'no answer came in time',
  aborted: 'the call was aborted',
  connection_refused: 'the connection was refused',
  connection_reset: 'the connection was lost',
  unreachable: 'the server could not be reached',
  tls: 'no trusted TLS connection could be made',
  protocol: 'the answer was not HTTP',
  dns: 'the host name could not be looked up',
  no_such_name: 'the host name does not exist',
};
