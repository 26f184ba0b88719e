/** Extracts status, codes and text from an error of the AI SDK. Reads the different forms of providers' errors. */
import {
  APICallError,
  InvalidResponseDataError,
  JSONParseError,
  StreamProviderError,
  TypeValidationError,
} from 'ai';
import { z } from 'zod';

export interface ProviderError {
  /** The HTTP status or, for an error within a stream, the status that the error contains. */
  status: number | undefined;
  /** The provider's own names for the failure, such as `context_length_exceeded`. */
  codes: string[];
  /**
   * The provider's text, not redacted: the error's message, the error as JSON, or a response in plain text. If the
   * response contains none of these, the AI SDK's message.
   */
  words: string | undefined;
  headers: Record<string, string>;
}

/** Maximum characters of an error text that are read. The cause of an error is at its beginning. Chosen. */
const maxReadChars = 20_000;

/** Reads a provider's error. @returns undefined if the provider did not respond, or reported no readable error */
export function readProviderError(error: unknown): ProviderError | undefined {
  if (APICallError.isInstance(error)) {
    const { statusCode: status, responseHeaders: headers = {}, responseBody = '', message } = error;
    if (status === undefined) return undefined;
    const said = readBody(responseBody);
    // The response began as a success and then broke off, so its status does not describe the failure.
    if (said === undefined && status < 300) return undefined;
    return { status, codes: said?.codes ?? [], words: said?.words ?? message, headers };
  }
  if (StreamProviderError.isInstance(error)) {
    const { message: words, statusCode, type, code } = error;
    return { status: statusCode, codes: namesIn([type, code]), words, headers: {} };
  }
  // The stream contained a chunk of a form that the SDK does not know. The chunk may be an error.
  if (TypeValidationError.isInstance(error)) return readError(error.value);
  return undefined;
}

/** Error codes of a connection that was never made. */
const unconnected: readonly (string | undefined)[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];
/** Statuses below 500 with which a proxy may answer although the provider has accepted the request. */
const ambiguous: readonly number[] = [408, 409, 499];
/** Statuses with which a provider refuses a request because it has no capacity; 529 is Anthropic's. */
const overloaded: readonly number[] = [503, 529];

/** True if the provider certainly bills nothing: it never received the request, or refused it before answering. */
export function wasRefused(error: unknown): boolean {
  if (!APICallError.isInstance(error)) return false;
  const { statusCode: status } = error;
  if (status === undefined) return unconnected.includes(codeOf(error));
  return overloaded.includes(status) || (status >= 400 && status < 500 && !ambiguous.includes(status));
}

/**
 * Returns a text that helps an operator to find the cause of an error without a readable response: the response's text,
 * the SDK's message about it, or an error code. Returns undefined if the error has none of them.
 */
export function unreadableWords(error: unknown): string | undefined {
  if (TypeValidationError.isInstance(error)) return JSON.stringify(error.value).slice(0, maxReadChars);
  if (JSONParseError.isInstance(error)) return error.text.slice(0, maxReadChars);
  if (InvalidResponseDataError.isInstance(error)) return error.message;
  return codeOf(error);
}

/**
 * Finds a code such as `ECONNREFUSED` in an error or its causes. Their messages are not used, because they may contain
 * addresses.
 */
function codeOf(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1) {
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return undefined;
}

function readBody(body: string): ProviderError | undefined {
  const text = body.trim();
  // Some providers send a stream event in the body of an error response.
  const [, event = text] = /^data: ([^\n]*)/.exec(text) ?? [];
  try {
    return readError(JSON.parse(event));
  } catch {
    const isPage = text === '' || text.startsWith('<');
    return isPage ? undefined : { ...nothing, words: text.slice(0, maxReadChars) };
  }
}

const nothing: ProviderError = { status: undefined, codes: [], words: undefined, headers: {} };

/**
 * Reads `{ error: { message, type, code } }` (most providers), `{ error: "…" }`, `{ object: "error", message }`,
 * `{ message }`, `{ detail }`, and each of these as the first element of an array.
 */
function readError(value: unknown): ProviderError | undefined {
  if (Array.isArray(value)) return readError(value[0]);
  const outer = recordOf(value);
  if (outer === undefined) return undefined;
  const { error, detail } = outer;
  if (typeof error === 'string') return { ...nothing, words: error };
  const inner = recordOf(error) ?? (outer['object'] === 'error' || 'message' in outer ? outer : undefined);
  if (inner !== undefined) {
    const { message, type, code, status } = inner;
    return {
      status: [code, status, outer['code'], outer['status']].map(statusIn).find((one) => one !== undefined),
      codes: namesIn([type, code, status]),
      words: typeof message === 'string' ? message : JSON.stringify(inner).slice(0, maxReadChars),
      headers: {},
    };
  }
  if (detail === undefined) return undefined;
  const words = typeof detail === 'string' ? detail : JSON.stringify(detail).slice(0, maxReadChars);
  return { ...nothing, words };
}

const record = z.record(z.string(), z.unknown());

function recordOf(value: unknown): Record<string, unknown> | undefined {
  return record.safeParse(value).data;
}

function statusIn(value: unknown): number | undefined {
  const number = Number(typeof value === 'string' || typeof value === 'number' ? value : Number.NaN);
  return Number.isInteger(number) && number >= 400 && number <= 599 ? number : undefined;
}

function namesIn(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string').filter((name) => name !== '');
}
