/** Finds the problems of an organization. Caches the facts for `keptMs`, because every open console polls for them. */
import { findHealthFacts } from '../../adapters/postgres/data/health.ts';
import type { MonthlyLimits } from '../../adapters/postgres/data/usage.ts';
import { findServersToSignIn } from '../../adapters/postgres/mcp-servers/mcp-servers.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { Capability } from '../../contract/accounts/capabilities.ts';
import type { Health } from '../../contract/data/health.ts';
import { judgeHealth, type HealthFacts } from '../../domain/data/judge-health.ts';

const keptMs = 5000;
const maxKept = 10_000;

export class HealthChecks {
  readonly #db: Database;
  readonly #limits: MonthlyLimits;
  /** Returns `provider/name` of the installation's default model. */
  readonly #usualModel: () => string;
  readonly #known = new Map<string, { facts: Promise<HealthFacts>; until: number }>();

  constructor(parts: { db: Database; limits: MonthlyLimits; usualModel: () => string }) {
    this.#db = parts.db;
    this.#limits = parts.limits;
    this.#usualModel = parts.usualModel;
  }

  /**
   * Returns the problems that a member with these capabilities may see, from facts that were read at most `keptMs` ago.
   */
  async view(organizationId: string, capabilities: readonly Capability[]): Promise<Health> {
    const now = performance.now();
    let known = this.#known.get(organizationId);
    if (known === undefined || known.until < now) {
      if (this.#known.size >= maxKept) this.#known.clear();
      known = { facts: this.#read(organizationId), until: now + keptMs };
      known.facts.catch(() => this.#known.delete(organizationId));
      this.#known.set(organizationId, known);
    }
    return judgeHealth(await known.facts, capabilities, Date.now());
  }

  async #read(organizationId: string): Promise<HealthFacts> {
    const [facts, signIns, allowed] = await Promise.all([
      findHealthFacts(this.#db, organizationId, this.#usualModel()),
      findServersToSignIn(this.#db, organizationId),
      this.#limits.find(organizationId),
    ]);
    return { ...facts, signIns, allowed: allowed?.organization };
  }
}
