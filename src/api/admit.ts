/**
 * Admits calls. For an API token: authenticates it, counts its use, and checks its scopes and the agents to which it is
 * bound. For tokens and console users: enforces rate limits. Also limits connections, and each organization's calls in
 * progress. accounts/person.ts finds the user of a console session.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { Request, Response } from 'express';
import type { Database } from '../adapters/postgres/database.ts';
import { addTokenCalls, findActiveToken, isTokenForm } from '../adapters/postgres/accounts/tokens.ts';
import { encodeCursor, uuidForm, type Page } from '../adapters/postgres/cursor.ts';
import { findAgentOfTarget, findAgentsOfConversation } from '../adapters/postgres/conversations/agents.ts';
import { findApproval } from '../adapters/postgres/conversations/approvals.ts';
import { findRunOfInput } from '../adapters/postgres/conversations/stream-events.ts';
import type { TokenScope } from '../contract/accounts/token-scopes.ts';
import { PublicError } from '../contract/errors.ts';
import type { Approver } from '../contract/conversations/agents.ts';
import type { ToolPolicy } from '../contract/conversations/agents.ts';
import type { KnownCaller, PersonCaller, TokenCaller } from './caller.ts';
import type { AgentBinding } from './endpoint.ts';
import type { RateLimiter } from '../adapters/postgres/rate-limiter.ts';
import { Limiter } from '../limits/limiter.ts';
import { noteToken } from './request-log.ts';

/**
 * If a body takes longer than this to arrive, the caller is authenticated again. Otherwise a call whose body arrives
 * after the token was revoked would still be accepted. Chosen.
 */
export const slowBodyMs = 100;

/** A body counts toward the rate limits as one call per full block of this size, but at least as one call. Chosen. */
const unitBytes = 32 * 1024;

export interface Gate {
  authentication: Pick<TokenAuthentication, 'authenticate'>;
  rates: { token: RateLimiter | undefined; organization: RateLimiter | undefined };
}

/**
 * Admits a call with a token.
 * @throws PublicError unauthorized as `authenticate` does; rate_limited if the token or its organization is over its
 * rate limit, or the organization has too many calls in progress
 */
export async function admit(request: Request, { authentication, rates }: Gate): Promise<TokenCaller> {
  const owner = await authentication.authenticate(request.headers.authorization);
  const { tokenId, organizationId } = owner;
  noteToken(request.res, owner);
  const units = unitsOf(request);
  // The token's limit is checked first, so that the calls of a token over its limit do not count for the organization.
  await rates.token?.demand(tokenId, units);
  await rates.organization?.demand(organizationId, units);
  letIn(request, organizationId);
  return { kind: 'token', ...owner, address: request.ip };
}

/**
 * Counts each full block of `unitBytes` of a response as a further call, if the response declares its length and has at
 * least two full blocks. Never refuses this call: only later calls are limited.
 */
export async function countAnswer(response: Response, caller: TokenCaller, gate: Gate): Promise<void> {
  await count(Number(response.getHeader('content-length') ?? 0), caller, gate);
}

/**
 * Counts each full block of `unitBytes` of a body without a declared length as a further call, if there are at least
 * two. Never refuses this call: only later calls are limited. `admit` counts a body with a declared length.
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
 * Admits a console user's call. The calls of users and those of API tokens count toward separate rate limits.
 * @throws PublicError rate_limited if the user or the organization's users are over their rate limit, or the
 * organization has too many calls in progress
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
 * organization's calls in progress (see `enter`) to a fifth of `maxOpen`, because a call that waits for an answer or
 * reads a stream occupies a connection.
 *
 * Over a connection limit, closes the oldest unauthenticated connection. If only the new one is unauthenticated, closes
 * the longest-idle authenticated one instead, if any is idle. Unauthenticated callers that send headers or bodies
 * slowly therefore cannot lock out known callers.
 * @param maxOpen maximum connections at once. If all of them serve calls of known callers, closes a new one at once.
 * @param maxUnauthenticated maximum connections without an authenticated call; by default the share
 * `unauthenticatedShare` of `maxOpen`, but at least `minUnauthenticated`
 */
