/** Authenticates a call by its bearer token, and counts the token's use. */
import { PublicError } from '../../contract/errors.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { addTokenCalls, findActiveToken } from '../../adapters/postgres/accounts/tokens.ts';
import { hashToken, isTokenForm } from '../../adapters/secrets/token-secret.ts';

const flushMs = 2000;
const cacheMs = 750;
const maxKnown = 10_000;

export interface TokenOwner {
  tokenId: string;
  organizationId: string;
}

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

  /** @throws PublicError unauthorized, the same for a missing, malformed, unknown, revoked or deleted token */
  async authenticate(header: string | undefined): Promise<TokenOwner> {
    const secret = /^Bearer +(pk_\S+) *$/i.exec(header ?? '')?.[1];
    if (secret === undefined || !isTokenForm(secret)) throw new PublicError('unauthorized');
    const caller = await this.#known.find(secret, async () => {
      const row = await findActiveToken(this.#db, hashToken(secret));
      return row && { tokenId: row.id, organizationId: row.organization_id };
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
