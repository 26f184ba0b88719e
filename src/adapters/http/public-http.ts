/**
 * The only HTTP client for URLs that a caller, an agent or an operator's form supplies: callbacks, attachments,
 * gateways. It connects only to public or allowed addresses, and only to those that it judged.
 */
import { BlockList, createConnection, isIP } from 'node:net';
import { judgeUrl, type UrlRefusal } from '../../domain/http/address-rules.ts';
import { dial, exchange, type Answer, type Connect, type DialFailure, type Exchange } from './connection.ts';
import { codeOf, NameResolver, type Names } from './name-resolver.ts';

const LOOKUP_MS = 5_000;
/** Key of the limit that look-ups without an organization share. */
const NOBODY = '';
/** Maximum addresses tried per family, to bound the time for a name with a thousand addresses. Chosen. */
const ADDRESSES_PER_FAMILY = 2;

export type BlockedReason = UrlRefusal | 'internal_name' | 'private_address';

/** A destination that was judged. Only the client that created it can send to it. */
export type Target = {
  readonly url: URL;
  /** Name or address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** All were judged; they are tried in order until one accepts. */
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
  /** Sent with Host, Connection and Content-Length; no other header is added. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Total time from look-up to last byte; `send` subtracts the time of the target's look-up. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
};

export type Sent =
  | (Answer & { readonly durationMs: number })
  | {
      readonly outcome: 'failed';
      /** `dns`: the look-up failed, perhaps temporarily; `no_such_name`: the name has no address. */
      readonly reason: DialFailure | 'protocol' | 'dns' | 'no_such_name';
      /** True if any byte of the request may have been sent. */
      readonly sent: boolean;
      readonly durationMs: number;
    };
export type Outcome = Sent | { readonly outcome: 'blocked'; readonly reason: BlockedReason };

export type PublicHttp = {
  /** True if an exception of the operator may apply to this URL, judged by its text. Makes no look-up. */
  readonly mayBeException: (url: string) => boolean;
  /**
   * Judges a URL and looks up its name once. Sends nothing, so it may be repeated.
   * @param organization the organization whose look-up limit applies
   */
  readonly prepare: (url: string, organization?: string) => Promise<Prepared>;
  /** Makes one connection, sends one request, returns one response. Never follows a redirect and never retries. */
  readonly send: (target: Target, sending: Sending) => Promise<Sent>;
  /** Calls `prepare`, then `send`. */
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

/** Creates the client. @throws Error naming an entry of `allow` that cannot be read */
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
    // An internal name may resolve to an allowed range; a public name counts only if the operator listed it.
    return isAddress ? exceptions.coversAddress(host) : isInternalName && exceptions.hasRanges;
  };

  const prepare = async (text: string, organization = NOBODY): Promise<Prepared> => {
    const form = judgeUrl(text);
    if (form.kind === 'refused') return { kind: 'blocked', reason: form.reason };
    const { url, host, port } = form;
    const named = exceptions.coversHost(host, port);
    // An internal name may be in an allowed range. If there are no such ranges, it is not even looked up.
    if (form.isInternalName && !named && !exceptions.hasRanges)
      return { kind: 'blocked', reason: 'internal_name' };

    const started = performance.now();
    const ask = () =>
      // Only names that the operator listed and internal names may come from the hosts file or the system's search
      // domains.
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
      // If the process was suspended meanwhile, the connection may be open although the overdue timer has not fired
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

/**
 * Ranges that are not globally reachable, and addresses of the machine or its cloud. From IANA's special-purpose
 * registries, as lists for Node's own BlockList.
 * Existing libraries were measured and rejected. When they check before an ordinary client connects, they accept the
 * following numbers of 263 URLs that must be refused: request-filtering-agent and ssrf-req-filter 28 each (and only
 * as http.Agent), ipaddr.js's ranges 39, private-ip 67, ssrfcheck 70, ip 101. When they check only in a `lookup`
 * hook, each accepts 183, because Node never calls `lookup` for an address in the URL. Two lists and one rule (IPv6
 * is refused unless listed) need no library.
 */
const REFUSED_IPV4 = [
  '0.0.0.0/8', // "this network"; Linux treats it as the machine itself
  '10.0.0.0/8',
  '100.64.0.0/10', // shared by carriers, VPNs, one cloud's metadata
  '127.0.0.0/8',
  '168.63.129.16/32', // a cloud's host agent, although in a public range
  '169.254.0.0/16', // link-local, most clouds' metadata
  '172.16.0.0/12',
  '192.0.0.0/24', // protocol assignments, one cloud's metadata
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
];
/** All other IPv6 addresses are refused: mapped, translated, unique local, link-local, multicast, unassigned. */
const GLOBAL_IPV6 = ['2000::/3'];
const REFUSED_IPV6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4 wraps any IPv4 address
  '3fff::/20', // documentation
];

