/**
 * The definition of an operation: who may call it, its schemas, responses and handler. The API and the console's API
 * are tables of these definitions.
 */
import { z } from 'zod';
import type { Capability } from '../contract/accounts/capabilities.ts';
import type { TokenScope } from '../contract/accounts/token-scopes.ts';
import type { ErrorCode } from '../contract/error-table.ts';
import type { AnyoneCaller, Caller, KnownCaller, PersonCaller } from './caller.ts';
import type { ApiDeps } from './deps.ts';
import type { EventStream } from './event-stream.ts';
import type { WaitingAnswer } from './waiting-answer.ts';

/** How a caller authenticates: by an API token, by a console session, or not at all. */
export type Auth = 'token' | 'session' | 'open';

/** The caller that a handler gets. An operation for tokens can also get a console user, because of `forSession`. */
interface CallerOf {
  token: KnownCaller;
  session: PersonCaller;
  open: AnyoneCaller;
}

/**
 * The kind of object that an operation accesses. It decides which calls a token that is bound to agents may make. The
 * path identifies the object, except for `body`.
 * - `agent`: an agent, which must be one of the token's agents
 * - `target`: an agent or an inbox. The agent, or the agent to which the inbox is bound now, must be one of the token's
 * - `body`: a target that the body names. The handler checks it like `target`
 * - `conversation`: a conversation. One of the token's agents must answer it now, or be the agent of its target
 * - `message`, `approval`: a message or an approval. Its conversation is checked like `conversation`
 * - `list`: no single object. The handler returns only the rows of the token's agents
 * - `organization`: the whole organization. Every bound token is refused
 */
export type AgentBinding =
  'agent' | 'target' | 'body' | 'conversation' | 'message' | 'approval' | 'list' | 'organization';

