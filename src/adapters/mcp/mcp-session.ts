/**
 * Runs a session with an MCP server that an organization names, over streamable HTTP, with the client of the official
 * SDK. The server is not trusted, so the size of responses, the number of requests and messages, and the time of a
 * session are limited. The session opens no stream for the server's unsolicited messages, follows no redirect, and
 * offers the server no capabilities such as sampling or elicitation.
 */
import { extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { guardedFetch, type FetchProblem } from '../http/guarded-fetch.ts';
import { failures, type PublicHttp } from '../http/public-http.ts';

/** Maximum bytes of one response, the same as `maxToolAnswerBytes` of HTTP tools. */
const maxResponseBytes = 512 * 1024;
/**
 * Maximum requests of one session; a further request ends the session with a fault. Chosen: a session that reads
 * `maxPages` pages, calls a tool and is closed needs 14.
 */
const maxRequests = 40;
/**
 * Maximum messages from the server in one session, including progress notifications. A further message ends the session
 * with a fault. Chosen.
 */
const maxMessages = 500;
/** Maximum pages of a list of tools. Chosen. */
const maxPages = 10;
/** Maximum tools that are read from a server's list. Further ones are ignored. Chosen. */
export const maxListedTools = 200;
const maxCursorChars = 4000;
/** Timeout of the request that ends a session at the server. No caller waits for this request. Chosen. */
const closingMs = 2000;
/** Maximum characters of a server's error text in the message of a fault. Chosen. */
const maxErrorChars = 1000;

/** The sign-in details in a server's 401 (header WWW-Authenticate). */
export interface McpChallenge {
  /** Address of the server's metadata. */
  readonly resourceMetadataUrl?: URL;
  /** The scope that a token needs. */
  readonly scope?: string;
}

/** Thrown if a request of a session, a sign-in or a renewal of tokens fails, or must not be sent. */
export class McpFault extends Error {
  override readonly name = 'McpFault';
  /** False if no byte of the request was sent. */
  readonly sent: boolean;
  /** True if the server answered, but with an error, a redirect or metadata that must not be used. */
  readonly answered: boolean;
  /** The HTTP status of the MCP server's error response, at least 400; undefined without such a response. */
  readonly status: number | undefined;
  /** True if a retry of the same request may succeed. */
  readonly mayPass: boolean;
  /** Undefined unless the MCP server answered 401 and asked for a bearer token. */
  readonly challenge: McpChallenge | undefined;

  /** @param message may quote the server, and so contain the organization's secrets: redact it before showing it */
  constructor(
    message: string,
    about: Partial<Pick<McpFault, 'sent' | 'answered' | 'status' | 'mayPass' | 'challenge' | 'cause'>> = {},
  ) {
    super(message, { cause: about.cause });
    this.sent = about.sent ?? true;
    this.answered = about.answered ?? false;
    this.status = about.status;
    this.mayPass = about.mayPass ?? true;
    this.challenge = about.challenge;
  }

  /** @returns a copy of the fault with another value of `sent` */
  whenSent(sent: boolean): McpFault {
    const { answered, status, mayPass, challenge, cause } = this;
    return new McpFault(this.message, { sent, answered, status, mayPass, challenge, cause });
  }
}

export interface McpSessionOptions {
  http: PublicHttp;
  organizationId: string;
  url: string;
  /** Headers of every request of the session, such as Authorization. */
  headers: Readonly<Record<string, string>>;
  /** Maximum total milliseconds of the session. */
  timeoutMs: number;
  signal?: AbortSignal;
}

const toolPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() });
const callResult = z.looseObject({ content: z.unknown(), isError: z.boolean().nullish() });
export type McpCallResult = z.infer<typeof callResult>;

/**
 * Prevents the SDK from compiling the output schemas of tools, because they come from a server that is not trusted.
 * Results are not validated against these schemas.
 */
const noValidator = {
  getValidator: () => () => {
    throw new Error('results are not validated');
  },
};

export class McpSession {
  readonly #client: Client;
  readonly #transport: StreamableHTTPClientTransport;
  readonly #until: number;
  readonly #stopped = new AbortController();
  readonly #signal: AbortSignal;
  /** The fault that ended the session early; undefined if none did. */
  #fault: McpFault | undefined;
  #requests = 0;
  #messages = 0;
  /** The JSON-RPC code of the last error that arrived since the current request began; undefined if none arrived. */
  #errorCode: number | undefined;
  /** True once any byte of a tool's call may have been sent. */
  #isCallSent = false;
  #isClosing = false;
  #isResumable = false;
  #challenge: McpChallenge | undefined;

