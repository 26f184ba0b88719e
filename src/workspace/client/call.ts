/**
 * Calls the workspace's HTTP API through the official client. Limits the rate of calls, and the time and the size of
 * each response. Parses the response. Retries once after a 401 with a renewed token, and never otherwise.
 */
import { Client, isHTTPResponseError, LogLevel } from '@notionhq/client';
import { z } from 'zod';
import {
  failureOfAnswer,
  WorkspaceAnswerUnreadable,
  WorkspaceHeldBack,
  WorkspaceOutcomeUnknown,
  WorkspaceRateLimited,
  WorkspaceRefused,
  WorkspaceRefusedHere,
} from './failures.ts';
import { trimEndOf } from '../text.ts';
import { createLimitedFetch } from './fetch.ts';

/**
 * The version of the API. With it, responses have both `archived` and `in_trash`, and appends accept `after`. An update
 * to version 2026-03-11 requires changes in workspace.ts.
 */
const workspaceApiVersion = '2025-09-03';

/**
 * Limits the rate of calls to one workspace across all workers. `acquire` waits until a call may be sent. It throws
 * WorkspaceHeldBack if the wait would be too long or the workspace has asked for a pause, and AbortError if `signal` is
 * aborted during the wait. `blocked` records the Retry-After of a response, so that other callers pause too.
 */
export type WorkspaceLimiter = {
  acquire(signal?: AbortSignal): Promise<void>;
  blocked?(retryAfterMs: number): Promise<void>;
};

/**
 * The outcome of renewing the token: a new token; `good` if the refused token works for other requests; `none` if there
 * is no usable token.
 */
export type Renewal = { token: string } | 'good' | 'none';

export type WorkspaceClientOptions = {
  /** The connection's access token. Must never be logged. */
  token: string;
  /** Called after a 401. Its argument is the refused token. */
  renewToken?: ((refused: string) => Promise<Renewal>) | undefined;
  /** Origin of the API, without /v1. */
  apiUrl: string;
  limiter?: WorkspaceLimiter;
  signal?: AbortSignal;
  timeoutMs?: number;
  maxDelayMs?: number;
  maxAnswerBytes?: number;
};

/**
 * Maximum milliseconds from the start of a call until it sends its last request. Before that, the call may wait for the
 * rate limit (up to 10 s each time) and, after a 401, for the renewal of the token. Without this maximum, the request
 * of an earlier attempt could arrive at any time after its claim (see `settleMs`). Chosen.
 */
export const maxDelayMs = 15_000;

type QueryValue = string | number | boolean | readonly string[] | undefined;

export type WorkspaceRequest = {
  method: 'get' | 'post' | 'patch' | 'delete';
  /**
   * Path segments after `/v1`, not encoded. The function that `createWorkspaceCall` returns encodes them, because the
   * official client does not.
   */
  path: readonly string[];
  query?: Record<string, QueryValue>;
  body?: Record<string, unknown>;
  form?: Record<string, string | { filename: string; data: Blob }>;
};

export type WorkspaceCall = <T>(request: WorkspaceRequest, answer: z.ZodType<T>) => Promise<T>;

/**
 * Encodes values in arrays, because the official client decodes them with decodeURIComponent. Drops undefined values.
 */
function queryOf(query: Record<string, QueryValue>): Record<string, string | number | boolean | string[]> {
  const entries: [string, string | number | boolean | string[]][] = [];
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    entries.push([name, typeof value === 'object' ? value.map((item) => encodeURIComponent(item)) : value]);
  }
  return Object.fromEntries(entries);
}

function headerOf(headers: unknown, name: string): string | undefined {
  return headers instanceof Headers ? (headers.get(name) ?? undefined) : undefined;
}

function failureOf(error: unknown): unknown {
  if (isHTTPResponseError(error)) {
    return failureOfAnswer(error.status, error.body, headerOf(error.headers, 'retry-after'));
  }
  if (error instanceof SyntaxError) {
    return new WorkspaceOutcomeUnknown("The workspace's answer is not JSON.", { cause: error });
  }
  return error;
}

const is401 = (error: unknown): error is WorkspaceRefused =>
  error instanceof WorkspaceRefused && error.status === 401;

/**
 * Creates the function that calls the API of one workspace.
 * @returns a function that makes one call and returns the parsed response. It throws WorkspaceRefused,
 * WorkspaceBlocked, WorkspaceRateLimited, WorkspaceHeldBack, WorkspaceNotReached, WorkspaceOutcomeUnknown,
 * WorkspaceAnswerUnreadable, the errors of `renewToken` or, if the signal is aborted, its reason or an AbortError.
 */
export function createWorkspaceCall(options: WorkspaceClientOptions): WorkspaceCall {
  const timeoutMs = options.timeoutMs ?? 60_000;
  let { token } = options;
  const client = new Client({
    baseUrl: trimEndOf(options.apiUrl, '/'),
    notionVersion: workspaceApiVersion,
    retry: false,
    // createLimitedFetch aborts the request at its timeout. The official client's own timeout only stops waiting for
    // the request, so it must be longer.
    timeoutMs: timeoutMs + 5000,
    logLevel: LogLevel.ERROR,
    logger: () => undefined,
    fetch: createLimitedFetch({
      timeoutMs,
      maxAnswerBytes: options.maxAnswerBytes ?? 20_000_000,
      signal: options.signal,
    }),
  });

  const send = async (request: WorkspaceRequest, path: string, latest: number): Promise<unknown> => {
    await options.limiter?.acquire(options.signal);
    if (performance.now() > latest) throw new WorkspaceHeldBack(100);
    try {
      return await client.request<Record<string, unknown>>({
        method: request.method,
        path,
        auth: token,
        ...(request.query === undefined ? {} : { query: queryOf(request.query) }),
        ...(request.body === undefined ? {} : { body: request.body }),
        ...(request.form === undefined ? {} : { formDataParams: request.form }),
      });
    } catch (error) {
      const failure = failureOf(error);
      if (failure instanceof WorkspaceRateLimited) await options.limiter?.blocked?.(failure.retryAfterMs);
      throw failure;
    }
  };
  /** Sends a request. After a 401, sends it once more with a renewed token: a 401 means that nothing was written. */
  const sendRenewed = async (request: WorkspaceRequest, path: string): Promise<unknown> => {
    const used = token;
    const latest = performance.now() + (options.maxDelayMs ?? maxDelayMs);
    try {
      return await send(request, path, latest);
    } catch (error) {
      if (!is401(error)) throw error;
      const renewal = (await options.renewToken?.(used)) ?? 'none';
      if (renewal === 'none') throw error;
      if (renewal === 'good') throw new WorkspaceRefusedHere(error);
      token = renewal.token;
      return await send(request, path, latest).catch((again: unknown) => {
        throw is401(again) ? new WorkspaceRefusedHere(again) : again;
      });
    }
  };

  return async (request, answer) => {
    const segments = request.path.map((segment) => encodeURIComponent(segment));
    if (segments.some((segment) => segment === '' || segment.includes('..'))) {
      throw new WorkspaceRefused({
        status: 400,
        code: 'invalid_path',
        message: `No such path: ${request.path.join('/')}`,
      });
    }
    const body = await sendRenewed(request, segments.join('/'));
    const parsed = answer.safeParse(body);
    if (parsed.success) return parsed.data;
    throw new WorkspaceAnswerUnreadable(
      `The workspace answered ${request.method.toUpperCase()} /v1/${request.path.join('/')} in an unknown shape: ${z.prettifyError(parsed.error)}`,
    );
  };
}
