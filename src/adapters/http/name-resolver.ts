/**
 * Resolves the host names of supplied URLs by DNS queries of its own. Only `resolveBySystem` uses `dns.lookup`, which
 * runs on libuv's four threads: a few names whose name servers do not answer would block every other `dns.lookup` of
 * the process for seconds. Each organization has a look-up limit, so that one organization's dead name servers do not
 * delay another organization.
 */
import { lookup, Resolver } from 'node:dns/promises';
import { Limiter } from '../../limits/limiter.ts';

export interface Names {
  /**
   * Resolves a name with the configured name servers.
   * @param organization the organization whose look-up limit applies; undefined: the limit shared by all such calls
   * @returns all addresses, IPv4 first
   * @throws an error with the `code` ENOTFOUND if the name has no address, and with another code if the look-up failed;
   * NoSlot if too many look-ups of the organization already wait, or this look-up waited too long for a slot
   */
  resolve: (name: string, organization: string | undefined) => Promise<readonly string[]>;
  /**
   * Resolves a name as the operating system does, including its hosts file. Use it for names that the operator allowed,
   * and for internal names.
   * @param isNamed true if the operator allowed this name; the look-up limit then does not apply
   * @throws the error of `dns.lookup`; NoSlot as `resolve` does, if the limit applies
   */
  resolveBySystem: (
    name: string,
    organization: string | undefined,
    isNamed: boolean,
  ) => Promise<readonly string[]>;
}

export interface NameResolverOptions {
  /** Name servers, each as `address` or `address:port`. Default: the system's servers (/etc/resolv.conf). */
  servers?: readonly string[];
  maxTtlMs?: number;
  maxEntries?: number;
}

/** Timeout of one query to one server, and the number of tries per server. Chosen. */
const tryMs = 1500;
const tries = 2;
/** Timeout of the whole look-up, for any number of servers. Chosen. */
const totalMs = 4500;
/** Maximum wait for the other address family after one family has returned addresses. Chosen. */
const otherFamilyMs = 1500;

const usualMaxTtlMs = 60_000;
const usualMaxEntries = 4096;
/**
 * Milliseconds for which "no such name" is cached. Chosen to be short, because somebody may be about to create the
 * name.
 */
const notFoundMs = 5000;
/**
 * Milliseconds for which a failure is cached, so that a burst of callbacks to one failing name causes one query.
 * Chosen.
 */
const failureMs = 1000;
/** Results with more addresses than this are not cached, because one response may contain thousands. Chosen. */
const maxKeptAddresses = 64;

const questions = { max: 512, maxPerOwner: 16, maxWaiting: 500, maxWaitMs: 2000 };
/** Limits of system look-ups of internal names. They leave two of libuv's four threads free. Chosen. */
const systemCalls = { max: 2, maxPerOwner: 1, maxWaiting: 50, maxWaitMs: 2000 };

interface Known {
  untilMs: number;
  found: readonly string[] | Error;
}

export class NameResolver implements Names {
  readonly #servers: readonly string[];
  readonly #maxTtlMs: number;
  readonly #maxEntries: number;
  /** Cached results, the least recently used first. */
  readonly #known = new Map<string, Known>();
  readonly #inProgress = new Map<string, Promise<readonly string[]>>();
  readonly #questions = new Limiter(questions);
  readonly #systemCalls = new Limiter(systemCalls);
  readonly #systemInProgress = new Map<string, Promise<readonly string[]>>();

  /** @throws Error naming the first server that is neither `address` nor `address:port` */
  constructor({ servers = [], maxTtlMs, maxEntries }: NameResolverOptions = {}) {
    checkNameServers(servers);
    this.#servers = servers;
    this.#maxTtlMs = maxTtlMs ?? usualMaxTtlMs;
    this.#maxEntries = maxEntries ?? usualMaxEntries;
  }

  /**
   * Resolves a name at the configured DNS servers, or takes the cached result. Concurrent calls for one name share a
   * look-up.
   * @returns the addresses
   * @throws NoSlot if too many look-ups of the organization already wait, or if this look-up waited too long for a
   * slot; the error of the look-up, which may be a cached one
   */
  async resolve(name: string, organization: string | undefined): Promise<readonly string[]> {
    // Organizations share only a look-up that has started. One that still waits for a slot is not shared, because its
    // organization may have used up its own limit.
    const find = () => this.#find(name) ?? this.#inProgress.get(name);
    return await (find() ??
      this.#questions.use(
        organization,
        () => find() ?? share(this.#inProgress, name, () => this.#ask(name)),
      ));
  }