/** Creates a list of CIDR ranges. @throws Error if an entry is not `address/prefix` */
function addressList(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', prefix = ''] = cidr.split('/');
    const family = isIP(address);
    if (family === 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > (family === 4 ? 32 : 128)) {
      throw new Error(`"${cidr}" is not a CIDR range. Write it as 172.16.0.0/12 or fd00::/8.`);
    }
    list.addSubnet(address, Number(prefix), family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

const refusedIpv4 = addressList(REFUSED_IPV4);
const globalIpv6 = addressList(GLOBAL_IPV6);
const refusedIpv6 = addressList(REFUSED_IPV6);

/**
 * True for a plain, globally reachable IPv4 or IPv6 address; false for everything else, including text that is not
 * an address.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !refusedIpv4.check(address, 'ipv4');
    case 6:
      // An address with a zone (`%eth0`) belongs to one link, so it is never public.
      return (
        !address.includes('%') && globalIpv6.check(address, 'ipv6') && !refusedIpv6.check(address, 'ipv6')
      );
    default:
      return false;
  }
}

/** The addresses that an operator allows besides public ones: `CALLBACK_ALLOW`, `GATEWAY_ALLOW`. */
type AddressExceptions = {
  /** True if the operator named this host: any address that it resolves to is allowed. */
  readonly coversHost: (host: string, port: number) => boolean;
  /** True if the address is in an allowed range. */
  readonly coversAddress: (address: string) => boolean;
  readonly hasRanges: boolean;
};

/**
 * Parses an operator's exceptions.
 * @param entries CIDR ranges (`172.18.0.0/16`: any port, also for internal names that resolve into them), hosts
 * (`gateway`: any port) or hosts with a port (`127.0.0.1:4000`, `[::1]:4000`)
 * @throws Error naming the first entry that is none of these
 */
export function readExceptions(entries: readonly string[]): AddressExceptions {
  const ranges = entries.filter((entry) => entry.includes('/'));
  const list = addressList(ranges);
  const hosts = new Set(entries.filter((entry) => !entry.includes('/')).map(hostKey));
  return {
    coversHost: (host, port) => hosts.has(host) || hosts.has(`${host} ${port}`),
    coversAddress: (address) => {
      const family = isIP(address);
      if (family === 0 || address.includes('%')) return false;
      return list.check(address, family === 4 ? 'ipv4' : 'ipv6');
    },
    hasRanges: ranges.length > 0,
  };
}

/** Returns the host in the URL parser's form, so that an entry and a URL compare equal. */
function hostKey(entry: string): string {
  const bracketed = isIP(entry) === 6 ? `[${entry}]` : entry;
  const port = /:(\d+)$/.exec(bracketed)?.[1];
  const name = port === undefined ? bracketed : bracketed.slice(0, -port.length - 1);
  const wanted = `http://${name}/`;
  const isHost = name !== '' && !/[\s@?#\\%*:]/.test(name.replace(/^\[.*\]$/, '')) && URL.canParse(wanted);
  if (!isHost || (port !== undefined && (Number(port) === 0 || Number(port) > 65_535))) {
    throw new Error(`"${entry}" is not an exception. Write a CIDR range, a host, or host:port.`);
  }
  const host = new URL(wanted).hostname.replace(/^\[|\]$|\.$/g, '');
  return port === undefined ? host : `${host} ${Number(port)}`;
}