/** The fields of a definition that depend on how callers authenticate. */
interface DetailsOf {
  token: {
    scope: TokenScope;
    agents: AgentBinding;
    /** Group of the operation in the OpenAPI document. */
    tag: string;
    summary: string;
    description?: string;
    /** Error codes that the OpenAPI document lists, in addition to `commonErrors` of openapi/openapi.ts. */
    errors?: readonly ErrorCode[];
  };
  /** `capability` is the one that users need; `member` allows every signed-in user. */
  session: { capability: Capability | 'member' };
  open: object;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
type Method = (typeof methods)[number];

type Answers = Readonly<Record<number, z.ZodType>>;

/** The responses of an operation that lists no `answers`: only 204 without a body. */
export const noContent = { 204: z.undefined() };
type NoContent = { readonly none?: never };

/** A response: one of the listed statuses, with a body that matches the schema of this status. */
export type Answer<A extends Answers> = {
  [S in keyof A & number]: { status: S; body: z.input<A[S]> };
}[keyof A & number];

/** Makes a response. A call compiles only with a listed status and a body that matches the schema of this status. */
export type Respond<A extends Answers> = <S extends keyof A & number>(
  status: S,
  body: z.input<A[S]>,
) => { status: S; body: z.input<A[S]> };

/** The request's headers and network address, and a function that adds cookies to the response. */
export interface Visit {
  readonly headers: Headers;
  readonly address: string | undefined;
  setCookies: (cookies: readonly string[]) => void;
}

/**
 * A call as the handler gets it. Its params, query and body match the schemas; each is undefined if the operation has
 * no schema for it.
 */
export interface ParsedCall {
  params: unknown;
  query: unknown;
  body: unknown;
  caller: Caller;
  visit: Visit;
  idempotencyKey: string | undefined;
  /** SHA-256 of the body in hex, to recognize a repeat with another body. Empty if the operation has no body. */
  bodyHash: string;
  /** True if the operation has `events` and the Accept header prefers text/event-stream to JSON. */
  wantsEvents: boolean;
  /** The header Last-Event-ID, if the operation accepts it. */
  lastEventId: string | undefined;
  /**
   * The header If-Match, if the operation accepts it: the `updated_at` that the caller has read. Undefined if the
   * header is absent or `*`.
   */
  ifMatch: Date | undefined;
}

interface Call<U extends Auth, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> extends Omit<
  ParsedCall,
  'params' | 'query' | 'body' | 'caller'
> {
  params: z.output<P>;
  query: z.output<Q>;
  body: z.output<B>;
  caller: CallerOf[U];
}

interface Shape<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends Answers> {
  /** Method and path, as `GET /agents/{id}`. The path is below /v1 or /console/api, with each parameter as {name}. */
  readonly request: `${Uppercase<Method>} /${string}`;
  /** A second scope (of a token) or capability (of a user) that every call requires, in addition to the first. */
  readonly also?: TokenScope & Capability;
  /** Further scopes or capabilities that the handler requires in some calls, as Markdown for docs/permissions.md. */
  readonly sometimes?: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /**
   * Maximum size of a body that matches a schema; the maximum of others is 1 MiB. Open operations ignore it: their limit
   * is `maxOpenBodyBytes` of serve-endpoints.ts.
   */
  readonly largeBody?: { readonly mebibytes: number; readonly if: z.ZodType };
  /** Maximum fields and array elements in the whole body; by default `defaultMaxKeys` of read-body.ts. */
  readonly maxKeys?: number;
  /** True: large files in fields `content_base64` are not parsed as JSON text; the handler gets them as FileBytes. */
  readonly takesFiles?: true;
  readonly takesIdempotencyKey?: true;
  readonly takesLastEventId?: true;
  readonly takesIfMatch?: true;
  readonly events?: z.ZodType;
  /** Description, for the OpenAPI document, of the events that are sent if the body requests a stream. */
  readonly eventsIfAsked?: string;
  /** Form of the error responses: `openai` for the operations below /openai; by default, Parley's form. */
  readonly errorForm?: 'openai';
  /** Schemas of the responses' bodies by status; by default, 204 without a body. */
  readonly answers?: A;
  /** Media type of a response whose body is a Readable. Absent if the responses are JSON. */
  readonly produces?: string;
}

export type EndpointDefinition<
  U extends Auth,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends Answers,
> = Shape<P, Q, B, A> &
  DetailsOf[U] & {
    readonly auth: U;
    handle(
      call: Call<U, P, Q, B>,
      deps: ApiDeps,
      respond: Respond<A>,
    ): Promise<Answer<A> | EventStream | WaitingAnswer<Answer<A>>> | NothingFor<A>;
  };

/** Allows a handler to return nothing if its operation lists no `answers`. */
type NothingFor<A> = [keyof A & number] extends [never] ? Promise<void> : never;

/** Media type of a response whose lines are JSON. */
export const jsonLines = 'application/x-ndjson';

export type HandlerAnswer = { status: number; body: unknown } | EventStream;

/** A definition without its schemas' types, as the server and the generator of the OpenAPI document use it. */
export type EndpointFor<U extends Auth> = Shape<z.ZodType, z.ZodType, z.ZodType, Answers> &
  DetailsOf[U] & {
    readonly method: Method;
    readonly path: string;
    readonly auth: U;
    handle(
      call: ParsedCall,
      deps: ApiDeps,
      respond: Respond<Answers>,
    ): Promise<HandlerAnswer | WaitingAnswer<HandlerAnswer>> | Promise<void>;
  };
export type Endpoint = EndpointFor<'token'> | EndpointFor<'session'> | EndpointFor<'open'>;

/**
 * Lets the compiler check a definition: that its handler accepts the parsed input of its schemas and returns one of its
 * `answers`.
 * @returns the definition, and the method and path of its `request`
 */
export function defineEndpoint<
  U extends Auth,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends Answers = NoContent,
>(definition: EndpointDefinition<U, P, Q, B, A>): EndpointFor<U> {
  return { ...definition, ...partsOf(definition.request) };
}

/** @throws Error if the request does not begin with one of `methods` */
function partsOf(request: string): { method: Method; path: string } {
  const [name = '', path = ''] = request.split(' ');
  const method = methods.find((one) => one.toUpperCase() === name);
  if (method === undefined) throw new Error(`No method is named ${name}.`);
  return { method, path };
}

/**
 * Makes an operation for tokens available to console users who have the capability.
 * @returns a copy of the definition for console users, which ignores the header Idempotency-Key
 */
export function forSession(
  { takesIdempotencyKey: _, ...endpoint }: EndpointFor<'token'>,
  capability: Capability | 'member',
): EndpointFor<'session'> {
  return { ...endpoint, auth: 'session', capability };
}
