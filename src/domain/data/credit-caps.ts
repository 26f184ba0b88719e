/** The rules of credit caps: how many credits a model call counts as, and the error of a call that exceeds a cap. */
import { priceOf, type PriceTable } from '../conversations/model-call.ts';

/**
 * Returns the credits that a model call counts as under a cap, rounded up to a millionth of a credit. Uses the most
 * expensive of the price tables for this call, so that the call never counts as less than it is billed.
 */
export function cappedCredits(
  tables: readonly PriceTable[],
  model: string,
  { input, output }: { input: number; output: number },
): number {
  const costs = tables.map((table) => {
    const price = priceOf(table, model);
    return input * price.input + output * price.output;
  });
  return Math.ceil(Math.max(...costs) * 1000 - rounding) / 1e6;
}

/**
 * Subtracted, in millionths of a credit, before a cost is rounded up. Without it, a floating-point error could add a
 * whole millionth. Chosen.
 */
const rounding = 1e-6;

const restarts = {
  day: 'It starts again at midnight (UTC).',
  month: 'It starts again on the first day of the next month (UTC).',
} as const;

/** @returns the error message of a run that ends because a cap leaves no room for a model call */
export function capSentence(scope: string, period: keyof typeof restarts, maxCredits: number): string {
  return `The cap of ${maxCredits} credits per ${period} on this ${scope} leaves no room for the call. ${restarts[period]}`;
}
