/** The rules of caps on credits: how many credits a call counts as, and the error of a call over a cap. */
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

/** Tolerance in millionths of a credit, so that an error of floating point does not round up. Chosen. */
const rounding = 1e-6;

const restarts = {
  day: 'It starts again at midnight (UTC).',
  month: 'It starts again on the first day of the next month (UTC).',
} as const;

/** The error of a run that a cap ends. */
export function capSentence(scope: string, period: keyof typeof restarts, maxCredits: number): string {
  return `The cap of ${maxCredits} credits per ${period} on this ${scope} leaves no room for the call. ${restarts[period]}`;
}
