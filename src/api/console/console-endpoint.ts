/** One console operation, in the style of the public ones: schemas, answers, the capability that it asks for. */
import type { z } from 'zod';
import type { Capability } from '../../contract/accounts/capabilities.ts';
import type { Note } from '../audit-notes.ts';
import { parseCall, type Answer, type Endpoint, type RawCall, type Respond } from '../endpoint.ts';
import type { EventStream } from '../event-stream.ts';
import type { ConsoleDeps } from './deps.ts';
import type { Person } from './person.ts';

type Answers = Readonly<Record<number, z.ZodType>>;

/** What the browser sent, as far as the handlers of sessions need it. */
export interface Visit {
  headers: Headers;
  address: string | undefined;
  /** Set-Cookie headers for the answer. */
  setCookies: (cookies: readonly string[]) => void;
}

interface Parsed<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  params: z.output<P>;
  query: z.output<Q>;
  body: z.output<B>;
  visit: Visit;
}

interface Shape<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends Answers> {
  method: Endpoint['method'];
  /** Below /console/api, with {name} for parameters. */
  path: string;
  params?: P;
  query?: Q;
  body?: B;
  answers: A;
}

interface ConsoleDefinition<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends Answers,
> extends Shape<P, Q, B, A> {
  /** 'member': everybody who is signed in. */
  capability: Capability | 'member';
  handle: (
    call: Parsed<P, Q, B> & { person: Person; note: Note },
    deps: ConsoleDeps,
    respond: Respond<A>,
  ) => Promise<Answer<A>>;
}

interface OpenDefinition<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends Answers,
> extends Shape<P, Q, B, A> {
  handle: (call: Parsed<P, Q, B>, deps: ConsoleDeps, respond: Respond<A>) => Promise<Answer<A>>;
}

interface RawVisit {
  params: unknown;
  query: unknown;
  body: unknown;
  visit: Visit;
}

interface Ends {
  readonly method: Endpoint['method'];
  readonly path: string;
  readonly query?: z.ZodType;
  readonly takesBody: boolean;
  readonly answers: Answers;
  readonly bodyLimit?: (body: unknown) => number;
  readonly largestBody?: number;
  readonly mostKeys?: number;
  readonly events?: z.ZodType;
  readonly takesLastEventId?: true;
  readonly takesIfMatch?: true;
}
export type ConsoleAnswer = { status: number; body: unknown } | EventStream;
type Handled = Promise<ConsoleAnswer>;
type Headed = Pick<RawCall, 'wantsEvents' | 'lastEventId' | 'ifMatch'>;

export type ConsoleEndpoint = Ends &
  (
    | {
        readonly capability: Capability | 'member';
        readonly handle: (
          call: RawVisit & Headed & { person: Person; note: Note },
          deps: ConsoleDeps,
        ) => Handled;
      }
    | { readonly capability: 'anyone'; readonly handle: (call: RawVisit, deps: ConsoleDeps) => Handled }
  );

/** An operation for people who are signed in. */
export function defineConsoleEndpoint<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends Answers,
>(definition: ConsoleDefinition<P, Q, B, A>): ConsoleEndpoint {
  const { method, path, query, capability, handle } = definition;
  return {
    method,
    path,
    ...(query && { query }),
    capability,
    takesBody: definition.body !== undefined,
    answers: definition.answers,
    handle: async (raw, deps) =>
      await handle({ ...raw, ...parseCall(definition, raw) }, deps, (status, body) => ({ status, body })),
  };
}

/** An operation for everybody who can reach the console: signing in, and an invitation's link. */
export function defineOpenEndpoint<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends Answers,
>(definition: OpenDefinition<P, Q, B, A>): ConsoleEndpoint {
  const { method, path, handle } = definition;
  return {
    method,
    path,
    capability: 'anyone',
    takesBody: definition.body !== undefined,
    answers: definition.answers,
    handle: async (raw, deps) =>
      await handle({ ...raw, ...parseCall(definition, raw) }, deps, (status, body) => ({ status, body })),
  };
}

/** An operation of the public API, as the person's organization may use it. */
export function fromPublic(endpoint: Endpoint, capability: Capability | 'member'): ConsoleEndpoint {
  const { method, path, query: filters, bodyLimit, largestBody, mostKeys } = endpoint;
  const { events, takesLastEventId, takesIfMatch } = endpoint;
  return {
    method,
    path,
    ...(filters && { query: filters }),
    capability,
    takesBody: endpoint.body !== undefined,
    answers: endpoint.answers,
    ...(bodyLimit && { bodyLimit }),
    ...(largestBody !== undefined && { largestBody }),
    ...(mostKeys !== undefined && { mostKeys }),
    ...(events && { events }),
    ...(takesLastEventId && { takesLastEventId }),
    ...(takesIfMatch && { takesIfMatch }),
    handle: async ({ person, note, visit, ...call }, deps) => {
      const { organizationId, userId, name: userName } = person;
      const who = { organizationId, userId, userName, address: visit.address, note };
      const unused = { tokenId: '', idempotencyKey: undefined, bodyHash: '' };
      return await endpoint.handle({ ...call, ...who, ...unused }, deps);
    },
  };
}
