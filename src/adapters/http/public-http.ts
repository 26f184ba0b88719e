/**
 * The HTTP client for URLs that come from outside the installation, for example of callbacks, attachments, tools and
 * gateways. It connects only to addresses that it has judged to be public or allowed. Each request has its own
 * connection. The size of each response and the total time are limited, whatever the server does.
 */
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { createConnection, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import {
  isPublicAddress,
  judgeUrl,
  readExceptions,
  type UrlRefusal,
} from '../../domain/http/address-rules.ts';
import { codeOf, NameResolver, type Names } from './name-resolver.ts';

const LOOKUP_MS = 5_000;
/** Maximum addresses per family that are tried, so that a name with very many addresses does not take long. Chosen. */
const ADDRESSES_PER_FAMILY = 2;

export type BlockedReason = UrlRefusal | 'internal_name' | 'private_address';

/** A destination that a client has judged. Only this client can send to it. */
export type Target = {
  readonly url: URL;
  /** Host name or IP address; an IPv6 address has no brackets. */
  readonly host: string;
  readonly port: number;
  /** The judged addresses, tried in this order until one accepts the connection. */
  readonly addresses: readonly string[];
  /** True if an operator's exception covers the host or all of its addresses. */
  readonly isException: boolean;
  readonly lookupMs: number;
};

export type Prepared =
  | { readonly kind: 'allowed'; readonly target: Target }
  | { readonly kind: 'blocked'; readonly reason: BlockedReason }
  /** `not_found`: the name has no address. `unavailable` and `timeout` may be temporary. */
  | { readonly kind: 'unresolved'; readonly reason: 'not_found' | 'unavailable' | 'timeout' };

export type Sending = Pick<Exchange, 'method' | 'maxBytes' | 'sinkFor'> & {
  /** The client adds only Host, Connection and, for a body, Content-Length. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Maximum total milliseconds, from look-up to last byte. `send` subtracts the time of the target's look-up. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
};

export type Sent =
  | (Answer & { readonly durationMs: number })
  | {
      readonly outcome: 'failed';
      /** `dns`: the look-up failed, perhaps temporarily; `no_such_name`: the name has no address. */
      readonly reason: DialFailure | 'protocol' | 'dns' | 'no_such_name';
      /** False if no byte of the request was sent. */
      readonly sent: boolean;
      readonly durationMs: number;
    };
export type Outcome = Sent | { readonly outcome: 'blocked'; readonly reason: BlockedReason };

export type PublicHttp = {
  /**
   * Returns true if an exception of the operator covers this URL, or may cover the addresses of its internal name.
   * Judges only the URL's text, without a look-up.
   */
  readonly mayBeException: (url: string) => boolean;
  /**
   * Judges a URL and looks up its name once. Sends nothing to the server, so it may be repeated.
   * @param organization the organization whose look-up limit applies; absent: the limit shared by all such calls
   */
  readonly prepare: (url: string, organization?: string) => Promise<Prepared>;
  /**
   * Opens a connection, sends one request and returns its response, or why there is none. Never follows a redirect and
   * never retries.
   * @throws Error if this client has not judged the target; the errors of the sink
   */
  readonly send: (target: Target, sending: Sending) => Promise<Sent>;
  /**
   * Calls `prepare` and, if the address is allowed, `send`.
   * @returns `blocked` if the address rules refuse the address; `failed` with `no_such_name` or `dns` if the look-up
   * fails; otherwise as `send`
   * @throws the errors of the sink
   */
  readonly request: (
    sending: Sending & { readonly url: string; readonly organization?: string },
  ) => Promise<Outcome>;
};

export type PublicHttpOptions = {
  /** Exceptions to the address rules: CIDR ranges, `host` or `host:port`. */
  readonly allow: readonly string[];
  /**
   * Pass one resolver to all clients of a process, so that they share each organization's look-up limit. Default: a
   * new one.
   */
  readonly names?: Names;
  readonly connect?: Connect;
};

/** Creates the client. @throws Error if an entry of `allow` is not valid */
export function createPublicHttp(options: PublicHttpOptions): PublicHttp {
  const exceptions = readExceptions(options.allow);
  const names = options.names ?? new NameResolver();
  const connect: Connect = options.connect ?? ((to) => createConnection({ ...to, noDelay: true }));
  const judged = new WeakSet<Target>();

  const mayBeException = (text: string): boolean => {
    const form = judgeUrl(text);
    if (form.kind === 'refused') return false;
    const { host, port, isAddress, isInternalName } = form;
    if (exceptions.coversHost(host, port)) return true;
    // An internal name may resolve to an allowed range. A public name counts only if the operator listed it, because
    // its addresses are not looked up here.
    return isAddress ? exceptions.coversAddress(host) : isInternalName && exceptions.hasRanges;
  };

  const prepare = async (text: string, organization?: string): Promise<Prepared> => {
    const form = judgeUrl(text);
    if (form.kind === 'refused') return { kind: 'blocked', reason: form.reason };
    const { url, host, port } = form;
    const named = exceptions.coversHost(host, port);
    // An internal name may have an address in an allowed range. If the operator allowed no range, the name is refused
    // without a look-up.
    if (form.isInternalName && !named && !exceptions.hasRanges)
      return { kind: 'blocked', reason: 'internal_name' };

    const started = performance.now();
    const ask = () =>
      // The system also uses its hosts file and its search domains, which only internal names and names that the
      // operator listed may use.
      named || form.isInternalName
        ? names.resolveBySystem(host, organization, named)
        : names.resolve(host, organization);
    const found = form.isAddress ? [host] : await lookUp(ask);
    if (typeof found === 'string') {
      return form.isInternalName && !named
        ? { kind: 'blocked', reason: 'internal_name' }
        : { kind: 'unresolved', reason: found };
    }
    const isException = named || found.every((address) => exceptions.coversAddress(address));
    if (!isException && form.isInternalName) return { kind: 'blocked', reason: 'internal_name' };
    if (!named && !found.every((address) => isPublicAddress(address) || exceptions.coversAddress(address))) {
      return { kind: 'blocked', reason: 'private_address' };
    }
    const lookupMs = performance.now() - started;
    const target: Target = { url, host, port, addresses: toDial(found), isException, lookupMs };
    judged.add(target);
    return { kind: 'allowed', target };
  };

  const send = async (target: Target, sending: Sending): Promise<Sent> => {
    if (!judged.has(target)) throw new Error('This destination was not judged: it must come from prepare().');
    const started = performance.now();
    const durationMs = (): number => Math.round(target.lookupMs + performance.now() - started);
    const stop = new AbortController();
    const abort = (): void => {
      stop.abort();
    };
    const deadline = setTimeout(abort, Math.max(0, sending.timeoutMs - target.lookupMs));
    sending.signal?.addEventListener('abort', abort);
    if (sending.signal?.aborted === true) abort();
    const limit = {
      signal: stop.signal,
      why: () => (sending.signal?.aborted === true ? ('aborted' as const) : ('timeout' as const)),
    };
    try {
      const { url } = target;
      const dialled = await dial({ ...target, secure: url.protocol === 'https:' }, connect, limit);
      if (dialled.kind === 'failed') {
        return { outcome: 'failed', reason: dialled.reason, sent: false, durationMs: durationMs() };
      }
      // If the process was suspended during the connect, the deadline may have passed although its timer has not fired
      // yet.
      if (durationMs() > sending.timeoutMs) {
        dialled.socket.destroy();
        return { outcome: 'failed', reason: 'timeout', sent: false, durationMs: durationMs() };
      }
      const exchanged = await exchange(
        dialled.socket,
        {
          method: sending.method,
          path: `${url.pathname}${url.search}`,
          hostHeader: url.host,
          headers: sending.headers ?? {},
          body: sending.body === undefined ? undefined : Buffer.from(sending.body),
          maxBytes: sending.maxBytes,
          sinkFor: sending.sinkFor,
        },
        limit,
      );
      if (exchanged.outcome === 'failed') {
        return { outcome: 'failed', reason: exchanged.reason, sent: true, durationMs: durationMs() };
      }
      return { ...exchanged, durationMs: durationMs() };
    } finally {
      clearTimeout(deadline);
      sending.signal?.removeEventListener('abort', abort);
    }
  };

  const request: PublicHttp['request'] = async (sending) => {
    const started = performance.now();
    const prepared = await prepare(sending.url, sending.organization);
    if (prepared.kind === 'allowed') return send(prepared.target, sending);
    if (prepared.kind === 'blocked') return { outcome: 'blocked', reason: prepared.reason };
    const durationMs = Math.round(performance.now() - started);
    const reason = prepared.reason === 'not_found' ? 'no_such_name' : 'dns';
    return { outcome: 'failed', reason, sent: false, durationMs };
  };

  return { mayBeException, prepare, send, request };
}

type Unresolved = 'not_found' | 'unavailable' | 'timeout';

async function lookUp(ask: () => Promise<readonly string[]>): Promise<readonly string[] | Unresolved> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Unresolved>((settle) => {
    timer = setTimeout(settle, LOOKUP_MS, 'timeout');
  });
  const answers = ask().then(
    (found) => (found.length === 0 ? 'not_found' : found),
    (error: unknown) => unresolvedBy(codeOf(error)),
  );
  return Promise.race([answers, late]).finally(() => {
    clearTimeout(timer);
  });
}

