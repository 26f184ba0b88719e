/**
 * List prices of common models, in US dollars per million tokens, for requests of usual size and without discounts.
 * They are suggestions: administrators check and change what is saved. A change of this list changes no saved price.
 */
import type { ModelPrice } from './models.ts';

/** The prices are those that were published by this day. Models that are newer are not in the list. */
export const listPricesDate = '2026-06-01';

/** The pages on which the providers publish their prices. */
export const listPriceSources = [
  'https://developers.openai.com/api/docs/pricing',
  'https://platform.claude.com/docs/en/about-claude/pricing',
  'https://ai.google.dev/gemini-api/docs/pricing',
] as const;

/** By the maker's name of the model: input, output, cached input. */
const listPrices: Readonly<Record<string, readonly [input: number, output: number, cachedInput: number]>> = {
  'gpt-5.5': [5, 30, 0.5],
  'gpt-5.4': [2.5, 15, 0.25],
  'gpt-5.4-mini': [0.75, 4.5, 0.075],
  'gpt-5.4-nano': [0.2, 1.25, 0.02],
  'gpt-5': [1.25, 10, 0.125],
  'gpt-5-mini': [0.25, 2, 0.025],
  'gpt-5-nano': [0.05, 0.4, 0.005],
  'gpt-4.1': [2, 8, 0.5],
  'gpt-4.1-mini': [0.4, 1.6, 0.1],
  'gpt-4.1-nano': [0.1, 0.4, 0.025],
  'gpt-4o': [2.5, 10, 1.25],
  'gpt-4o-mini': [0.15, 0.6, 0.075],
  'claude-opus-4-8': [5, 25, 0.5],
  'claude-opus-4-7': [5, 25, 0.5],
  'claude-opus-4-6': [5, 25, 0.5],
  'claude-opus-4-5': [5, 25, 0.5],
  'claude-opus-4-1': [15, 75, 1.5],
  'claude-sonnet-4-6': [3, 15, 0.3],
  'claude-sonnet-4-5': [3, 15, 0.3],
  'claude-haiku-4-5': [1, 5, 0.1],
  'gemini-3-flash-preview': [0.5, 3, 0.05],
  'gemini-2.5-pro': [1.25, 10, 0.125],
  'gemini-2.5-flash': [0.3, 2.5, 0.03],
  'gemini-2.5-flash-lite': [0.1, 0.4, 0.01],
};

/**
 * Finds the list price of a model by the last part of its name, without the date of a snapshot: `gpt-5-mini`,
 * `openai/gpt-5-mini` and `gpt-5-mini-2025-08-07` are the same model.
 * @param name the name of the model, with or without the provider
 */
export function listPriceOf(name: string): ModelPrice | undefined {
  const own = name.slice(name.lastIndexOf('/') + 1).replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '');
  const price = Object.hasOwn(listPrices, own) ? listPrices[own] : undefined;
  return price && { input: price[0], output: price[1], cached_input: price[2] };
}
