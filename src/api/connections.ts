/** Connections of this process. Where there are too many, the oldest of those make room that nobody has called on yet who
 *  has shown who they are: a head or a body that comes slowly, without a token, keeps no caller out. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { shareOut } from './open-calls.ts';

const strangers = new Set<Socket>();

/** @param most connections at once. Beyond them, where all callers are known, a new one is refused. */
export function boundConnections(server: Server, most: number): void {
  shareOut(most);
  let open = 0;
  server.on('connection', (socket) => {
    open += 1;
    strangers.add(socket);
    socket.once('close', () => {
      open -= 1;
      strangers.delete(socket);
    });
    if (open <= most) return;
    // Known callers' that are idle; then the oldest stranger's, which may be this one.
    if (strangers.size === 1) server.closeIdleConnections();
    const [oldest] = strangers;
    // It is over at once for this count, and does not go on with what it has sent.
    oldest?.destroy();
  });
}

/** Somebody calls on it whose credentials are right. */
export function isKnown(socket: Socket): void {
  strangers.delete(socket);
}