function unresolvedBy(code: string): Unresolved {
  if (code === 'ENOTFOUND' || code === 'ENODATA') return 'not_found';
  return code === 'ETIMEOUT' || code === 'ECANCELLED' ? 'timeout' : 'unavailable';
}

function toDial(found: readonly string[]): readonly string[] {
  const first = (family: number) =>
    found.filter((address) => isIP(address) === family).slice(0, ADDRESSES_PER_FAMILY);
  const kept = new Set([...first(4), ...first(6)]);
  return found.filter((address) => kept.has(address));
}

/** Timeout of all connection attempts and the TLS handshake together. Chosen. */
const CONNECT_MS = 5_000;
/**
 * Timeout of the attempt at each address except the last, so that a broken IPv6 route does not use up CONNECT_MS.
 * Chosen.
 */
const FIRST_ADDRESS_MS = 1_500;
const MAX_HEADER_BYTES = 16_384;

type Connect = (to: { readonly host: string; readonly port: number }) => Socket;

/** Aborts the work at the deadline or when the caller aborts; `why` returns which of them happened. */
type Limit = { readonly signal: AbortSignal; readonly why: () => 'timeout' | 'aborted' };

type DialFailure = 'timeout' | 'aborted' | 'connection_refused' | 'connection_reset' | 'unreachable' | 'tls';
type Dialled =
  | { readonly kind: 'open'; readonly socket: Socket }
  | { readonly kind: 'failed'; readonly reason: DialFailure };

