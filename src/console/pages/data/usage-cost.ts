/** Adds up what models cost in US dollars. */
import type { ModelUsage } from '../../../contract/data/usage.ts';

export interface Cost {
  /** The known cost; null if none is known. */
  cost_usd: number | null;
  /** Ids of the models that have tokens and no price. */
  unpriced: readonly string[];
}

export function costOfModel({
  model,
  by_id,
  cost_usd,
  input_tokens,
  output_tokens,
}: ModelUsage['data'][number]): Cost {
  if (cost_usd !== null || input_tokens + output_tokens === 0) return { cost_usd, unpriced: [] };
  const ids = by_id.filter((part) => part.cost_usd === null).map(({ id }) => id);
  return { cost_usd, unpriced: ids.length === 0 ? [model] : ids };
}

/** Adds up the known costs, and the models without a price. */
export function addCosts(costs: readonly Cost[]): Cost {
  const known = costs.flatMap(({ cost_usd }) => cost_usd ?? []);
  const unpriced = [...new Set(costs.flatMap((one) => one.unpriced))];
  const isKnown = known.length > 0 || unpriced.length === 0;
  return { cost_usd: isKnown ? known.reduce((sum, cost) => sum + cost, 0) : null, unpriced };
}

export const costOfRehearsals = (rehearsals: ModelUsage['rehearsals']): Cost =>
  addCosts(
    rehearsals.map(({ id, cost_usd, input_tokens, output_tokens }) => ({
      cost_usd,
      unpriced: cost_usd === null && input_tokens + output_tokens > 0 ? [id] : [],
    })),
  );

/** @returns the cost of all model calls of the usage */
export const costOfUsage = ({ data, rehearsals }: ModelUsage): Cost =>
  addCosts([...data.map(costOfModel), costOfRehearsals(rehearsals)]);
