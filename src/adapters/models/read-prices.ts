import { z } from 'zod';
import { type PriceTable, shippedPrices } from '../../domain/conversations/model-call.ts';

const prices = z.record(z.string(), z.strictObject({ input: z.number().min(0), output: z.number().min(0) }));

/**
 * Reads the price table. Adds the prices in `json` to the default prices. A price in `json` replaces the default price
 * of the same model.
 * @param json the setting MODEL_PRICES; undefined: only the default prices
 * @throws Error that describes the expected form, if `json` has another form
 */
export function readPrices(json: string | undefined): PriceTable {
  if (json === undefined) return shippedPrices;
  try {
    return { ...shippedPrices, ...prices.parse(JSON.parse(json)) };
  } catch (cause) {
    throw new Error(
      'MODEL_PRICES must be JSON: {"provider/name": {"input": credits per 1,000 tokens, "output": …}, "default": …}',
      { cause },
    );
  }
}