type DialTarget = {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly addresses: readonly string[];
};

/** Tries the addresses in turn until one accepts; for https, then does the TLS handshake. */
async function dial(target: DialTarget, connect: Connect, limit: Limit): Promise<Dialled> {
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
    // Set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED=0 must not affect this client.
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
    // This listener is never removed, because an `error` event without a listener would end the process.
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

/** Receives a response body in pieces. The next piece is read once the returned promise is fulfilled. */
type BodySink = (piece: Buffer) => Promise<void>;

type Exchange = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly hostHeader: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** Maximum bytes of the response body that are read; then the connection is closed. */
  readonly maxBytes: number;
  /**
   * Returns the sink that receives the body, or undefined if the body must not be read. In both cases, the result's
   * `body` is empty. Without `sinkFor`, the result's `body` contains the response's body. `send` throws the errors of
   * the sink; `sinkFor` must not throw.
   */
  readonly sinkFor?: ((status: number, headers: IncomingHttpHeaders) => BodySink | undefined) | undefined;
};

type ExchangeFailure = 'timeout' | 'aborted' | 'connection_reset' | 'protocol';

export type Answer = {
  readonly outcome: 'answered';
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** At most the first `maxBytes` bytes, not decompressed; empty if the request had `sinkFor`. */
  readonly body: Buffer;
  /** True if the body was longer than `maxBytes`. */
  readonly truncated: boolean;
  /**
   * False if the body was not received to its end, because `sinkFor` refused it, it is longer than `maxBytes`, the
   * deadline passed, the caller aborted, or the server broke off.
   */
  readonly bodyComplete: boolean;
};
type Exchanged = Answer | { readonly outcome: 'failed'; readonly reason: ExchangeFailure };

