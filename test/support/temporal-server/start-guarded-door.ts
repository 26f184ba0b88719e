/** The door of Temporal Cloud: HTTP/2 over TLS, nobody passes without the API key or the client certificate that it wants.
 *  Behind it is a Temporal that wants neither. */
import { once } from 'node:events';
import { connect, createSecureServer, type Http2Session, type IncomingHttpHeaders } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { authorityCertificate, serverCertificate, serverKey } from './tls-certificates.ts';

export type GuardedDoor = {
  /** host:port */
  address: string;
  passed: { path: string }[];
  refused: () => number;
  close: () => Promise<void>;
};

const grpcUnauthenticated = '16';

/** @param options.behind host:port of the real one */
export async function startGuardedDoor(options: {
  behind: string;
  apiKey?: string;
  wantsCertificate?: boolean;
}): Promise<GuardedDoor> {
  const { behind, apiKey, wantsCertificate = false } = options;
  const server = createSecureServer({
    ...{ key: serverKey, cert: serverCertificate, ca: authorityCertificate },
    ...{ requestCert: wantsCertificate, rejectUnauthorized: wantsCertificate },
  });
  const sessions = new Set<Http2Session>();
  const passed: GuardedDoor['passed'] = [];
  let refused = 0;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => {
    refused += 1;
  });
  server.on('session', (near) => {
    const far = connect(`http://${behind}`);
    for (const session of [near, far]) {
      sessions.add(session);
      session.on('error', () => undefined);
      session.on('close', () => {
        sessions.delete(session);
        near.destroy();
        far.destroy();
      });
    }
    near.on('stream', (stream, headers) => {
      stream.on('error', () => undefined);
      if (apiKey !== undefined && headers.authorization !== `Bearer ${apiKey}`) {
        refused += 1;
        stream.respond(
          { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': grpcUnauthenticated },
          { endStream: true },
        );
        return;
      }
      passed.push({ path: headers[':path'] ?? '' });
      const { ':scheme': _, ':authority': __, ...kept } = headers;
      const onward = far.request(kept);
      onward.on('error', () => stream.destroy());
      stream.on('close', () => {
        onward.destroy();
      });
      onward.on('response', (answer) => {
        stream.respond(answer, { waitForTrailers: true });
        onward.on('trailers', (trailers: IncomingHttpHeaders) => {
          stream.on('wantTrailers', () => {
            stream.sendTrailers(trailers);
          });
        });
        onward.pipe(stream);
      });
      stream.pipe(onward);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    refused: () => refused,
    close: async () => {
      // No new connection is accepted. One that is still in its handshake has no session yet.
      const closed = new Promise((resolve) => server.close(resolve));
      for (const session of sessions) session.destroy();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
