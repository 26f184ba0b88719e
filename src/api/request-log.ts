/**
 * The log of API requests, for the people whose programs make them. Buffers requests in memory and writes them about
 * once a second, so that a call never waits for its row. A killed process loses the rows that it has not written.
 */
import type { ServerResponse } from 'node:http';
import { v7 as newId } from 'uuid';
import { recordRequests, type RecordedRequest } from '../adapters/postgres/accounts/tokens.ts';
import type { Database } from '../adapters/postgres/database.ts';
import type { PublicError } from '../contract/errors.ts';
import { countLogged } from '../observability/api-metrics.ts';

/** Milliseconds between two writes. Chosen: a person who has just made a call finds it in the console. */
const writeMs = 1000;
/** Maximum errors, and maximum other requests, of one organization in one write. Further ones are dropped. Chosen. */
const maxOfOrganization = 20;
/** Maximum requests in the buffer of this process, of all organizations. Chosen: about 2 MB. */
const maxBuffered = 5000;
/** Maximum errors, and maximum other requests, that remain when an organization's log is trimmed. Chosen. */
const kept = 1000;
/**
 * Number of rows of an organization after which this process trims the organization's log again. A process also trims
 * the log when it writes its first rows of an organization. Chosen.
 */
const trimAfter = 500;
/** Maximum organizations that one write trims, which bounds its duration. Chosen. */
const maxTrims = 20;
/** Maximum organizations whose rows are counted for trimming; beyond it, all counts are dropped. Chosen. */
const maxCounted = 10_000;

/** The token of a request and, once it has failed, the error. */
interface Known {
  tokenId: string;
  organizationId: string;
  code?: string;
  field?: string | undefined;
  reason?: string | undefined;
}

const known = new WeakMap<ServerResponse, Known>();

/** Marks the request for the log of its token's organization. The log omits requests without this mark. */
export function noteToken(
  response: ServerResponse | undefined,
  { tokenId, organizationId }: { tokenId: string; organizationId: string },
): void {
  if (response !== undefined) known.set(response, { tokenId, organizationId });
}

/** Adds the error's code to the logged request and, if the schema names the invalid field, the field and its problem. */
export function noteError(response: ServerResponse, { code, extra }: PublicError): void {
  const request = known.get(response);
  if (request !== undefined) Object.assign(request, { code, field: extra.field, reason: extra.reason });
}

/** A request whose response has ended. */
export interface EndedRequest {
  id: string;
  at: number;
  method: string;
  route: string;
  /** The route with the id of its agent and the end of each other id; undefined if it has no parameter. */
  path: string | undefined;
  durationMs: number;
}

/** @returns the id of a request that begins at `at` (epoch ms) */
export function requestIdAt(at: number): string {
  return newId({ msecs: at });
}

type Share = Record<'error' | 'other', number>;

export class RequestLog {
  readonly #db: Database;
  readonly #warn: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #rows: RecordedRequest[] = [];
  /** Buffered requests of each organization. */
  readonly #shares = new Map<string, Share>();
  /**
   * Number of rows of each organization that this process has written since it last trimmed the organization's log.
   * Before the first trim, `trimAfter` is added to the number.
   */
  readonly #untrimmed = new Map<string, number>();
  #writing: Promise<void> | undefined;

  /** @param warn called with the error of a failed write */
  constructor(db: Database, warn: (error: unknown) => void) {
    this.#db = db;
    this.#warn = warn;
    this.#timer = setInterval(() => {
      if (this.#writing === undefined) void this.flush();
    }, writeMs).unref();
  }

  /**
   * Buffers a request that `noteToken` has marked. If its organization has used its share of this write, or the buffer
   * is full, counts the request and drops it. Errors and other requests have a share each, so that a busy program's
   * successes do not displace its errors.
   */
  add({ id, at, method, route, path, durationMs }: EndedRequest, response: ServerResponse): void {
    const request = known.get(response);
    if (request === undefined) return;
    const { organizationId, tokenId, code, field, reason } = request;
    const share = this.#shares.get(organizationId) ?? { error: 0, other: 0 };
    const status = response.headersSent ? response.statusCode : null;
    const kind = status !== null && status >= 400 ? 'error' : 'other';
    if (share[kind] >= maxOfOrganization) {
      countLogged({ outcome: 'over_share' });
      return;
    }
    if (this.#rows.length >= maxBuffered) {
      countLogged({ outcome: 'buffer_full' });
      return;
    }
    share[kind] += 1;
    this.#shares.set(organizationId, share);
    this.#rows.push({
      organization_id: organizationId,
      id,
      token_id: tokenId,
      at: new Date(at),
      method,
      route,
      path,
      status,
      code,
      field,
      reason,
      duration_ms: Math.round(durationMs),
    });
  }

  /** Writes the buffered requests, after a write in progress. Requests that cannot be written are counted and lost. */
  async flush(): Promise<void> {
    await this.#writing;
    this.#writing = this.#write().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  async #write(): Promise<void> {
    const rows = this.#rows;
    if (rows.length === 0) return;
    const organizations = [...this.#shares].map(([id, { error, other }]) => ({ id, rows: error + other }));
    this.#rows = [];
    this.#shares.clear();
    if (this.#untrimmed.size > maxCounted) this.#untrimmed.clear();
    for (const { id, rows: written } of organizations)
      this.#untrimmed.set(id, (this.#untrimmed.get(id) ?? trimAfter) + written);
    const grown = (id: string) => this.#untrimmed.get(id) ?? 0;
    const trim = organizations
      .map(({ id }) => id)
      .filter((id) => grown(id) >= trimAfter)
      .sort((one, other) => grown(other) - grown(one))
      .slice(0, maxTrims);
    try {
      await recordRequests(this.#db, rows, trim, kept);
      for (const id of trim) this.#untrimmed.set(id, 0);
      countLogged({ outcome: 'written' }, rows.length);
    } catch (error) {
      this.#warn(error);
      countLogged({ outcome: 'failed' }, rows.length);
    }
  }

  /** Stops the timer and writes the buffered requests. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
