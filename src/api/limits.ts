/** Limits callers: their calls in a time window, their calls in progress, and their connections. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import { type Database } from '../adapters/postgres/database.ts';
import { acrossOrganizations } from '../adapters/postgres/organization-scope.ts';
import { PublicError } from '../contract/errors.ts';
import { Limiter } from '../limits/limiter.ts';

export interface Rate {
  maxCalls: number;
  windowSeconds: number;
}

/** Converts calls per second to a rate over 2 s, of at least one call. A burst may use all calls of the 2 s at once. */
export function perSecond(calls: number): Rate {
  const windowSeconds = 2;
  return { maxCalls: Math.max(1, Math.round(calls * windowSeconds)), windowSeconds };
}

/**
 * Number of lots into which the calls of a window are divided. A process reserves one lot of a key at a time in
 * Postgres, so that most calls need no round trip. The unused calls of a lot expire with the window. Chosen.
 */
const lotsPerWindow = 20;
/** Maximum keys with a lot in memory; beyond it, all lots are dropped. Chosen. */
const maxLots = 10_000;
/** Maximum share of a window's calls that one large call counts as, so that small calls still fit. Chosen. */
const maxOfWindow = 0.8;

interface Lot {
  left: number;
  until: number;
  /** The reservation of the next lot while it is in progress; resolves to the seconds to wait, 0 if it succeeded. */
  next: Promise<number> | undefined;
}

/** Limits the calls of each key in a time window, counted in Postgres across all API processes. */
export class RateLimiter {
  readonly #limiter: RateLimiterAbstract;
  readonly #maxCalls: number;
  readonly #lotSize: number;
  readonly #lots = new Map<string, Lot>();

  /** @param name prefix that separates this limiter's keys from those of other limiters */
  constructor(db: Database, name: string, { maxCalls, windowSeconds }: Rate) {
    this.#maxCalls = maxCalls;
    this.#lotSize = Math.max(1, Math.floor(maxCalls / lotsPerWindow));
    const shape = { keyPrefix: name, points: maxCalls, duration: windowSeconds };
    this.#limiter = new RateLimiterPostgres({
      ...shape,
      storeClient: db.pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      inMemoryBlockOnConsumed: maxCalls + 1,
      // While Postgres is unavailable, each process counts its own calls in memory.
      insuranceLimiter: new RateLimiterMemory(shape),
    });
  }

  /**
   * Counts a call of a key.
   * @param units the number of calls that it counts as, capped at `maxOfWindow` of the window's calls
   * @returns 0 if the call is allowed; otherwise the whole seconds to wait
   */
  async take(key: string, units = 1): Promise<number> {
    if (units > 1)
      return (await this.#consume(key, Math.min(units, Math.ceil(this.#maxCalls * maxOfWindow)))).wait;
    for (;;) {
      const lot = this.#lotOf(key);
      if (lot.left > 0 && lot.until > performance.now()) {
        lot.left -= 1;
        return 0;
      }
      lot.next ??= this.#nextLot(key, lot).finally(() => {
        lot.next = undefined;
      });
      const wait = await lot.next;
      if (wait > 0) return wait;
    }
  }

  /** Reduces the count of the key by one call. */
  async giveBack(key: string): Promise<void> {
    const lot = this.#lotOf(key);
    if (lot.until > performance.now()) lot.left += 1;
    else await acrossOrganizations(() => this.#limiter.reward(key, 1));
  }

  /** Counts a call of a key, as `take` does. @throws PublicError rate_limited if the key is over its limit */
  async demand(key: string, units = 1, sentence?: string): Promise<void> {
    const wait = await this.take(key, units);
    if (wait > 0)
      throw new PublicError('rate_limited', { ...(sentence && { sentence }), retryAfterSeconds: wait });
  }

  #lotOf(key: string): Lot {
    const known = this.#lots.get(key);
    if (known !== undefined) return known;
    if (this.#lots.size >= maxLots) this.#lots.clear();
    const lot: Lot = { left: 0, until: 0, next: undefined };
    this.#lots.set(key, lot);
    return lot;
  }

  async #nextLot(key: string, lot: Lot): Promise<number> {
    const { wait, leftMs } = await this.#consume(key, this.#lotSize);
    if (wait > 0) return wait;
    lot.left = this.#lotSize;
    lot.until = performance.now() + leftMs;
    return 0;
  }

  async #consume(key: string, points: number): Promise<{ wait: number; leftMs: number }> {
    try {
      // The counters belong to no organization, and the caller's organization may not be known yet.
      const { msBeforeNext } = await acrossOrganizations(() => this.#limiter.consume(key, points));
      return { wait: 0, leftMs: msBeforeNext };
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      return { wait: Math.max(1, Math.ceil(refused.msBeforeNext / 1000)), leftMs: 0 };
    }
  }
}

