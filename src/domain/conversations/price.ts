/** Computes credits from token counts and the operator's price table. */
export interface Price {
  /** Credits per 1,000 input tokens. */
  input: number;
  /** Credits per 1,000 output tokens. */
  output: number;
}
export type PriceTable = Readonly<Record<string, Price>>;

/** Default prices: 1 credit per 1,000 tokens, in or out. The built-in scripted model is free. */
export const shippedPrices: PriceTable = {
  default: { input: 1, output: 1 },
  'scripted/default': { input: 0, output: 0 },
};

/** Returns the credits of a model call, rounded to a millionth so that sums stay readable. */
export function creditsOf(
  prices: PriceTable,
  model: string,
  tokens: { input: number; output: number },
): number {
  const price = prices[model] ?? prices['default'] ?? { input: 1, output: 1 };
  const credits = (tokens.input * price.input + tokens.output * price.output) / 1000;
  return Math.round(credits * 1e6) / 1e6;
}
