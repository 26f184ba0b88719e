/** Connections of this process. Where there are too many, the oldest of those make room that nobody has called on yet who
 *  has shown who they are, then those of known callers who have no call under way, the one that is so for longest first: a
 *  head or a body that comes slowly, without a token or after a refusal, keeps no caller out. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { shareOut } from './open-calls.ts';

const strangers = new Set<Socket>();
/** Of known callers, whose calls are over. */
const idle = new Set<Socket>();

/** @param most connections at once. Beyond them, where calls of known callers are under way on all, a new one is refused. */
export function boundConnections(server: Server, most: number): void {
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
    if (open <= most) return;
    // The new one is a stranger's.
    const [oldest] = strangers.size === 1 && idle.size > 0 ? idle : strangers;
    // It is over at once for this count, and does not go on with what it has sent.
    oldest?.destroy();
  });
}

/** The call was let in: until it is answered its connection makes no room. */
export function isKnown(socket: Socket, response: ServerResponse): void {
  strangers.delete(socket);
  idle.delete(socket);
  response.once('close', () => {
    if (!socket.destroyed) idle.add(socket);
  });
}
