/**
 * Resolves the host names of supplied URLs without a thread. `dns.lookup` runs on libuv's four threads: four names whose
 * name servers are silent stop every other look-up of the process for seconds. Here a look-up is a UDP socket, with a limit
 * per organization, so a tenant's dead name servers delay nobody else.
 */
import { lookup, Resolver } from 'node:dns/promises';
import { Turns } from '../../limits/limiter.ts';

export interface Names {
  /**
   * All addresses of a name as the name servers know them, IPv4 first.
   * @param organization whose share of look-ups it counts against
   * @throws an error with the `code` ENOTFOUND if the name has none, and another code if that cannot be known now
   */
  resolve: (name: string, organization: string) => Promise<readonly string[]>;
  /** The same as the system knows them, hosts file included; for names that the operator opened. */
  resolveBySystem: (name: string, organization: string, isNamed: boolean) => Promise<readonly string[]>;
}

export interface NameResolverOptions {
  /** `address` or `address:port`; those of the system (/etc/resolv.conf) when empty. */
  servers?: readonly string[];
  maxTtlMs?: number;
  maxEntries?: number;
}

/** One question to one server, and how often it is asked. */
const tryMs = 1500;
const tries = 2;
/** From the first question to the end, however many servers there are. */
const totalMs = 4500;
/** How long a family that has not answered is waited for once the other has. */
const otherFamilyMs = 1500;

const usualMaxTtlMs = 60_000;
const usualMaxEntries = 4096;
/** A name that does not exist: short, because somebody may just be creating it. */
const notFoundMs = 5000;
/** A failure: so that a burst of callbacks to one dead name asks once. */
const failureMs = 1000;
/** One answer may hold thousands of addresses. */
const maxKeptAddresses = 64;

const questions = { atOnce: 512, perOrganization: 16, maxWaiting: 500, maxWaitMs: 2000 };
/** Two of libuv's four threads stay free. */
const systemCalls = { atOnce: 2, perOrganization: 1, maxWaiting: 50, maxWaitMs: 2000 };

interface Known {
  untilMs: number;
  found: readonly string[] | Error;
}

export class NameResolver implements Names {
  readonly #servers: readonly string[];
  readonly #maxTtlMs: number;
  readonly #maxEntries: number;
  /** In the order of their last use. */
  readonly #known = new Map<string, Known>();
  readonly #underWay = new Map<string, Promise<readonly string[]>>();
  readonly #questions = new Turns(questions);
  readonly #systemCalls = new Turns(systemCalls);
  readonly #systemUnderWay = new Map<string, Promise<readonly string[]>>();

  /** @throws Error for a server that is no address */
  constructor({ servers = [], maxTtlMs, maxEntries }: NameResolverOptions = {}) {
    checkNameServers(servers);
    this.#servers = servers;
    this.#maxTtlMs = maxTtlMs ?? usualMaxTtlMs;
    this.#maxEntries = maxEntries ?? usualMaxEntries;
  }

  async resolve(name: string, organization: string): Promise<readonly string[]> {
    // What another organization waits for a turn with is not waited for: only what is being asked is shared.
    const find = () => this.#find(name) ?? this.#underWay.get(name);
    return await (find() ??
      this.#questions.use(organization, () => find() ?? share(this.#underWay, name, () => this.#ask(name))));
  }

  async resolveBySystem(name: string, organization: string, isNamed: boolean): Promise<readonly string[]> {
    const ask = () =>
      share(this.#systemUnderWay, name, async () => {
        const answers = await lookup(name, { all: true, order: 'verbatim' });
        return answers.map(({ address }) => address);
      });
    // Those that the operator named are few. Of others a tenant can make any number.
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

/** @throws Error naming the first that is neither `address` nor `address:port` */
export function checkNameServers(servers: readonly string[]): void {
  for (const server of servers) {
    try {
      new Resolver().setServers([server]);
    } catch {
      throw new Error(`"${server}" is no name server; write its address, or address:port.`);
    }
  }
}

/** Every look-up has a resolver of its own: c-ares shortens the time limits of a shared one by what it has measured, and
 *  one that is given up can be cancelled alone. It costs 0.1 ms. */
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

/** The name does not exist, has no address of this family, or cannot exist. */
const isFinal = (error: unknown): boolean => ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes(codeOf(error));

/** Of a failed look-up. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Whoever asks for what is being asked for waits for the same answer. */
function share<T>(underWay: Map<string, Promise<T>>, key: string, begin: () => Promise<T>): Promise<T> {
  const shared =
    underWay.get(key) ??
    begin().finally(() => {
      underWay.delete(key);
    });
  underWay.set(key, shared);
  return shared;
}
