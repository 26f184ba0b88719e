import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './api.ts';
import { chatEvents, type StreamEvent } from './chat-stream.ts';
import { ParleyError } from './parley-error.ts';
import { retryingFetch, type Fetch } from './retrying-fetch.ts';

export type Acknowledgement = components['schemas']['Acknowledgement'];
export type ChatAnswer = components['schemas']['ChatAnswer'];
export type Message = components['schemas']['Message'];
/** A message for an agent. It has no field `sync`, because `send`, `ask` and `stream` set that field. */
export type ChatMessage = Omit<components['schemas']['ChatRequest'], 'sync'>;
/** Client of the API, with a function for each HTTP method. Paths, parameters and responses are typed. */
export type ParleyApi = Client<paths, 'application/json'>;

export interface ParleyOptions {
  /** URL of the API with its version: `https://parley.example.com/v1`. */
  baseUrl: string;
  /** An API token: `pk_…`. */
  token: string;
  /**
   * Maximum attempts of a request (see `retryingFetch`). Also the maximum number of times in a row that a stream
   * reconnects without receiving an event. Default 4.
   */
  tries?: number;
  /** Milliseconds without data after which a stream reconnects. Default 60,000; the server sends data every 15 s. */
  silenceMs?: number;
  /** Sends each attempt of a request. Default: the global `fetch`. */
  fetch?: Fetch;
}

export interface CallOptions {
  /** Aborts the call. If the message was already accepted, it is still answered. */
  signal?: AbortSignal;
  /** Idempotency key: a second call with the same key does not create a second message. Default: random. */
  idempotencyKey?: string;
}

type HeadersOf<P> = P extends { post: { parameters: { header?: infer H } } } ? NonNullable<H> : never;
type PathsWithKey = {
  [P in keyof paths]: [HeadersOf<paths[P]>] extends [never]
    ? never
    : 'Idempotency-Key' extends keyof HeadersOf<paths[P]>
      ? P
      : never;
}[keyof paths];

/**
 * Paths of the POST operations that are safe to repeat, because they take an Idempotency-Key. If a path is missing
 * here, this file does not compile.
 */
const takesKey: Readonly<Record<PathsWithKey, true>> = {
  '/chat/{id}': true,
  '/openai/chat/completions': true,
  '/openai/responses': true,
  '/tools/docs/actions/{action}': true,
  '/tools/http/{id}/run': true,
  '/tools/mcp/{id}/run': true,
};

/**
 * A client of the API. Repeats requests that are safe to repeat (see `retryingFetch`). All attempts to send a message
 * have the same Idempotency-Key.
 */
export class Parley {
  /**
   * Client for every operation of the API, for example
   * `await answer(parley.api.GET('/agents/{id}', { params: { path: { id } } }))`.
   */
  readonly api: ParleyApi;
  readonly #patience: { cuts: number; silenceMs: number };

  constructor(options: ParleyOptions) {
    const { baseUrl, token, tries = 4, silenceMs = 60_000 } = options;
    const { fetch = (request: Request) => globalThis.fetch(request) } = options;
    this.#patience = { cuts: tries, silenceMs };
    this.api = createClient<paths, 'application/json'>({
      baseUrl,
      headers: { Authorization: `Bearer ${token}` },
      fetch: retryingFetch(fetch, tries),
    });
    this.api.use({
      onRequest: ({ request, schemaPath }) => {
        if (request.method !== 'POST' || !Object.hasOwn(takesKey, schemaPath)) return;
        if (!request.headers.has('Idempotency-Key'))
          request.headers.set('Idempotency-Key', crypto.randomUUID());
      },
    });
  }

