/** Serves one model as OpenAI-compatible chat completions on loopback, with a key and a short queue. */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Limiter } from '../../limits/limiter.ts';
import { chatRequest, type ChatRequest } from './chat-request.ts';

/** Maximum bytes of a request. Chosen: far more than fits into the context. */
const maxBodyBytes = 1024 * 1024;
/** Maximum requests that wait; further ones get 429. Chosen: with more, the last one would not be answered in time. */
const maxWaiting = 4;
/** Maximum milliseconds of a wait: more than all requests before this one can take. */
const maxWaitMs = 3_600_000;
/** Seconds after which a refused client may try again. Chosen. */
const retryAfterSeconds = 5;
/** Milliseconds after which an answer is cut off. Chosen below the default of MODEL_TIMEOUT_SECONDS. */
const answerMs = 90_000;

export interface Completion {
  text: string;
  calls: { name: string; arguments: string }[];
  promptTokens: number;
  outputTokens: number;
  finish: 'stop' | 'length' | 'tool_calls';
}

/** Thrown if the input leaves too little room for an answer in the context. */
export class InputTooLong extends Error {
  override name = 'InputTooLong';
}

export interface ChatModel {
  name: string;
  /**
   * Answers a request.
   * @param options.cut when aborted, ends the answer early: the partial answer has the finish reason `length`
   * @throws InputTooLong; the signal's reason if the signal is aborted
   */
  complete: (
    request: ChatRequest,
    options: { signal: AbortSignal; cut: AbortSignal; onText: (text: string) => void },
  ) => Promise<Completion>;
}

/** An error for the client, in the form of OpenAI's API. */
class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Record<string, string>;

  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/**
 * Creates the server. It answers one request at a time.
 * @param options.failed called with an error that the client did not cause. Its message may quote a request
 */
export function chatServer(options: {
  model: ChatModel;
  apiKey: string;
  failed: (error: unknown) => void;
}): Server {
  const { model, apiKey, failed } = options;
  const answers = new Limiter({ maxPerOwner: 1, maxWaiting, maxWaitMs });
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (response.destroyed) return;
      if (!(error instanceof Refused)) failed(error);
      const { status, code, message, headers } =
        error instanceof Refused ? error : new Refused(500, 'server_error', 'The model failed.');
      const body = {
        error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', code },
      };
      if (response.headersSent) response.end(`data: ${JSON.stringify(body)}\n\n`);
      // Closes the connection, because a refused body may not have been read to its end.
      else answerJson(response, status, body, { ...headers, connection: 'close' });
    });
  });
  server.requestTimeout = 20_000;
  server.headersTimeout = 10_000;
  server.maxConnections = 50;
  return server;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!hasKey(request, apiKey)) throw new Refused(401, 'invalid_api_key', 'The API key is wrong.');
    const { method, url } = request;
    if (method === 'GET' && url === '/v1/models') {
      answerJson(response, 200, { object: 'list', data: [{ id: model.name, object: 'model' }] });
      return;
    }
    if (method !== 'POST' || url !== '/v1/chat/completions') {
      throw new Refused(404, 'not_found', 'There is only POST /v1/chat/completions and GET /v1/models.');
    }
    const asked = parse(await bodyOf(request));
    const gone = new AbortController();
    response.on('close', () => {
      gone.abort(new Error('the client went away'));
    });
    const respond = async () => {
      gone.signal.throwIfAborted();
      await (asked.stream === true ? stream : answer)(asked, response, gone.signal);
    };
    await answers.use(undefined, respond, { busy });
  }

  async function complete(asked: ChatRequest, signal: AbortSignal, onText: (text: string) => void) {
    try {
      return await model.complete(asked, { signal, cut: AbortSignal.timeout(answerMs), onText });
    } catch (error) {
      if (error instanceof InputTooLong) throw new Refused(400, 'context_length_exceeded', error.message);
      throw error;
    }
  }

  async function answer(asked: ChatRequest, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const done = await complete(asked, signal, () => undefined);
    const message = {
      role: 'assistant',
      content: done.text,
      ...(done.calls.length > 0 && { tool_calls: toolCalls(done) }),
    };
    answerJson(response, 200, {
      ...head('chat.completion'),
      choices: [{ index: 0, message, finish_reason: done.finish }],
      usage: usageOf(done),
    });
  }

  async function stream(asked: ChatRequest, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const shared = head('chat.completion.chunk');
    // Sends the headers only with the first chunk, because a refusal before it must still set the HTTP status.
    const send = (more: object) => {
      if (!response.headersSent) {
        response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      }
      response.write(`data: ${JSON.stringify({ ...shared, ...more })}\n\n`);
    };
    const chunk = (delta: object, finish_reason: string | null = null) => {
      send({ choices: [{ index: 0, delta, finish_reason }] });
    };
    const done = await complete(asked, signal, (text) => {
      chunk({ role: 'assistant', content: text });
    });
    if (done.calls.length > 0) {
      chunk({ role: 'assistant', tool_calls: toolCalls(done).map((call, index) => ({ index, ...call })) });
    }
    chunk({}, done.finish);
    if (asked.stream_options?.include_usage === true) send({ choices: [], usage: usageOf(done) });
    response.end('data: [DONE]\n\n');
  }

  function head(object: string) {
    return {
      id: `chatcmpl-${randomUUID()}`,
      object,
      created: Math.floor(Date.now() / 1000),
      model: model.name,
    };
  }
}

function busy(): Refused {
  const text = `The model on this computer is busy: ${maxWaiting} requests wait already.`;
  return new Refused(429, 'rate_limit_exceeded', text, { 'retry-after': String(retryAfterSeconds) });
}

/** @throws Refused with status 413 if the body has more than `maxBodyBytes` */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Keeps the connection open if this function throws, because the refusal must still be sent on it.
  const body: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) {
      throw new Refused(413, 'request_too_large', `The request is larger than ${maxBodyBytes} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** @throws Refused with status 400 if the body is not JSON or not a valid request */
function parse(body: string): ChatRequest {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new Refused(400, 'invalid_json', 'The body must be JSON.');
  }
  const parsed = chatRequest.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Refused(
    400,
    'invalid_request',
    `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is wrong'}`,
  );
}

/**
 * True if the request has the key. Compares hashes, which have the same length, so that the time of the comparison does
 * not depend on the key.
 */
function hasKey({ headers }: IncomingMessage, apiKey: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(headers.authorization ?? ''), hash(`Bearer ${apiKey}`));
}

function toolCalls({ calls }: Completion) {
  return calls.map((called) => ({ id: `call_${randomUUID()}`, type: 'function', function: called }));
}

function usageOf({ promptTokens, outputTokens }: Completion) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: outputTokens,
    total_tokens: promptTokens + outputTokens,
  };
}

function answerJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { ...headers, 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