  private constructor({ http, organizationId, url, headers, timeoutMs, signal }: McpSessionOptions) {
    this.#until = performance.now() + timeoutMs;
    this.#signal =
      signal === undefined ? this.#stopped.signal : AbortSignal.any([signal, this.#stopped.signal]);
    const send = guardedFetch({
      http,
      organizationId,
      errorOf: (problem) => faultOf(problem, url),
      timeoutMs: () => (this.#isClosing ? closingMs : this.#leftMs()),
      maxBytes: maxResponseBytes,
    });
    this.#transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { ...headers } },
      fetch: async (to, init) => await this.#send(send, to, init),
      reconnectionOptions: {
        initialReconnectionDelay: 500,
        maxReconnectionDelay: 2000,
        reconnectionDelayGrowFactor: 2,
        maxRetries: 2,
      },
    });
    this.#transport.onmessage = (message) => {
      this.#messages += 1;
      if ('error' in message) this.#errorCode = message.error.code;
      if (this.#messages > maxMessages) this.#stop(new McpFault('the server sent too many messages'));
    };
    this.#client = new Client(
      { name: 'parley', version: '1' },
      { capabilities: {}, jsonSchemaValidator: noValidator },
    );
    // The SDK reports these errors without failing the request, which would wait until its timeout. Ending the session
    // makes the request fail at once.
    this.#client.onerror = (error) => {
      const isBroken = error.message.startsWith('SSE stream disconnected');
      // The SDK resumes a stream whose events have identifiers. Any other broken stream brings no more messages.
      if (isBroken && !this.#isResumable)
        this.#stop(new McpFault(this.#leftMs() < 20 ? 'no answer came in time' : 'its answer broke off'));
      else if (['SyntaxError', 'RangeError', 'ZodError', '$ZodError'].includes(error.name))
        this.#stop(new McpFault('its answer is not one of the Model Context Protocol', { mayPass: false }));
    };
  }

  /** Opens a session. @throws McpFault if a request fails */
  static async open(options: McpSessionOptions): Promise<McpSession> {
    const session = new McpSession(options);
    await session.#asked(() => session.#client.connect(session.#transport, session.#bounds()));
    return session;
  }

  /**
   * Reads the pages of the server's list of tools.
   * @returns at most `maxListedTools` tools, unvalidated
   * @throws McpFault if a request fails, or if fewer than `maxListedTools` tools are read because the list has more
   * than `maxPages` pages or a cursor is too long
   */
  async listTools(): Promise<unknown[]> {
    const tools: unknown[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const answer = await this.#asked(() =>
        this.#client.request({ method: 'tools/list', params }, toolPage, this.#bounds()),
      );
      tools.push(...answer.tools.slice(0, maxListedTools - tools.length));
      cursor = answer.nextCursor ?? undefined;
      if (cursor === undefined || cursor === '' || tools.length >= maxListedTools) return tools;
      if (cursor.length > maxCursorChars) break;
    }
    throw new McpFault('its list of tools has too many pages', { mayPass: false });
  }

  /** Calls a tool, without retries. @throws McpFault, whose `sent` is true if the call may have been sent */
  async callTool(name: string, input: Record<string, unknown>): Promise<McpCallResult> {
    const request = { method: 'tools/call', params: { name, arguments: input } } as const;
    const onresumptiontoken = () => {
      this.#isResumable = true;
    };
    try {
      return await this.#asked(() =>
        this.#client.request(request, callResult, { ...this.#bounds(), onresumptiontoken }),
      );
    } catch (error) {
      // The fault may come from another request of the session, such as our reply to the server. Its own `sent` may
      // therefore be wrong for this call.
      throw error instanceof McpFault ? error.whenSent(this.#isCallSent) : error;
    }
  }

  /** Ends the session, here and at the server. Returns without waiting for the server, and ignores its answer. */
  close(): void {
    this.#isClosing = true;
    const end = async () => {
      if (this.#transport.sessionId !== undefined && !this.#stopped.signal.aborted)
        await this.#transport.terminateSession();
    };
    void end()
      .catch(() => undefined)
      .finally(() => {
        this.#stopped.abort();
        void this.#client.close().catch(() => undefined);
      });
  }

  async #send(send: typeof fetch, to: string | URL, init: RequestInit | undefined): Promise<Response> {
    const headers = new Headers(init?.headers);
    // The SDK also requests a stream of unsolicited messages. After a 405, which is the answer of a server that has no
    // such stream, it continues without one.
    if (init?.method === 'GET' && !headers.has('last-event-id')) return new Response(null, { status: 405 });
    this.#requests += 1;
    if (this.#requests > maxRequests) {
      this.#stop(new McpFault('the server caused too many requests', { sent: false }));
      throw this.#fault ?? new McpFault('the session has ended', { sent: false });
    }
    const signal = init?.signal ? AbortSignal.any([init.signal, this.#signal]) : this.#signal;
    const isCall = typeof init?.body === 'string' && methodOf(init.body) === 'tools/call';
    this.#isCallSent ||= isCall;
    const response = await send(to, { ...init, headers, signal }).catch((error: unknown) => {
      if (isCall && error instanceof McpFault) this.#isCallSent = error.sent;
      throw error;
    });
    this.#challenge =
      response.status === 401 && asksForToken(response) ? extractWWWAuthenticateParams(response) : undefined;
    return await usableResponse(response);
  }

  /** Makes a request. @throws McpFault for every error of the request */
  async #asked<T>(request: () => Promise<T>): Promise<T> {
    this.#errorCode = undefined;
    try {
      return await request();
    } catch (error) {
      throw this.#faultOf(error);
    }
  }

  #faultOf(error: unknown): McpFault {
    if (error instanceof McpFault) return error;
    if (this.#fault !== undefined) return this.#fault;
    if (error instanceof StreamableHTTPError) {
      const status = error.code ?? 0;
      if (status < 100)
        return new McpFault('its answer is neither JSON nor a stream of events', { cause: error });
      const text = error.message.replace(/^.*?Error POSTing to endpoint: /s, '').slice(0, maxErrorChars);
      return new McpFault(`the server answered ${status}${text === '' ? '' : `:\n${text}`}`, {
        status,
        answered: true,
        cause: error,
        mayPass: [429, 502, 503, 504].includes(status),
        ...(status === 401 && { challenge: this.#challenge }),
      });
    }
    if (error instanceof McpError && error.code === this.#errorCode) {
      const text = error.message.replace(/^MCP error -?\d+: /, '').slice(0, maxErrorChars);
      return new McpFault(`the server answered with the error ${error.code}: ${text}`, {
        answered: true,
        mayPass: false,
        cause: error,
      });
    }
    if (this.#leftMs() <= 0 || error instanceof McpError)
      return new McpFault('no answer came in time', { cause: error });
    return new McpFault('its answer is not one of the Model Context Protocol, or broke off', {
      cause: error,
    });
  }

  #stop(fault: McpFault): void {
    this.#fault ??= fault;
    this.#stopped.abort(fault);
    void this.#client.close().catch(() => undefined);
  }

  #leftMs(): number {
    return this.#until - performance.now();
  }

  #bounds() {
    const timeout = Math.max(1, Math.ceil(this.#leftMs()));
    return { timeout, maxTotalTimeout: timeout, signal: this.#signal };
  }
}

const asksForToken = ({ headers }: Response): boolean =>
  /^bearer\b/i.test(headers.get('www-authenticate') ?? '');

/**
 * Refuses responses that Parley does not read.
 * @returns the response, unchanged
 * @throws McpFault if it is a redirect or compressed
 */
export async function usableResponse(response: Response): Promise<Response> {
  const { status } = response;
  if (status >= 300 && status < 400) {
    await response.body?.cancel();
    throw new McpFault(`the server answered ${status}, a redirect, which Parley does not follow`, {
      answered: true,
      mayPass: false,
    });
  }
  if ((response.headers.get('content-encoding') ?? 'identity') !== 'identity') {
    await response.body?.cancel();
    throw new McpFault('its answer is compressed', { mayPass: false });
  }
  return response;
}

/** @returns the JSON-RPC method of a message that the SDK sends */
const methodOf = (body: string): unknown =>
  z.looseObject({ method: z.unknown().optional() }).parse(JSON.parse(body)).method;

/** @returns the fault of a request that was not sent, or that got no usable answer */
export function faultOf(problem: FetchProblem, url: string): McpFault {
  switch (problem.kind) {
    case 'blocked': {
      const host = URL.canParse(url) ? new URL(url).host : 'this address';
      const { reason } = problem;
      const isPrivate = reason === 'internal_name' || reason === 'private_address';
      return new McpFault(
        isPrivate
          ? `${host} is a private address. If this server may be called, the operator of Parley sets TOOL_ALLOW=${host}`
          : `the address cannot be called (${reason.replaceAll('_', ' ')})`,
        { sent: false, mayPass: false },
      );
    }
    case 'unresolved':
      return problem.reason === 'not_found'
        ? new McpFault('the host name does not exist', { sent: false, mayPass: false })
        : new McpFault('the host name could not be looked up', { sent: false });
    case 'failed':
      return new McpFault(failures[problem.reason], { sent: problem.sent });
    case 'no_body':
      return new McpFault('its answer has no body');
  }
}
