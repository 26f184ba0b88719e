/**
 * The failures of a call to the workspace. The class shows whether the workspace may have written: it may have after
 * WorkspaceOutcomeUnknown and WorkspaceAnswerUnreadable, and has not after any other failure.
 */
import { z } from 'zod';

/**
 * The workspace refused the request; nothing was written. `code` is the `code` or `error` of its response, or
 * `invalid_path` if the client did not send the request, because its path is invalid.
 */
export class WorkspaceRefused extends Error {
  override readonly name = 'WorkspaceRefused';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;

  constructor(answer: { status: number; code: string; message: string; requestId?: string | undefined }) {
    super(answer.message);
    this.status = answer.status;
    this.code = answer.code;
    this.requestId = answer.requestId;
  }
}

/**
 * Does the work. Returns its result, or undefined if the workspace refuses the request.
 * @param statuses HTTP statuses of the refusals for which undefined is returned; default: all
 * @throws every other failure of the work, including refusals with other statuses
 */
export async function unlessRefused<T>(
  work: () => Promise<T>,
  statuses?: readonly number[],
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isRefused(error, statuses)) return undefined;
    throw error;
  }
}

export const isRefused = (error: unknown, statuses?: readonly number[]): error is WorkspaceRefused =>
  error instanceof WorkspaceRefused && (statuses?.includes(error.status) ?? true);

/**
 * The statuses with which the workspace refuses an id that it does not know, or that belongs to another kind of
 * object.
 */
export const unknownId = [400, 404];

/** A 401 although the token works for other requests. The cause is the requested object, not the connection. */
export class WorkspaceRefusedHere extends WorkspaceRefused {}

/**
 * A response with status 429 or 529, or with the code `rate_limited`. Nothing was written. The caller must wait
 * `retryAfterMs` milliseconds before the next call.
 */
export class WorkspaceRateLimited extends Error {
  override readonly name = 'WorkspaceRateLimited';
  readonly status: number;
  readonly retryAfterMs: number;
  readonly reason: string | undefined;

  constructor(answer: {
    status: number;
    retryAfterMs: number;
    reason?: string | undefined;
    message: string;
  }) {
    super(answer.message);
    this.status = answer.status;
    this.retryAfterMs = answer.retryAfterMs;
    this.reason = answer.reason;
  }
}

/**
 * A 4xx response that does not have the form of the workspace's API, so it came from a proxy, a firewall or a wrong
 * address. Nothing was written. The status is not a statement about the token, its capabilities or the object.
 */
export class WorkspaceBlocked extends Error {
  override readonly name = 'WorkspaceBlocked';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * The request was not sent, because the workspace had asked for a pause, too many calls were waiting, or the call had
 * waited too long. Nothing was written.
 */
export class WorkspaceHeldBack extends Error {
  override readonly name = 'WorkspaceHeldBack';
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super('The workspace has asked for a pause, or too many requests wait for it.');
    this.retryAfterMs = retryAfterMs;
  }
}

/** The request never reached the workspace (refused connection, unknown host), so nothing was written. */
export class WorkspaceNotReached extends Error {
  override readonly name = 'WorkspaceNotReached';
}

/**
 * A timeout, a lost connection, a redirect, a 5xx other than 529, or a response that is too large, is not JSON or, from
 * OAuth, contains no tokens. The workspace may or may not have written.
 */
export class WorkspaceOutcomeUnknown extends Error {
  override readonly name = 'WorkspaceOutcomeUnknown';
  readonly status: number | undefined;
  /** True after a timeout or a 504: the workspace may still carry out the request. */
  readonly mayStillLand: boolean;

  constructor(message: string, options: { status?: number; cause?: unknown; mayStillLand?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.status = options.status;
    this.mayStillLand = options.mayStillLand ?? false;
  }
}

/** A successful response does not have the documented form. A retry would not help. The workspace may have written. */
export class WorkspaceAnswerUnreadable extends Error {
  override readonly name = 'WorkspaceAnswerUnreadable';
}

const errorBody = z.looseObject({
  code: z.string().optional(),
  message: z.string().optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
  request_id: z.string().optional(),
  additional_data: z.unknown().optional(),
});
const rateLimitReason = z.looseObject({ rate_limit_reason: z.string() });

function readErrorBody(text: string): z.infer<typeof errorBody> | undefined {
  try {
    return errorBody.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

const maxPauseMs = 24 * 3_600_000;

/**
 * Parses the value of a Retry-After header: seconds or an HTTP date.
 * @returns milliseconds, from 0 to `maxPauseMs`; 1000 if the header is absent or invalid
 */
function retryAfterMs(header: string | undefined, nowMs: number): number {
  if (header === undefined) return 1000;
  const seconds = Number(header);
  if (Number.isFinite(seconds) && seconds >= 0) return Math.min(Math.ceil(seconds * 1000), maxPauseMs);
  const date = Date.parse(header);
  return Number.isNaN(date) ? 1000 : Math.min(Math.max(0, date - nowMs), maxPauseMs);
}

/**
 * Converts a response with a status outside 2xx to the matching failure.
 * @param retryAfter the value of the header Retry-After; undefined if there is none
 */
export function failureOfAnswer(status: number, bodyText: string, retryAfter: string | undefined): Error {
  const body = readErrorBody(bodyText);
  const message =
    body?.message ?? body?.error_description ?? body?.error ?? `The workspace answered ${status}.`;
  if (status === 429 || status === 529 || body?.code === 'rate_limited') {
    const reason = rateLimitReason.safeParse(body?.additional_data).data?.rate_limit_reason;
    return new WorkspaceRateLimited({
      status,
      retryAfterMs: retryAfterMs(retryAfter, Date.now()),
      reason,
      message,
    });
  }
  if (status >= 500 || status < 400)
    return new WorkspaceOutcomeUnknown(message, { status, mayStillLand: status === 504 });
  const code = body?.code ?? body?.error;
  if (code === undefined)
    return new WorkspaceBlocked(status, blockedMessage(status, body?.message, bodyText));
  return new WorkspaceRefused({
    status,
    code,
    message,
    requestId: body?.request_id,
  });
}

/**
 * Maximum characters quoted from a response. Chosen: enough for a proxy's page title ("Attention Required! |
 * Cloudflare").
 */
const maxQuotedCharacters = 100;

function blockedMessage(status: number, jsonMessage: string | undefined, bodyText: string): string {
  const quoted = (jsonMessage ?? pageTitle(bodyText) ?? '').replace(/\s+/g, ' ').trim();
  const quote = quoted === '' ? '' : ` ("${quoted.slice(0, maxQuotedCharacters)}")`;
  return `HTTP ${status} came from a proxy, a firewall or another server in front of the workspace, not from the workspace itself${quote}.`;
}

function pageTitle(html: string): string | undefined {
  const start = /<title[^<>]{0,200}>/i.exec(html);
  if (start === null) return undefined;
  const from = start.index + start[0].length;
  const [title] = html.slice(from, from + maxQuotedCharacters).split('<', 1);
  return title;
}
