/** Limits model calls by the caps on credits: reserves a call's maximum cost, then settles its actual cost. */
import { v7 as newId } from 'uuid';
import { CreditsBusy, ModelFault, type CallBudget } from '../../adapters/models/model.ts';
import {
  expireCredits,
  reserveCredits,
  settleCredits,
  type Reservation,
} from '../../adapters/postgres/data/credit-caps.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { cappedCredits, capSentence } from '../../domain/data/credit-caps.ts';
import type { PriceTable } from '../../domain/conversations/model-call.ts';

/**
 * Seconds from the end of a call's time limit to the expiry of its reservation, because the call may be settled late.
 * Chosen.
 */
const graceSeconds = 10;

export interface BudgetDeps {
  readonly db: Database;
  readonly prices: PriceTable;
  /** The installation's limits for one model call: its time limit in seconds, and the maximum tokens of its answer. */
  readonly callLimits: { seconds: number; outputTokens: number };
  /** Logs a warning with the fields of `about`, such as ids. */
  readonly warn: (about: Record<string, unknown>, message: string) => void;
}

interface BudgetedCall {
  organizationId: string;
  /** Null if the call belongs to no run. */
  runId: string | null;
  /** The agent of a call that belongs to no run. If absent, only the organization's caps apply to such a call. */
  agentId?: string;
  /** `provider/name`, the key of the price tables. */
  model: string;
  /** Time limit of the call, in seconds; the installation's limit if null or absent. */
  seconds?: number | null;
  /**
   * Prices at the start of the run; by default the current prices. Caps count a call by these or by the current
   * prices, whichever give the higher cost.
   */
  frozen?: PriceTable;
}

/**
 * Returns the budget of one model call, which reserves credits before the call and settles them after it. If no cap
 * applies to the call when credits are reserved, or if the call costs nothing, nothing is reserved, and caps do not
 * count the call.
 */
export function callBudget(deps: BudgetDeps, call: BudgetedCall): CallBudget {
  const { db, prices, callLimits, warn } = deps;
  const { organizationId, runId, agentId, model, seconds: limit, frozen = prices } = call;
  const costOf = (tokens: { input: number; output: number }) =>
    cappedCredits([prices, frozen], model, tokens);
  return {
    reserve: async (inputTokens, outputTokens) => {
      const maxOutputTokens = Math.min(outputTokens ?? Infinity, callLimits.outputTokens);
      const credits = costOf({ input: inputTokens, output: maxOutputTokens });
      const seconds = (limit ?? callLimits.seconds) + graceSeconds;
      const id = newId();
      const isCounted = await demandRoom(deps, {
        id,
        organizationId,
        runId: runId ?? agentId ?? null,
        credits,
        seconds,
      });
      return {
        maxOutputTokens,
        settle: async (billed) => {
          if (!isCounted) return;
          const cost = billed && costOf({ input: billed.inputTokens, output: billed.outputTokens });
          await settleCredits(db, id, cost).catch((err: unknown) => {
            warn(
              { organization_id: organizationId, err },
              'a model call could not be settled and counts in full',
            );
          });
        },
      };
    },
  };
}

/**
 * Reserves credits. If other reservations leave too few credits, ends the expired ones, for example those of lost
 * workers, and tries again.
 * @returns false if nothing was reserved, because no cap applies or the call costs nothing
 * @throws ModelFault `credit_cap_reached` if a cap leaves too few credits, even once calls in progress have ended;
 * CreditsBusy if calls in progress have reserved the credits that are left
 */
async function demandRoom(
  { db }: Pick<BudgetDeps, 'db'>,
  call: Parameters<typeof reserveCredits>[1],
): Promise<boolean> {
  if (call.credits === 0) return false;
  let made = await reserveCredits(db, call);
  while (made.next === 'busy' && made.expired) {
    const ended = await expireCredits(db, call.organizationId);
    made = await reserveCredits(db, call);
    if (ended === 0) break;
  }
  if (made.next === 'full') throw capReached(made);
  if (made.next === 'busy') throw new CreditsBusy('Calls in progress hold the credits that are left.');
  return made.next === 'reserved';
}

function capReached({ scope, period, max_credits }: Extract<Reservation, { next: 'full' }>): ModelFault {
  return new ModelFault(capSentence(scope, period, max_credits), {
    retryable: false,
    code: 'credit_cap_reached',
  });
}
