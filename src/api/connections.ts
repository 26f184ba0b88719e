/**
 * Limits the connections of this process, and separately those without an authenticated call. Also limits each
 * organization's calls in progress, because a call that waits for an answer or follows a stream holds a connection.
 *
 * Over a connection limit, closes the oldest unauthenticated connection. If only the new one is unauthenticated, closes
 * the longest-idle authenticated one instead, if any is idle. Slow headers or bodies of unauthenticated callers
 * therefore cannot lock out known callers.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PublicError } from '../contract/errors.ts';
import { Limiter } from '../limits/limiter.ts';

const unauthenticated = new Set<Socket>();
/** Connections of known callers without a call in progress. */
const idle = new Set<Socket>();

/**
 * Maximum share of connections without an authenticated call. Chosen, because opening and closing thousands of
 * connections at once occupies the process for most of a second.
 */
const unauthenticatedShare = 0.2;
/**
 * Minimum of the limit above, so that a few callers who connect at once do not close each other's connections. Chosen.
 */
const minUnauthenticated = 200;

/**
 * Limits the connections of a server and the calls of each organization.
 * @param most maximum connections at once. If all of them serve calls of known callers, closes a new one at once.
 * @param maxUnauthenticated maximum connections without an authenticated call; by default a fifth, or 200 if that is
 * more
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
    // The new connection is itself unauthenticated.
    const [oldest] = unauthenticated.size === 1 && idle.size > 0 ? idle : unauthenticated;
    // Destroyed instead of ended, so that its remaining input is not processed.
    oldest?.destroy();
  });
}

/** Marks the connection of an admitted call as a known caller's. It is not closed before the response ends. */
export function isKnown(socket: Socket, response: ServerResponse): void {
  unauthenticated.delete(socket);
  idle.delete(socket);
  response.once('close', () => {
    if (!socket.destroyed) idle.add(socket);
  });
}

let maxCalls = 1000;
let calls = new Limiter({ maxPerOwner: maxCalls });

/** Sets the maximum calls of each organization to a fifth of this process's connections. */
function shareOut(connections: number): void {
  maxCalls = Math.ceil(connections / 5);
  calls = new Limiter({ maxPerOwner: maxCalls });
}

/** Counts the organization's call until its response ends. @throws PublicError rate_limited */
export function enter(organizationId: string, response: ServerResponse): void {
  const release = calls.tryHold(organizationId);
  if (release === undefined)
    throw new PublicError('rate_limited', {
      sentence: `Your organization has ${maxCalls} calls in progress. Wait for some to end.`,
      retryAfterSeconds: 1,
    });
  response.once('close', release);
}