  /**
   * Sends a message, and resolves once the message is recorded. The answer is added to the conversation's history; if
   * the message has a `webhook_url`, it is also posted there.
   * @param target the identifier of an agent or of an API inbox
   * @throws ParleyError if the API refuses the message or cannot be reached; the signal's reason if it is aborted
   */
  async send(target: string, message: ChatMessage, options: CallOptions = {}): Promise<Acknowledgement> {
    const said = await this.#chat(target, { ...message, sync: false }, options);
    if ('status' in said) return said;
    throw new ParleyError('The server gave an answer instead of an acknowledgement.', 200, {});
  }

  /**
   * Sends a message and waits for its answer, up to the server's limit (120 s by default).
   * @throws ParleyError if the API refuses the message or cannot be reached, or the run fails or is cancelled. If the
   * answer takes longer than the limit, the error's code is `sync_timeout`, and the answer is later added to the
   * history of the conversation `conversationId`. The signal's reason if the signal is aborted.
   */
  async ask(target: string, message: ChatMessage, options: CallOptions = {}): Promise<ChatAnswer> {
    const said = await this.#chat(target, { ...message, sync: true }, options);
    if ('response' in said) return said;
    throw new ParleyError('The server gave an acknowledgement instead of an answer.', 202, {});
  }

  /**
   * Sends a message and streams its answer. If the connection breaks, reconnects without losing or repeating an event.
   * The last event is `completed`, with the whole answer, or `failed`.
   * @throws ParleyError if the API refuses the message or can no longer be reached; the signal's reason if it is
   * aborted
   */
  stream(
    target: string,
    message: ChatMessage,
    options: CallOptions = {},
  ): AsyncGenerator<StreamEvent, undefined> {
    const { signal, idempotencyKey = crypto.randomUUID() } = options;
    const shared = { parseAs: 'stream', ...(signal && { signal }) } as const;
    const headers = { Accept: 'text/event-stream' };
    const start = () =>
      answer(
        this.api.POST('/chat/{id}', {
          ...shared,
          params: { path: { id: target }, header: { 'Idempotency-Key': idempotencyKey } },
          body: { ...message, sync: true },
          headers,
        }),
      );
    const resume = (id: string, lastEventId: string) =>
      answer(
        this.api.GET('/messages/{id}/stream', {
          ...shared,
          params: { path: { id }, header: { 'Last-Event-ID': lastEventId } },
          headers,
        }),
      );
    return chatEvents(start, resume, this.#patience, signal);
  }

  /**
   * Yields all messages of a conversation, oldest first, and reads each page when it is needed.
   * @throws ParleyError if the API refuses a page or cannot be reached; the signal's reason if it is aborted
   */
  async *messages(conversationId: string, { signal }: CallOptions = {}): AsyncGenerator<Message, undefined> {
    let cursor: string | undefined;
    do {
      const page = await answer(
        this.api.GET('/conversations/{conversationId}/messages', {
          params: {
            path: { conversationId },
            query: { limit: 100, ...(cursor !== undefined && { cursor }) },
          },
          ...(signal && { signal }),
        }),
      );
      yield* page.data;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  async #chat(
    id: string,
    body: components['schemas']['ChatRequest'],
    { signal, idempotencyKey }: CallOptions,
  ): Promise<Acknowledgement | ChatAnswer> {
    const header = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };
    return await answer(
      this.api.POST('/chat/{id}', { params: { path: { id }, header }, body, ...(signal && { signal }) }),
    );
  }
}

interface Said {
  data?: unknown;
  error?: unknown;
  response: Response;
}
/** Type of the body of a 2xx response. */
type AnswerOf<R> = R extends { data: infer T; error?: never } ? T : never;

/**
 * @returns the body of a successful response to a call of `parley.api`
 * @throws ParleyError if the response is not 2xx or the API cannot be reached; the signal's reason if it is aborted
 */
export async function answer<R extends Said>(call: Promise<R>): Promise<AnswerOf<R>>;
export async function answer(call: Promise<Said>): Promise<unknown> {
  const { data, error, response } = await call;
  if (!response.ok) throw ParleyError.ofAnswer(response, error);
  return data;
}
