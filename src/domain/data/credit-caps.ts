/** The rules of caps on credits: what a call counts as, and what a refusal says. */
import { priceOf, type PriceTable } from '../conversations/model-call.ts';

/**
 * Returns the credits that a call counts as, by the dearest of several price tables, rounded up to a millionth: a cap
 * must hold whichever of them the provider bills by.
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

/** Smaller than the least difference of two costs in millionths, larger than a double's error. Chosen. */
const rounding = 1e-6;

const restarts = {
  day: 'It starts again at midnight (UTC).',
  month: 'It starts again on the first day of the next month (UTC).',
} as const;

/** The error of a run that a cap ends. */
export function capSentence(scope: string, period: keyof typeof restarts, maxCredits: number): string {
  return `The cap of ${maxCredits} credits per ${period} on this ${scope} leaves no room for the call. ${restarts[period]}`;
}