/**
 * Sends the request and reads the response; then always closes the connection.
 *
 * Uses `node:http` instead of undici: undici 8 closes the connection on an unrequested `100 Continue`, and so reports
 * a request that was received and answered with 200 as failed; fetch adds headers, follows a 307 with the body, and
 * inflates without a limit. Without an agent there is one connection, no proxy, no retry and no redirect.
 *
 * Each request has a new connection: if a kept-alive connection breaks during a POST, nobody can know whether the
 * request arrived. Measured with a receiver that resets idle connections just as the next request is sent: of 500
 * posts, a pool lost 241, 69 of which had arrived; new connections lost none. On loopback, a post over a new connection
 * costs 0.21 ms of CPU time instead of 0.08 ms; the surrounding workflow costs about a hundred times as much.
 */
function exchange(socket: Socket, wanted: Exchange, limit: Limit): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let response: IncomingMessage | undefined;

    const stop = (): void => {
      limit.signal.removeEventListener('abort', expire);
      request.destroy();
      socket.destroy();
    };
    const settle = (exchanged: Exchanged): void => {
      stop();
      resolve(exchanged);
    };
    const answer = (from: IncomingMessage, truncated = false): void => {
      settle({
        outcome: 'answered',
        status: from.statusCode ?? 0,
        headers: from.headers,
        body: Buffer.concat(chunks),
        truncated,
        bodyComplete: from.complete && !truncated,
      });
    };
    /** Settles after a fault. If the status arrived, the request counts as answered, even if the body broke off. */
    const end = (reason: ExchangeFailure): void => {
      if (response === undefined) {
        settle({ outcome: 'failed', reason });
        return;
      }
      // The stream may still buffer data that arrived with the fault; `read` emits it as 'data'.
      response.read();
      answer(response);
    };
    const expire = (): void => {
      end(limit.why());
    };

    const request = httpRequest({
      createConnection: () => socket,
      method: wanted.method,
      path: wanted.path,
      maxHeaderSize: MAX_HEADER_BYTES,
      headers: {
        ...wanted.headers,
        Host: wanted.hostHeader,
        Connection: 'close',
        ...(wanted.body === undefined ? {} : { 'Content-Length': wanted.body.byteLength }),
      },
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      end(error.code?.startsWith('HPE_') === true ? 'protocol' : 'connection_reset');
    });
    request.on('upgrade', (upgraded) => {
      answer(upgraded);
    });
    request.on('response', (arrived) => {
      response = arrived;
      const sink = wanted.sinkFor?.(arrived.statusCode ?? 0, arrived.headers);
      if (wanted.sinkFor !== undefined && sink === undefined) {
        answer(arrived);
        return;
      }
      arrived.on('data', (chunk: Buffer) => {
        const room = wanted.maxBytes - size;
        size += Math.min(chunk.byteLength, room);
        if (chunk.byteLength > room) {
          if (sink === undefined) chunks.push(chunk.subarray(0, room));
          answer(arrived, true);
        } else if (sink === undefined) chunks.push(chunk);
        else {
          // A paused stream emits no 'end', so 'end' comes after the sink has handled every piece.
          arrived.pause();
          sink(chunk).then(
            () => arrived.resume(),
            (error: unknown) => {
              stop();
              reject(error instanceof Error ? error : new Error(String(error)));
            },
          );
        }
      });
      arrived.on('end', () => {
        answer(arrived);
      });
      arrived.on('error', () => {
        answer(arrived);
      });
    });
    limit.signal.addEventListener('abort', expire);
    request.end(wanted.body);
    if (limit.signal.aborted) expire();
  });
}

/**
 * The message for each failure. The messages of the operating system's errors are not used, because they could reveal
 * addresses of our network.
 */
export const failures: Record<Extract<Sent, { outcome: 'failed' }>['reason'], string> = {
  timeout: 'no answer came in time',
  aborted: 'the call was aborted',
  connection_refused: 'the connection was refused',
  connection_reset: 'the connection was lost',
  unreachable: 'the server could not be reached',
  tls: 'no trusted TLS connection could be made',
  protocol: 'the answer was not HTTP',
  dns: 'the host name could not be looked up',
  no_such_name: 'the host name does not exist',
};
