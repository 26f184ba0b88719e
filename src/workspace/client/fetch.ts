/** The `fetch` of the workspace client, with a timeout for the whole response, a maximum size, and no redirects. */
import { WorkspaceNotReached, WorkspaceOutcomeUnknown } from './failures.ts';

/** Codes of errors in making the connection. The request was not sent, so the workspace has changed nothing. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

type LimitedFetchOptions = {
  timeoutMs: number;
  maxAnswerBytes: number;
  signal?: AbortSignal | undefined;
};

function causeCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const cause = error.cause;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return undefined;
}

/** @throws WorkspaceOutcomeUnknown if the answer has more than `maxBytes` */
async function readCapped(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return '';
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body) {
    if (!(part instanceof Uint8Array)) continue;
    size += part.byteLength;
    if (size > maxBytes)
      throw new WorkspaceOutcomeUnknown(`The workspace's answer is larger than ${maxBytes} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/**
 * Creates a `fetch` that reads the whole response. It throws WorkspaceNotReached, WorkspaceOutcomeUnknown, or the
 * reason of an aborted `signal`.
 */
export function createLimitedFetch(options: LimitedFetchOptions) {
  return async (
    url: string,
    init: { method?: string; headers?: Record<string, string>; body?: string | FormData } = {},
  ) => {
    options.signal?.throwIfAborted();
    const timeout = AbortSignal.timeout(options.timeoutMs);
    const signal = options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal]);
    try {
      const response = await fetch(url, { ...init, redirect: 'manual', signal });
      const text = await readCapped(response, options.maxAnswerBytes);
      return {
        ok: response.ok,
        status: response.status,
        headers: response.headers,
        text: () => Promise.resolve(text),
      };
    } catch (error) {
      if (error instanceof WorkspaceOutcomeUnknown) throw error;
      if (options.signal?.aborted === true) throw error;
      if (timeout.aborted) {
        throw new WorkspaceOutcomeUnknown(
          `The workspace did not answer within ${options.timeoutMs / 1000} s.`,
          { cause: error, mayStillLand: true },
        );
      }
      const code = causeCode(error);
      if (code !== undefined && neverSent.has(code)) {
        throw new WorkspaceNotReached(`The workspace cannot be reached (${code}).`, { cause: error });
      }
      throw new WorkspaceOutcomeUnknown('The connection to the workspace broke before its answer was read.', {
        cause: error,
      });
    }
  };
}
