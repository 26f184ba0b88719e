/**
 * Admits callers: authenticates a call by its bearer token, counts the token's use, and enforces rate limits. Users of
 * the console are found by their session (accounts/person.ts).
 */
import type { Request, Response } from 'express';
import type { Database } from '../adapters/postgres/database.ts';
import { addTokenCalls, findActiveToken, isTokenForm } from '../adapters/postgres/accounts/tokens.ts';
import { PublicError } from '../contract/errors.ts';
import type { PersonCaller, TokenCaller } from './caller.ts';
import { enter, isKnown, type RateLimiter } from './limits.ts';

/**
 * If a body takes longer to arrive, the token is authenticated again: the sender may delay a body on purpose. Chosen.
 */
export const slowBodyMs = 100;

/** Each full block of this many bytes in a body counts as one call. A smaller body counts as one call too. Chosen. */
const unitBytes = 32 * 1024;

export interface Gate {
  authentication: Pick<TokenAuthentication, 'authenticate'>;
  rates: { token: RateLimiter | undefined; organization: RateLimiter | undefined };
}

/** Admits a call with a token. @throws PublicError unauthorized, rate_limited */
export async function admit(request: Request, { authentication, rates }: Gate): Promise<TokenCaller> {
  const owner = await authentication.authenticate(request.headers.authorization);
  const { tokenId, organizationId } = owner;
  const units = unitsOf(request);
  // Checks the token's rate limit first, so that a token over its limit uses none of the organization's.
  await rates.token?.demand(tokenId, units);
  await rates.organization?.demand(organizationId, units);
  letIn(request, organizationId);
  return { kind: 'token', ...owner, address: request.ip };
}

/** Counts each block of a large response as a further call, if its length is declared. It limits only later calls. */
export async function countAnswer(response: Response, caller: TokenCaller, gate: Gate): Promise<void> {
  await count(Number(response.getHeader('content-length') ?? 0), caller, gate);
}

/**
 * Counts each block of a large body without a declared length as a further call. Called after the body was read, so it
 * limits only the caller's later calls. admit() counts a body with a declared length.
 */
export async function countBody(request: Request, caller: TokenCaller, gate: Gate): Promise<void> {
  const bytes: unknown = request.body;
  if (request.headers['content-length'] !== undefined || !Buffer.isBuffer(bytes)) return;
  await count(bytes.length, caller, gate);
}

async function count(
  bytes: number,
  { tokenId, organizationId }: TokenCaller,
  { rates }: Gate,
): Promise<void> {
  const units = Math.floor(bytes / unitBytes);
  if (!(units > 1)) return;
  await Promise.all([rates.token?.take(tokenId, units), rates.organization?.take(organizationId, units)]);
}

function unitsOf(request: Request): number {
  const bytes = Number(request.headers['content-length'] ?? 0);
  return Math.max(1, Math.floor(bytes / unitBytes) || 1);
}

/**
 * Admits a console user's call. Calls of users and calls of programs count separately.
 * @throws PublicError rate_limited
 */
export async function admitPerson(
  request: Request,
  { userId, organizationId }: PersonCaller,
  rates: Gate['rates'],
): Promise<void> {
  const units = unitsOf(request);
  await rates.token?.demand(`person ${userId}`, units);
  await rates.organization?.demand(`console ${organizationId}`, units);
  letIn(request, organizationId);
}

/**
 * Counts the call as in progress until its response ends, and marks the connection as a known caller's.
 * @throws PublicError rate_limited if the organization has too many calls in progress
 */
function letIn({ socket, res }: Request, organizationId: string): void {
  if (res === undefined) return;
  enter(organizationId, res);
  isKnown(socket, res);
}

const flushMs = 2000;
const cacheMs = 750;
const maxKnown = 10_000;

export type TokenOwner = Pick<TokenCaller, 'tokenId' | 'organizationId' | 'scopes' | 'agentIds'>;

type Found = Promise<TokenOwner | undefined>;

/** Caches the owner of a secret for 0.75 s, because a revocation must take effect within a second. */
export class KnownCallers {
  readonly #known = new Map<string, { caller: Found; until: number }>();

  /**
   * Concurrent calls share one look-up; a failed look-up is not cached.
   * @returns the owner; undefined if the secret is unknown. Both are cached.
   */
  async find(secret: string, lookUp: () => Found): Found {
    const now = performance.now();
    const cached = this.#known.get(secret);
    if (cached !== undefined && cached.until > now) return await cached.caller;
    if (this.#known.size > maxKnown) this.#known.clear();
    const caller = lookUp();
    this.#known.set(secret, { caller, until: now + cacheMs });
    try {
      return await caller;
    } catch (error) {
      this.#known.delete(secret);
      throw error;
    }
  }
}

export class TokenAuthentication {
  readonly #db: Database;
  readonly #known = new KnownCallers();
  #calls = new Map<string, { calls: number; lastUsed: Date }>();
  readonly #timer: NodeJS.Timeout;

  constructor(db: Database) {
    this.#db = db;
    this.#timer = setInterval(() => void this.flush(), flushMs).unref();
  }

  /** @throws PublicError unauthorized, the same for a missing, malformed, unknown, expired, revoked or deleted token */
  async authenticate(header: string | undefined): Promise<TokenOwner> {
    const secret = /^Bearer +(pk_\S+) *$/i.exec(header ?? '')?.[1];
    if (secret === undefined || !isTokenForm(secret)) throw new PublicError('unauthorized');
    const caller = await this.#known.find(secret, async () => {
      const row = await findActiveToken(this.#db, secret);
      return (
        row && {
          ...{ tokenId: row.id, organizationId: row.organization_id },
          ...{ scopes: row.scopes, agentIds: row.agent_ids },
        }
      );
    });
    if (caller === undefined) throw new PublicError('unauthorized');
    const counted = this.#calls.get(caller.tokenId) ?? { calls: 0, lastUsed: new Date() };
    counted.calls += 1;
    counted.lastUsed = new Date();
    this.#calls.set(caller.tokenId, counted);
    return caller;
  }

  /** Writes the counts. If the write fails, keeps them for the next flush. */
  async flush(): Promise<void> {
    if (this.#calls.size === 0) return;
    const counted = this.#calls;
    this.#calls = new Map();
    try {
      await addTokenCalls(
        this.#db,
        [...counted].map(([id, row]) => ({ id, ...row })),
      );
    } catch {
      for (const [id, row] of counted) {
        const since = this.#calls.get(id);
        this.#calls.set(id, since ? { calls: since.calls + row.calls, lastUsed: since.lastUsed } : row);
      }
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
