/** One operation: its schemas, its answers, what it does. The table of these is the API, and its OpenAPI document. */
import { z } from 'zod';
import type { ErrorCode } from '../contract/error-table.ts';
import type { Note } from './audit-notes.ts';
import type { ApiDeps } from './deps.ts';
import type { EventStream } from './event-stream.ts';
import { parseInput, parseParams } from './parse.ts';

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

export interface Call<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  params: z.output<P>;
  query: z.output<Q>;
  body: z.output<B>;
  organizationId: string;
  tokenId: string;
  /** The person who calls through the console; absent for a token. */
  userId?: string;
  userName?: string;
  /** Of whoever calls, as the connection says. */
  address: string | undefined;
  idempotencyKey: string | undefined;
  /** SHA-256 of the body, hex: what an Idempotency-Key is bound to. */
  bodyHash: string;
  /** For the audit log, written once the call is done. */
  note: Note;
  /** The caller wants events as they happen: Accept: text/event-stream. */
  wantsEvents: boolean;
  /** Header Last-Event-ID, where the operation takes it. */
  lastEventId: string | undefined;
  /** Header If-Match, if the operation takes it: the `updated_at` of the version that the caller has read. */
  ifMatch: Date | undefined;
}

export interface EndpointDefinition<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends Answers,
> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Below /v1, with {name} for parameters. */
  path: string;
  summary: string;
  description?: string;
  tag: string;
  params?: P;
  query?: Q;
  body?: B;
  /** Bytes; 1 MiB where absent. */
  bodyLimit?: (body: unknown) => number;
  /** Bytes that are read at all, before the body is known; 16 MiB where absent. */
  largestBody?: number;
  /** Fields of all objects in the body together; 2,000 where absent. */
  mostKeys?: number;
  takesIdempotencyKey?: true;
  takesLastEventId?: true;
  takesIfMatch?: true;
  /** What it can tell as server-sent events. */
  events?: z.ZodType;
  answers: A;
  /** Media type of a good answer that is no JSON; its body is a Readable. */
  produces?: string;
  /** Codes beside those that every operation can answer. */
  errors?: readonly ErrorCode[];
  handle: (call: Call<P, Q, B>, deps: ApiDeps, respond: Respond<A>) => Promise<Answer<A> | EventStream>;
}

/** An endpoint with its types set aside: what the app and the OpenAPI document read. */
export interface Endpoint {
  readonly method: EndpointDefinition<z.ZodType, z.ZodType, z.ZodType, Answers>['method'];
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly bodyLimit?: (body: unknown) => number;
  readonly largestBody?: number;
  readonly mostKeys?: number;
  readonly takesIdempotencyKey?: true;
  readonly takesLastEventId?: true;
  readonly takesIfMatch?: true;
  readonly events?: z.ZodType;
  readonly answers: Answers;
  readonly produces?: string;
  readonly errors?: readonly ErrorCode[];
  readonly handle: (call: RawCall, deps: ApiDeps) => Promise<{ status: number; body: unknown } | EventStream>;
}

export interface RawCall {
  params: unknown;
  query: unknown;
  body: unknown;
  organizationId: string;
  tokenId: string;
  userId?: string;
  userName?: string;
  address: string | undefined;
  idempotencyKey: string | undefined;
  bodyHash: string;
  note: Note;
  wantsEvents: boolean;
  lastEventId: string | undefined;
  ifMatch: Date | undefined;
}

export function defineEndpoint<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends Answers,
>(definition: EndpointDefinition<P, Q, B, A>): Endpoint {
  return {
    ...definition,
    handle: async (raw, deps) => {
      const { params, query, body } = parseCall(definition, raw);
      return await definition.handle({ ...raw, params, query, body }, deps, (status, answer) => ({
        status,
        body: answer,
      }));
    },
  };
}

/** @throws PublicError validation_failed, or not_found for parameters that nothing can have */
export function parseCall<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  definition: { params?: P; query?: Q; body?: B },
  raw: Pick<RawCall, 'params' | 'query' | 'body'>,
): { params: z.output<P>; query: z.output<Q>; body: z.output<B> } {
  return {
    params: orNothing(definition.params, (schema) => parseParams(schema, raw.params)),
    query: orNothing(definition.query, (schema) => parseInput(schema, raw.query)),
    body: orNothing(definition.body, (schema) => parseInput(schema, raw.body)),
  };
}

/** Where an endpoint names no schema its handler sees `unknown`, so that nothing is what fits. */
function orNothing<S extends z.ZodType>(
  schema: S | undefined,
  parse: (schema: S) => z.output<S>,
): z.output<S> {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-return -- S is then plain ZodType, whose output is unknown
  return schema === undefined ? nothing.parse(undefined) : parse(schema);
}
const nothing = z.any();