  /**
   * Resolves a name as the operating system does, with its hosts file. Concurrent calls for one name share a look-up.
   * @param isNamed true if the operator allowed this name; the look-up limit then does not apply
   * @returns the addresses
   * @throws the error of `dns.lookup`; NoSlot as `resolve` does, if the limit applies
   */
  async resolveBySystem(
    name: string,
    organization: string | undefined,
    isNamed: boolean,
  ): Promise<readonly string[]> {
    const ask = () =>
      share(this.#systemInProgress, name, async () => {
        const answers = await lookup(name, { all: true, order: 'verbatim' });
        return answers.map(({ address }) => address);
      });
    // The operator allows few names, so their look-ups need no limit. An organization can invent any number of internal
    // names.
    return await (isNamed ? ask() : this.#systemCalls.use(organization, ask));
  }

  #find(name: string): Promise<readonly string[]> | undefined {
    const known = this.#known.get(name);
    if (known === undefined) return undefined;
    this.#known.delete(name);
    if (known.untilMs <= performance.now()) return undefined;
    this.#known.set(name, known);
    return known.found instanceof Error ? Promise.reject(known.found) : Promise.resolve(known.found);
  }

  #keep(name: string, found: Known['found'], ttlMs: number): void {
    if (!(found instanceof Error) && found.length > maxKeptAddresses) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= this.#maxEntries) this.#known.delete(oldest);
    this.#known.set(name, { found, untilMs: performance.now() + Math.min(ttlMs, this.#maxTtlMs) });
  }

  async #ask(name: string): Promise<readonly string[]> {
    try {
      const { addresses, ttlMs } = await ask(name, this.#servers);
      this.#keep(name, addresses, ttlMs);
      return addresses;
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      this.#keep(name, failure, codeOf(failure) === 'ENOTFOUND' ? notFoundMs : failureMs);
      throw failure;
    }
  }
}

/** Validates name servers. @throws Error naming the first one that is neither `address` nor `address:port` */
export function checkNameServers(servers: readonly string[]): void {
  for (const server of servers) {
    try {
      new Resolver().setServers([server]);
    } catch {
      throw new Error(`"${server}" is not a name server. Write its address, or address:port.`);
    }
  }
}

/**
 * Looks up both address families. Creates a new resolver, in 0.1 ms, because c-ares adapts the timeouts of a shared
 * resolver to measured times, and because cancelling a shared resolver would cancel other look-ups too.
 * @returns all addresses, IPv4 first, and the milliseconds for which they may be cached
 * @throws if there is no address: the error of a family whose look-up may succeed later; if there is no such error, one
 * with the code ENOTFOUND
 */
async function ask(
  name: string,
  servers: readonly string[],
): Promise<{ addresses: string[]; ttlMs: number }> {
  const resolver = new Resolver({ timeout: tryMs, maxTimeout: tryMs, tries });
  if (servers.length > 0) resolver.setServers(servers);
  const cancel = () => {
    resolver.cancel();
  };
  const limit = setTimeout(cancel, totalMs);
  let other: NodeJS.Timeout | undefined;
  const families = [resolver.resolve4(name, { ttl: true }), resolver.resolve6(name, { ttl: true })].map(
    async (family) => {
      const found = await family;
      other ??= setTimeout(cancel, otherFamilyMs);
      return found;
    },
  );
  const ended = await Promise.allSettled(families);
  clearTimeout(limit);
  clearTimeout(other);
  const found = ended.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const failures = ended.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []));
  const passing = failures.find((failure) => !isFinal(failure));
  if (found.length > 0) {
    const ttlMs = Math.min(
      ...found.map(({ ttl }) => ttl * 1000),
      passing === undefined ? Infinity : failureMs,
    );
    return { addresses: found.map(({ address }) => address), ttlMs };
  }
  if (passing instanceof Error) throw passing;
  throw Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' });
}

/** True if a retry would fail too: the name does not exist, has no address of this family, or is invalid. */
const isFinal = (error: unknown): boolean => ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes(codeOf(error));

/** Returns the `code` of a failed look-up's error; `''` if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Joins the look-up in progress for this key, or starts one. */
function share<T>(inProgress: Map<string, Promise<T>>, key: string, begin: () => Promise<T>): Promise<T> {
  const shared =
    inProgress.get(key) ??
    begin().finally(() => {
      inProgress.delete(key);
    });
  inProgress.set(key, shared);
  return shared;
}