const unauthenticated = new Set<Socket>();
/** Connections of known callers without a call in progress, the longest idle first. */
const idle = new Set<Socket>();

/**
 * Maximum share of all connections that may have made no authenticated call yet. Chosen: small, because opening and
 * closing thousands of connections at once occupies the process for most of a second.
 */
const unauthenticatedShare = 0.2;
/**
 * Number of connections without an authenticated call that are always allowed, even if `unauthenticatedShare` allows
 * fewer. Otherwise, a few callers that connect to a small server at once would cause it to close each other's
 * connections. Chosen.
 */
const minUnauthenticated = 200;

/**
 * Limits the connections of a server, and separately those without an authenticated call. Also limits each
 * organization's calls in progress (see `enter`) to a fifth of `most`, because a call that waits for an answer or
 * reads a stream occupies a connection.
 *
 * Over a connection limit, closes the oldest unauthenticated connection. If only the new one is unauthenticated, closes
 * the longest-idle authenticated one instead, if any is idle. Unauthenticated callers that send headers or bodies
 * slowly therefore cannot lock out known callers.
 * @param most maximum connections at once. If all of them serve calls of known callers, closes a new one at once.
 * @param maxUnauthenticated maximum connections without an authenticated call; by default the share
 * `unauthenticatedShare` of `most`, but at least `minUnauthenticated`
 */
export function boundConnections(
  server: Server,
  most: number,
  maxUnauthenticated = Math.max(minUnauthenticated, most * unauthenticatedShare),
): void {
  shareOut(most);
  let open = 0;
  server.on('connection', (socket) => {
    open += 1;
    unauthenticated.add(socket);
    socket.once('close', () => {
      open -= 1;
      unauthenticated.delete(socket);
      idle.delete(socket);
    });
    if (open <= most && unauthenticated.size <= maxUnauthenticated) return;
    const [oldest] = unauthenticated.size === 1 && idle.size > 0 ? idle : unauthenticated;
    // Destroys the connection instead of ending it, so that its remaining input is not processed.
    oldest?.destroy();
  });
}

/** Marks an admitted call's connection as a known caller's. `boundConnections` does not close it during the call. */
export function isKnown(socket: Socket, response: ServerResponse): void {
  unauthenticated.delete(socket);
  idle.delete(socket);
  response.once('close', () => {
    if (!socket.destroyed) idle.add(socket);
  });
}

let maxCalls = 1000;
let calls = new Limiter({ maxPerOwner: maxCalls });

/** Sets the maximum calls in progress of each organization to a fifth of `connections`, rounded up. */
function shareOut(connections: number): void {
  maxCalls = Math.ceil(connections / 5);
  calls = new Limiter({ maxPerOwner: maxCalls });
}

/**
 * Counts the organization's call until its response ends. Does not count a call whose caller has already disconnected.
 * @throws PublicError rate_limited if the organization has too many calls in progress
 */
export function enter(organizationId: string, response: ServerResponse): void {
  // The `close` event has already been emitted, so the call would be counted forever.
  if (response.destroyed) return;
  const release = calls.tryHold(organizationId);
  if (release === undefined)
    throw new PublicError('rate_limited', {
      sentence: `Your organization has ${maxCalls} calls in progress. Wait for some to end.`,
      retryAfterSeconds: 1,
    });
  response.once('close', release);
}
