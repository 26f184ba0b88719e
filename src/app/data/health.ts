/** Finds the problems of an organization. Caches the facts for `keptMs`, because every open console polls for them. */
import { findUsedCaps } from '../../adapters/postgres/data/credit-caps.ts';
import { findHealthFacts } from '../../adapters/postgres/data/health.ts';
import type { MonthlyLimits } from '../../adapters/postgres/data/usage.ts';
import { findServersToSignIn } from '../../adapters/postgres/mcp-servers/mcp-servers.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { Capability } from '../../contract/accounts/capabilities.ts';
import type { Health } from '../../contract/data/health.ts';
import { judgeHealth, type HealthFacts } from '../../domain/data/judge-health.ts';

const keptMs = 5000;
const maxKept = 10_000;

export type HealthChecks = ReturnType<typeof createHealthChecks>;

/** @param usualModel returns `provider/name` of the installation's default model */
export function createHealthChecks(db: Database, limits: MonthlyLimits, usualModel: () => string) {
  const kept = new Map<string, { facts: Promise<HealthFacts>; until: number }>();
  return { view };

  /**
   * Returns the problems that a member with these capabilities may see, from facts that were read at most `keptMs` ago.
   */
  async function view(organizationId: string, capabilities: readonly Capability[]): Promise<Health> {
    const now = performance.now();
    let known = kept.get(organizationId);
    if (known === undefined || known.until < now) {
      if (kept.size >= maxKept) kept.clear();
      known = { facts: read(organizationId), until: now + keptMs };
      known.facts.catch(() => kept.delete(organizationId));
      kept.set(organizationId, known);
    }
    return judgeHealth(await known.facts, capabilities, Date.now());
  }

  async function read(organizationId: string): Promise<HealthFacts> {
    const [facts, signIns, allowed, caps] = await Promise.all([
      findHealthFacts(db, organizationId, usualModel()),
      findServersToSignIn(db, organizationId),
      limits.find(organizationId),
      findUsedCaps(db, organizationId),
    ]);
    return { ...facts, signIns, allowed: allowed?.organization, caps };
  }
}
