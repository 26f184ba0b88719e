/**
 * Defines one operation: who may call it, its schemas, responses and handler. The API and the console's API are tables
 * of these definitions.
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

/** The callers that a handler can get. An operation for tokens can also serve console users: see `forSession`. */
interface CallerOf {
  token: KnownCaller;
  session: PersonCaller;
  open: AnyoneCaller;
}

/**
 * The kind of object that an operation's path identifies, which decides what a token that is bound to agents can reach.
 * - `agent`: an agent, which must be one of the token's
 * - `target`: an agent or an inbox; the agent, or the one to which the inbox is bound now, must be one of the token's
 * - `body`: as `target`, but the body names the target and the handler checks it
 * - `conversation`: a conversation, which one of the token's agents must answer now, or whose target must pass as
 * `target` does
 * - `message`, `approval`: a message or an approval, whose conversation must pass as `conversation` does
 * - `list`: none; the handler returns only the rows of the token's agents
 * - `organization`: the whole organization, which no bound token can reach
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
    /** Error codes beyond those of every operation. An operation with parameters also has `not_found`. */
    errors?: readonly ErrorCode[];
  };
  /** `member` allows every signed-in user. */
  session: { capability: Capability | 'member' };
  open: object;
}

type Answers = Readonly<Record<number, z.ZodType>>;

/** The responses of an operation that lists none. */
export const noContent = { 204: z.undefined() };
type NoContent = { readonly none?: never };

/** A response with a listed status, and a body that matches the schema of that status. */
export type Answer<A extends Answers> = {
  [S in keyof A & number]: { status: S; body: z.input<A[S]> };
}[keyof A & number];

/** Makes a response. Compiles only for a listed status, and a body that matches the schema of that status. */
export type Respond<A extends Answers> = <S extends keyof A & number>(
  status: S,
  body: z.input<A[S]>,
) => { status: S; body: z.input<A[S]> };

/** The caller's headers and address, and a function that sets cookies. */
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
  /** SHA-256 of the body in hex, to which an Idempotency-Key is bound. */
  bodyHash: string;
  /** True if the operation has events and the Accept header prefers text/event-stream. */
  wantsEvents: boolean;
  /** Header Last-Event-ID, if the operation accepts it. */
  lastEventId: string | undefined;
  /** Header If-Match, if the operation accepts it: the `updated_at` of the version that the caller has read. */
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
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Path below /v1 or /console/api, with {name} for each parameter. */
  readonly path: string;
  /** A second scope (of a token) or capability (of a user) that every call requires. */
  readonly also?: TokenScope & Capability;
  /**
   * What the handler requires in some calls, in addition to the scope or capability: Markdown for docs/permissions.md.
   */
  readonly sometimes?: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Returns the maximum size of a body in bytes, given the parsed body; 1 MiB if absent. */
  readonly bodyLimit?: (body: unknown) => number;
  /** Maximum bytes read before the body is parsed; by default `defaultMaxBodyBytes` of read-body.ts. */
  readonly maxBodyBytes?: number;
  /** Maximum fields and array elements in the whole body; by default `defaultMaxKeys` of read-body.ts. */
  readonly maxKeys?: number;
  /** Takes large files in fields `content_base64` out of the body before it is parsed; the handler gets FileBytes. */
  readonly takesFiles?: true;
  readonly takesIdempotencyKey?: true;
  readonly takesLastEventId?: true;
  readonly takesIfMatch?: true;
  readonly events?: z.ZodType;
  /** Describes the events of an operation whose body asks for them. */
  readonly eventsIfAsked?: string;
  /** Form of the error responses: OpenAI's for the operations below /openai, Parley's by default. */
  readonly errorForm?: 'openai';
  /** Responses by status; by default, 204 without a body. */
  readonly answers?: A;
  /** Media type of a successful response that is not JSON; its body is a Readable. */
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

/** Allows a handler to return nothing if its operation lists no responses. */
type NothingFor<A> = [keyof A & number] extends [never] ? Promise<void> : never;

/** Media type of a response whose lines are JSON. */
export const jsonLines = 'application/x-ndjson';

export type HandlerAnswer = { status: number; body: unknown } | EventStream;

/** An operation without its type parameters, as the server and the OpenAPI document read it. */
export type EndpointFor<U extends Auth> = Shape<z.ZodType, z.ZodType, z.ZodType, Answers> &
  DetailsOf[U] & {
    readonly auth: U;
    handle(
      call: ParsedCall,
      deps: ApiDeps,
      respond: Respond<Answers>,
    ): Promise<HandlerAnswer | WaitingAnswer<HandlerAnswer>> | Promise<void>;
  };
export type Endpoint = EndpointFor<'token'> | EndpointFor<'session'> | EndpointFor<'open'>;

/**
 * Lets the compiler check a definition: its handler gets the parsed input of its schemas, and returns a listed
 * response.
 * @returns the definition, unchanged
 */
export function defineEndpoint<
  U extends Auth,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends Answers = NoContent,
>(definition: EndpointDefinition<U, P, Q, B, A>): EndpointFor<U> {
  return definition;
}

/**
 * Makes an operation for tokens available in the console, within the user's organization. The operation accepts no
 * Idempotency-Key there.
 */
export function forSession(
  { takesIdempotencyKey: _, ...endpoint }: EndpointFor<'token'>,
  capability: Capability | 'member',
): EndpointFor<'session'> {
  return { ...endpoint, auth: 'session', capability };
}
