/** Caches the owner of a secret, for less than the second that a revocation may take to act. */

const cacheMs = 750;
const maxKnown = 10_000;

export interface TokenOwner {
  tokenId: string;
  organizationId: string;
}

type Found = Promise<TokenOwner | undefined>;

export class KnownCallers {
  readonly #known = new Map<string, { caller: Found; until: number }>();

  /**
   * Concurrent calls share one look-up; a failed look-up is not cached.
   * @returns undefined if the secret is unknown, which is cached too
   */
  async find(secret: string, lookUp: () => Found): Found {
    const now = performance.now();
    const cached = this.#known.get(secret);
    if (cached !== undefined && cached.until > now) return await cached.caller;
    if (this.#known.size > maxKnown) this.#known.clear();
    const caller = lookUp();
    this.#known.set(secret, { caller, until: now + cacheMs });
    try {
      return await caller;
    } catch (error) {
      this.#known.delete(secret);
      throw error;
    }
  }
}
