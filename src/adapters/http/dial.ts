/**
 * Opens one connection to one of several addresses that were judged before. The socket layer gets only addresses, so
 * it resolves no names.
 */
import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** Timeout of all connection attempts and the TLS handshake together. */
const CONNECT_MS = 5_000;
/** Timeout of each address except the last: a broken IPv6 route must not use up the whole timeout. */
const FIRST_ADDRESS_MS = 1_500;

export type Connect = (to: { readonly host: string; readonly port: number }) => Socket;

/** Aborts the work at the deadline or by the caller's signal; `why` returns which of the two. */
export type Limit = { readonly signal: AbortSignal; readonly why: () => 'timeout' | 'aborted' };

export type DialFailure =
  'timeout' | 'aborted' | 'connection_refused' | 'connection_reset' | 'unreachable' | 'tls';
export type Dialled =
  | { readonly kind: 'open'; readonly socket: Socket }
  | { readonly kind: 'failed'; readonly reason: DialFailure };

export type DialTarget = {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly addresses: readonly string[];
};

/** Tries the addresses in turn until one accepts; for https, then does the TLS handshake. */
export async function dial(target: DialTarget, connect: Connect, limit: Limit): Promise<Dialled> {
  const until = performance.now() + CONNECT_MS;
  let outcome: Dialled = { kind: 'failed', reason: 'unreachable' };
  for (const [index, address] of target.addresses.entries()) {
    const left = until - performance.now();
    if (left <= 0 || limit.signal.aborted) break;
    const isLast = index === target.addresses.length - 1;
    const patience = isLast ? left : Math.min(left, FIRST_ADDRESS_MS);
    outcome = await opened(connect({ host: address, port: target.port }), 'connect', patience, limit);
    if (outcome.kind === 'open') break;
  }
  if (limit.signal.aborted) return abandoned(outcome, limit);
  if (outcome.kind === 'failed' || !target.secure) return outcome;
  return handshake(outcome.socket, target.host, until - performance.now(), limit);
}

async function handshake(socket: Socket, host: string, patience: number, limit: Limit): Promise<Dialled> {
  const secured = connectTls({
    socket,
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['http/1.1'],
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 must not affect this client.
    rejectUnauthorized: true,
  });
  const outcome = await opened(secured, 'secureConnect', patience, limit);
  if (outcome.kind === 'failed') socket.destroy();
  if (outcome.kind === 'failed' && (outcome.reason === 'timeout' || outcome.reason === 'aborted'))
    return outcome;
  return outcome.kind === 'failed' ? { kind: 'failed', reason: 'tls' } : outcome;
}

function opened(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  ms: number,
  limit: Limit,
): Promise<Dialled> {
  return new Promise((resolve) => {
    const settle = (dialled: Dialled): void => {
      clearTimeout(timer);
      limit.signal.removeEventListener('abort', abort);
      socket.removeListener('close', closed);
      if (dialled.kind === 'failed') socket.destroy();
      resolve(dialled);
    };
    const fail = (reason: DialFailure): void => {
      settle({ kind: 'failed', reason });
    };
    const abort = (): void => {
      fail(limit.why());
    };
    const closed = (): void => {
      fail('connection_reset');
    };
    const timer = setTimeout(fail, Math.max(0, ms), 'timeout');
    limit.signal.addEventListener('abort', abort);
    // Never removed: an `error` event without a listener would end the process.
    socket.on('error', (error) => {
      fail(reasonOf(error));
    });
    socket.once('close', closed);
    socket.once(event, () => {
      settle({ kind: 'open', socket });
    });
    if (limit.signal.aborted) abort();
  });
}

function abandoned(outcome: Dialled, limit: Limit): Dialled {
  if (outcome.kind === 'open') outcome.socket.destroy();
  return { kind: 'failed', reason: limit.why() };
}

function reasonOf(error: NodeJS.ErrnoException): DialFailure {
  const { code } = error;
  if (code === 'ECONNREFUSED') return 'connection_refused';
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'connection_reset';
  return code === 'ETIMEDOUT' ? 'timeout' : 'unreachable';
}
