/** Limits the connections of a server, and the calls in progress of each organization. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PublicError } from '../contract/errors.ts';
import { Limiter } from '../limits/limiter.ts';

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
