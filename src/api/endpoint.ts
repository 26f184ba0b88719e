/** One operation: who may call it, its schemas, its answers, and what it does. Tables of these are the API and the console. */
import { z } from 'zod';
import type { Capability } from '../contract/accounts/capabilities.ts';
import type { ErrorCode } from '../contract/error-table.ts';
import type { Note } from './audit-notes.ts';
import type { AnyoneCaller, Caller, KnownCaller, PersonCaller } from './caller.ts';
import type { ApiDeps } from './deps.ts';
import type { EventStream } from './event-stream.ts';
import { parseInput, parseParams } from './parse.ts';

/** How a caller proves who they are: an API token, a console session, or not at all. */
export type Auth = 'token' | 'session' | 'open';

/** Whom a handler may meet. An operation for tokens can serve people too: see `forSession`. */
interface CallerOf {
  token: KnownCaller;
  session: PersonCaller;
  open: AnyoneCaller;
}

/** What a definition says beside its shape. */
interface DetailsOf {
  /** For the OpenAPI document. */
  token: { tag: string; summary: string; description?: string };
  /** 'member': everybody who is signed in. */
  session: { capability: Capability | 'member' };
  open: object;
}

type Answers = Readonly<Record<number, z.ZodType>>;

/** Only a listed status, with a body of its schema. */
export type Answer<A extends Answers> = {
  [S in keyof A & number]: { status: S; body: z.input<A[S]> };
}[keyof A & number];

/** Compiles only for a listed status with a body of its schema. */
export type Respond<A extends Answers> = <S extends keyof A & number>(
  status: S,
  body: z.input<A[S]>,
) => { status: S; body: z.input<A[S]> };

/** What a browser sends and takes beside a body. */
export interface Visit {
  readonly headers: Headers;
  readonly address: string | undefined;
  /** Set-Cookie headers for the answer. */
  setCookies: (cookies: readonly string[]) => void;
}

/** A call as the framework hands it on: who makes it is known, its parts are not checked yet. */
export interface RawCall {
  params: unknown;
  query: unknown;
  body: unknown;
  caller: Caller;
  visit: Visit;
  idempotencyKey: string | undefined;
  /** SHA-256 of the body, hex: what an Idempotency-Key is bound to. */
  bodyHash: string;
  /** For the audit log, written once the call is done. */
  note: Note;
  /** The caller wants events as they happen: Accept: text/event-stream. */
  wantsEvents: boolean;
  /** Header Last-Event-ID, if the operation takes it. */
  lastEventId: string | undefined;
  /** Header If-Match, if the operation takes it: the `updated_at` of the version that the caller has read. */
  ifMatch: Date | undefined;
}

interface Call<U extends Auth, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> extends Omit<
  RawCall,
  'params' | 'query' | 'body' | 'caller'
> {
  params: z.output<P>;
  query: z.output<Q>;
  body: z.output<B>;
  caller: CallerOf[U];
}

interface Shape<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends Answers> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Below /v1 or /console/api, with {name} for parameters. */
  readonly path: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Bytes that a body of this value may have; 1 MiB if absent. */
  readonly bodyLimit?: (body: unknown) => number;
  /** Bytes that are read at all, before the body is known; 1 MiB if absent. */
  readonly largestBody?: number;
  /** Fields of all objects in the body together; 2,000 if absent. */
  readonly mostKeys?: number;
  readonly takesIdempotencyKey?: true;
  readonly takesLastEventId?: true;
  readonly takesIfMatch?: true;
  /** The server-sent events that it can emit. */
  readonly events?: z.ZodType;
  readonly answers: A;
  /** Media type of a good answer that is not JSON; its body is a Readable. */
  readonly produces?: string;
  /** Codes beside those that every operation can answer. */
  readonly errors?: readonly ErrorCode[];
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
    handle: (call: Call<U, P, Q, B>, deps: ApiDeps, respond: Respond<A>) => Promise<Answer<A> | EventStream>;
  };

export type HandlerAnswer = { status: number; body: unknown } | EventStream;

/** An endpoint with its types set aside: what the server and the OpenAPI document read. */
export type EndpointFor<U extends Auth> = Shape<z.ZodType, z.ZodType, z.ZodType, Answers> &
  DetailsOf[U] & {
    readonly auth: U;
    readonly handle: (call: RawCall, deps: ApiDeps) => Promise<HandlerAnswer>;
  };
export type Endpoint = EndpointFor<'token'> | EndpointFor<'session'> | EndpointFor<'open'>;

export function defineEndpoint<
  U extends Auth,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends Answers,
>(definition: EndpointDefinition<U, P, Q, B, A>): EndpointFor<U> {
  return {
    ...definition,
    handle: async (raw, deps) => {
      const { caller } = raw;
      if (!mayCall(definition.auth, caller))
        throw new Error(`${definition.path} was called by ${caller.kind}`);
      const call = { ...raw, ...parseCall(definition, raw), caller };
      return await definition.handle(call, deps, (status, body) => ({ status, body }));
    },
  };
}

/** An operation for tokens as people use it in the console, within their organization. It takes no Idempotency-Key there. */
export function forSession(
  { takesIdempotencyKey: _, ...endpoint }: EndpointFor<'token'>,
  capability: Capability | 'member',
): EndpointFor<'session'> {
  return { ...endpoint, auth: 'session', capability };
}

/** The server sees to it before it calls; this keeps a table that is wired wrongly from letting anybody in. */
function mayCall<U extends Auth>(auth: U, caller: Caller): caller is Caller & CallerOf[U] {
  if (auth === 'open') return caller.kind === 'anyone';
  return caller.kind === 'person' || (auth === 'token' && caller.kind === 'token');
}

/** @throws PublicError validation_failed, or not_found for parameters that nothing can have */
function parseCall<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  definition: { params?: P; query?: Q; body?: B },
  raw: Pick<RawCall, 'params' | 'query' | 'body'>,
): { params: z.output<P>; query: z.output<Q>; body: z.output<B> } {
  return {
    params: orNothing(definition.params, (schema) => parseParams(schema, raw.params)),
    query: orNothing(definition.query, (schema) => parseInput(schema, raw.query)),
    body: orNothing(definition.body, (schema) => parseInput(schema, raw.body)),
  };
}

/** If an endpoint names no schema, its handler sees `unknown`, so that nothing is what fits. */
function orNothing<S extends z.ZodType>(
  schema: S | undefined,
  parse: (schema: S) => z.output<S>,
): z.output<S> {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-return -- S is then plain ZodType, whose output is unknown
  return schema === undefined ? nothing.parse(undefined) : parse(schema);
}
const nothing = z.any();
