/**
 * Bounds the connections of this process, those without an authenticated call, and the calls that an organization has
 * in progress: a call that waits for an answer or follows a stream holds a connection. If there are too many
 * connections, it closes the oldest connection without an authenticated call, then the connection of a known caller
 * that has been idle longest. So slow headers or bodies, without a token or after a refusal, lock out no caller.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PublicError } from '../contract/errors.ts';
import { Limiter } from '../limits/limiter.ts';

const strangers = new Set<Socket>();
/** Connections of known callers without a call in progress. */
const idle = new Set<Socket>();

/** Opening and closing thousands of connections at once occupies the process for most of a second. */
const strangersShare = 0.2;
/** On a small installation, callers that connect at the same moment must not replace each other. */
const minStrangers = 200;

/**
 * @param most connections at once. If all have calls of known callers in progress, a new one is refused.
 * @param maxStrangers of them without an authenticated call; by default a fifth, or 200 if that is more
 */
export function boundConnections(
  server: Server,
  most: number,
  maxStrangers = Math.max(minStrangers, most * strangersShare),
): void {
  shareOut(most);
  let open = 0;
  server.on('connection', (socket) => {
    open += 1;
    strangers.add(socket);
    socket.once('close', () => {
      open -= 1;
      strangers.delete(socket);
      idle.delete(socket);
    });
    if (open <= most && strangers.size <= maxStrangers) return;
    // The new connection is anonymous itself.
    const [oldest] = strangers.size === 1 && idle.size > 0 ? idle : strangers;
    // Counts as closed at once, and its remaining input is not processed.
    oldest?.destroy();
  });
}

/** The call was admitted: its connection is not closed before the response ends. */
export function isKnown(socket: Socket, response: ServerResponse): void {
  strangers.delete(socket);
  idle.delete(socket);
  response.once('close', () => {
    if (!socket.destroyed) idle.add(socket);
  });
}

let maxCalls = 1000;
let calls = new Limiter({ maxPerOwner: maxCalls });

/** @param connections of this process; an organization's share is a fifth */
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