export function boundConnections(
  server: Server,
  maxOpen: number,
  maxUnauthenticated = Math.max(minUnauthenticated, maxOpen * unauthenticatedShare),
): void {
  shareOut(maxOpen);
  let open = 0;
  server.on('connection', (socket) => {
    open += 1;
    unauthenticated.add(socket);
    socket.once('close', () => {
      open -= 1;
      unauthenticated.delete(socket);
      idle.delete(socket);
    });
    if (open <= maxOpen && unauthenticated.size <= maxUnauthenticated) return;
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

/** Interval at which the counted calls of tokens are written to Postgres. Chosen. */
const flushMs = 2000;
/** Time for which the owner of a secret is cached. Chosen, so that a revocation takes effect within a second. */
const cacheMs = 750;
/** Maximum number of cached secrets. Above it, the whole cache is emptied. Chosen. */
const maxKnown = 10_000;

export type TokenOwner = Pick<TokenCaller, 'tokenId' | 'organizationId' | 'scopes' | 'agentIds'>;

type Found = Promise<TokenOwner | undefined>;

/** Caches the owners of secrets (API tokens or MCP access tokens) for `cacheMs`. */
export class KnownCallers {
  readonly #known = new Map<string, { caller: Found; until: number }>();

  /**
   * Finds the owner of a secret, in the cache or else with `lookUp`. Concurrent calls share one look-up.
   * @returns the owner; undefined if the secret is unknown. Both are cached.
   * @throws the errors of `lookUp`, which are not cached
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

  /**
   * Finds the owner of a bearer token, and counts the call.
   * @throws PublicError unauthorized if the token is missing, malformed, unknown, expired, revoked or deleted. It is
   * the same error in each case.
   */
  async authenticate(header: string | undefined): Promise<TokenOwner> {
    const secret = /^Bearer +(pk_\S+) *$/i.exec(header ?? '')?.[1];
    if (secret === undefined || !isTokenForm(secret)) throw new PublicError('unauthorized');
    const caller = await this.#known.find(secret, async () => {
      const row = await findActiveToken(this.#db, secret);
      return (
        row && {
          tokenId: row.id,
          organizationId: row.organization_id,
          scopes: row.scopes,
          agentIds: row.agent_ids,
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

  /** Writes the counted calls to the database. If the write fails, the next flush writes them. */
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

  /** Stops the timer, and writes the uses of tokens that are not yet written. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}

/** Checks that a token has the scope. @throws PublicError forbidden, naming the missing scope */
export function demandScope({ scopes }: Pick<TokenCaller, 'scopes'>, scope: TokenScope): void {
  if (scopes === null || scopes.includes(scope)) return;
  throw new PublicError('forbidden', {
    sentence: `This API token does not have the scope ${scope}. Create a token that has it.`,
  });
}

/** The fields of an agent that `demandTools` protects. `connections` is null if the agent does not set them. */
interface Reach {
  tools: readonly string[];
  connections: readonly string[] | null;
  tool_policies: readonly ToolPolicy[];
  approvers: readonly Approver[];
}

/** The values of the fields of `Reach` in a new agent, before any are set. */
export const noReach: Reach = { tools: [], connections: null, tool_policies: [], approvers: [] };

/**
 * Checks that the caller may change an agent's tools, tool policies, approvers and connections, which requires
 * `tools.manage`. A token that is bound to agents may not change them: it cannot run actions, and must not let an agent
 * run them.
 * @param change the new values; an absent field does not change
 * @returns true if one of these fields changes
 * @throws PublicError forbidden if one changes, and the caller does not have `tools.manage` or is bound to agents
 */
export function demandTools(
  caller: KnownCaller,
  before: Reach,
  {
    tools = before.tools,
    connections = before.connections,
    tool_policies = before.tool_policies,
    approvers = before.approvers,
  }: { [F in keyof Reach]?: Reach[F] | undefined },
): boolean {
  const arePoliciesSame =
    isDeepStrictEqual(before.tool_policies, tool_policies) && isDeepStrictEqual(before.approvers, approvers);
  if (arePoliciesSame && isSame(before.tools, tools) && isSame(before.connections, connections)) return false;
  if (caller.kind === 'token') {
    demandScope(caller, 'tools.manage');
    if (boundAgents(caller) !== undefined) throw notBound();
  } else if (!caller.capabilities.includes('tools.manage'))
    throw new PublicError('forbidden', {
      sentence:
        'Your role does not allow you to change the tools, policies, approvers or connections of an agent: that requires tools.manage.',
    });
  return true;
}

/** True if both lists are null, or both have the same names, in any order and in upper or lower case. */
function isSame(one: readonly string[] | null, other: readonly string[] | null): boolean {
  if (one === null || other === null) return one === other;
  const holds = (names: readonly string[], name: string) =>
    names.some((each) => each.toLowerCase() === name.toLowerCase());
  return one.every((name) => holds(other, name)) && other.every((name) => holds(one, name));
}

/** @returns the id of the caller's token or, for a console user, of the user */
export const idOf = (caller: KnownCaller): string =>
  caller.kind === 'token' ? caller.tokenId : caller.userId;

/** True if the caller may view conversations. */
export function mayView(caller: KnownCaller): boolean {
  return caller.kind === 'token'
    ? (caller.scopes?.includes('conversations.view') ?? true)
    : caller.capabilities.includes('conversations.view');
}

/**
 * Checks that the caller may view conversations. Only then may it follow a message in a conversation that another
 * caller began.
 * @throws PublicError forbidden if the caller may not view conversations
 */
export function demandView(caller: KnownCaller): void {
  if (mayView(caller)) return;
  if (caller.kind === 'token') demandScope(caller, 'conversations.view');
  throw new PublicError('forbidden', {
    sentence:
      'Your role does not allow you to view conversations: to write into one requires conversations.view.',
  });
}

/** @returns the ids of the agents to which the caller's token is bound, in lower case; undefined if it is not bound */
export function boundAgents(caller: KnownCaller): readonly string[] | undefined {
  return (caller.kind === 'token' ? caller.agentIds : null) ?? undefined;
}

/**
 * Checks that a token that is bound to agents may access the object of its call (see `AgentBinding`). Other callers
 * always pass. The bindings `list` and `body` always pass, because the handlers filter the rows or check the body.
 * @param id the path's identifier; undefined if the path has none
 * @throws PublicError forbidden if the object belongs to other agents or does not exist, or the binding is
 * `organization`
 */
export async function demandAgents(
  db: Database,
  caller: KnownCaller,
  binding: AgentBinding,
  id: string | undefined,
): Promise<void> {
  const bound = boundAgents(caller);
  if (bound === undefined || binding === 'list' || binding === 'body') return;
  const concerned = await agentsOf(db, caller.organizationId, binding, id?.toLowerCase() ?? '');
  if (!concerned.some((one) => bound.includes(one))) throw notBound();
}

/**
 * Checks that the caller may access each of the agents.
 * @throws PublicError forbidden if the caller's token is bound to agents, and one of `agentIds` is not among them
 */
export function demandEach(caller: KnownCaller, agentIds: readonly string[]): void {
  const bound = boundAgents(caller);
  if (bound !== undefined && !agentIds.every((one) => bound.includes(one.toLowerCase()))) throw notBound();
}

async function agentsOf(
  db: Database,
  organizationId: string,
  binding: Exclude<AgentBinding, 'list' | 'body'>,
  id: string,
): Promise<readonly string[]> {
  if (binding === 'organization' || !uuidForm.test(id)) return [];
  switch (binding) {
    case 'agent':
      return [id];
    case 'target':
      return [await findAgentOfTarget(db, organizationId, id)].filter((one) => one !== undefined);
    case 'conversation':
      return await findAgentsOfConversation(db, organizationId, id);
    case 'message': {
      const run = await findRunOfInput(db, organizationId, id);
      return run === undefined ? [] : await findAgentsOfConversation(db, organizationId, run.conversationId);
    }
    case 'approval': {
      const found = await findApproval(db, organizationId, id);
      return found === undefined
        ? []
        : await findAgentsOfConversation(db, organizationId, found.conversation.id);
    }
  }
}

function notBound(): PublicError {
  return new PublicError('forbidden', {
    sentence: 'This API token is bound to other agents. Create a token for this, or for every agent.',
  });
}

/**
 * Reads a page of a list, newest first. For a token that is bound to agents, reads a page for each of them and merges
 * the pages.
 * @param wanted the only agent whose rows the caller wants; undefined for all agents that the caller may access
 * @param limit maximum rows of the page
 * @param read reads a page of one agent's rows, or of all rows if the agent is undefined
 * @returns an empty page if the token is bound to agents, but not to `wanted`
 */
export async function pageOfAgents<T extends { id: string }>(
  caller: KnownCaller,
  wanted: string | undefined,
  limit: number,
  read: (agentId: string | undefined) => Promise<Page<T>>,
): Promise<Page<T>> {
  const bound = boundAgents(caller);
  if (bound === undefined) return await read(wanted);
  const agents = wanted === undefined ? bound : bound.filter((one) => one === wanted.toLowerCase());
  const pages: Page<T>[] = [];
  // Reads the pages one after another, so that a call uses only one database connection at a time.
  for (const agent of agents) pages.push(await read(agent));
  const all = pages.flatMap(({ data }) => data).sort((one, other) => (one.id < other.id ? 1 : -1));
  const data = all.slice(0, limit);
  const last = data.at(-1);
  const isMore = all.length > limit || pages.some(({ next_cursor }) => next_cursor !== null);
  return { data, next_cursor: isMore && last !== undefined ? encodeCursor(last.id) : null };
}
