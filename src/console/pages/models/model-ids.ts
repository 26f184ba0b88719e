import type { ModelProvider } from '../../../contract/models/models.ts';

/** Returns the id `provider/name` of each model that the providers offer, without duplicates. */
export const modelIds = (providers: readonly ModelProvider[]): string[] => [
  ...new Set(providers.flatMap(({ name, models }) => models.map((model) => `${name}/${model}`))),
];
