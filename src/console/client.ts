/**
 * Calls the console's API. Does not validate responses, because the server validates each body that is not a stream
 * against the contract's schema.
 */
import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';
import type { StreamEvent } from '../contract/conversations/stream.ts';
import type { ErrorDetail } from '../contract/errors.ts';
import { isObject } from './components/json.ts';
import { texts } from './messages.ts';
import { textForProblem, textForField } from './problem-texts.ts';

/**
 * The error of a failed call. `status` is the HTTP status, or 0 if the server could not be reached. `message` is a text
 * for the user.
 */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly ErrorDetail[];

  constructor(status: number, code: string, sentence: string, details: readonly ErrorDetail[] = []) {
    super(sentence);
    this.name = 'ApiProblem';
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Options {
  body?: unknown;
  query?: Record<string, string | number | undefined>;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

/**
 * Sends a request and parses the response.
 * @returns the parsed body; undefined if it is empty
 * @throws ApiProblem if the server cannot be reached, answers with an error status, or answers with a body that is not
 * JSON; the reason of `signal` if it is aborted; the error of `fetch` if the connection breaks while the body is read
 */
export async function call<T>(method: Method, path: string, options: Options = {}): Promise<T> {
  const response = await send(method, path, options);
  const answer = await bodyOf(response);
  if (answer === notJson) throw problemFrom(response.status, undefined);
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the server parsed it with the same schema
  return answer as T;
}

/**
 * Posts a message and calls `take` with each event of the response, up to and including `completed` or `failed`. If the
 * connection breaks after `accepted`, reconnects and continues after the last received event. An error thrown by `take`
 * counts as a broken connection.
 * @throws ApiProblem if the server rejects the message, cannot be reached when the message is sent, or rejects a
 * reconnect with a 4xx status. If the stream breaks before `accepted`, or after `maxCuts` reconnects in a row without
 * an event, throws the error of the last attempt, or ApiProblem with status 0 if that attempt's stream ended without an
 * error.
 */
export async function listen(path: string, body: unknown, take: (event: StreamEvent) => void): Promise<void> {
  const accept = { Accept: 'text/event-stream' };
  let response = await send('POST', path, { body, headers: accept });
  let resumeAt = '';
  let last = '';
  let cuts = 0;
  for (;;) {
    try {
      if (cuts > 0) response = await send('GET', resumeAt, { headers: { ...accept, 'Last-Event-ID': last } });
      for await (const { id, event, data } of eventsOf(response)) {
        // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- typed by the contract
        const received = { event, data: JSON.parse(data) as unknown } as StreamEvent;
        if (received.event === 'accepted') resumeAt = `/messages/${received.data.message_id}/stream`;
        last = id ?? last;
        cuts = 0;
        take(received);
        if (received.event === 'completed' || received.event === 'failed') return;
      }
    } catch (error) {
      if (resumeAt === '' || cuts >= maxCuts || isRefusal(error)) throw error;
    }
    cuts += 1;
    if (resumeAt === '' || cuts > maxCuts) throw unreachable();
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Maximum number of reconnects in a row without an event. Chosen. */
const maxCuts = 20;

/** True if the server answered with a 4xx status. `listen` does not repeat such a request. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiProblem && error.status >= 400 && error.status < 500;
}

/**
 * Yields the events of the response until it ends. Uses a reader, because some browsers cannot iterate over a stream.
 * @throws the stream's error if the connection breaks
 */
async function* eventsOf({ body }: Response): AsyncGenerator<EventSourceMessage> {
  const parser = new EventSourceParserStream();
  const reader = body?.pipeThrough(new TextDecoderStream()).pipeThrough(parser).getReader();
  if (reader === undefined) return;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * Sends a request to the console's API.
 * @throws ApiProblem if the server cannot be reached or answers with an error status; the signal's reason if the signal
 * is aborted
 */
async function send(method: Method, path: string, options: Options): Promise<Response> {
  const { body, query, signal, headers } = options;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  const url = `/console/api${path}${search.size > 0 ? `?${search.toString()}` : ''}`;
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    throw unreachable();
  }
  if (!response.ok) throw problemFrom(response.status, await bodyOf(response));
  return response;
}

function unreachable(): ApiProblem {
  return new ApiProblem(0, 'unreachable', texts.problems.unreachable);
}

/** The result of `bodyOf` for a body that is not JSON, for example the error page of a proxy. */
const notJson = Symbol('not JSON');

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return notJson;
  }
}

function problemFrom(status: number, answer: unknown): ApiProblem {
  const body = isObject(answer) ? answer : {};
  const { error, details } = body;
  const code = typeof body['code'] === 'string' ? body['code'] : 'unknown';
  return new ApiProblem(
    status,
    code,
    typeof error === 'string' ? textForProblem(code, error) : texts.problems.unknown(status),
    Array.isArray(details)
      ? details.filter(isDetail).map(({ path, message }) => ({ path, message: textForField(message) }))
      : [],
  );
}

function isDetail(value: unknown): value is ErrorDetail {
  return isObject(value) && typeof value['path'] === 'string' && typeof value['message'] === 'string';
}
