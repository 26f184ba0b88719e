/** Remembers whose a secret is for less than the second that a revocation may take. */

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
   * Calls that come at once share one look-up; one that fails is not remembered.
   * @returns undefined if the secret is nobody's, which is remembered too
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
