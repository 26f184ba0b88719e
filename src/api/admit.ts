/** Authenticates the caller and enforces rate limits. */
import type { Request, Response } from 'express';
import type { TokenAuthentication } from './accounts/authenticate.ts';
import type { PersonCaller, TokenCaller } from './caller.ts';
import { enter, isKnown } from './connections.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** Each full block of this many bytes in a body counts as one call. A smaller body counts as one call too. */
const unitBytes = 32 * 1024;

export interface Gate {
  authentication: Pick<TokenAuthentication, 'authenticate'>;
  rates: { token: RateLimiter | undefined; organization: RateLimiter | undefined };
}

/** Admits a call with a token. @throws PublicError unauthorized, rate_limited */
export async function admit(request: Request, { authentication, rates }: Gate): Promise<TokenCaller> {
  const { tokenId, organizationId } = await authentication.authenticate(request.headers.authorization);
  const units = unitsOf(request);
  // Checks the token's rate limit first, so that a token over its limit uses none of the organization's.
  await rates.token?.demand(tokenId, units);
  await rates.organization?.demand(organizationId, units);
  letIn(request, organizationId);
  return { kind: 'token', tokenId, organizationId, address: request.ip };
}

/** Counts a large response like a large body. */
export async function countAnswer(response: Response, caller: TokenCaller, gate: Gate): Promise<void> {
  await count(Number(response.getHeader('content-length') ?? 0), caller, gate);
}

/**
 * Counts a large body without a declared length as several calls, because it takes as much time. Called after the body
 * was read, so it can only limit the caller's next calls. admit() counts a body with a declared length.
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
