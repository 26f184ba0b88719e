import type { ModelProvider } from '../../../contract/models/models.ts';

/** @returns the id `provider/model` of each model of the providers, without duplicates */
export const modelIds = (providers: readonly ModelProvider[]): string[] => [
  ...new Set(providers.flatMap(({ name, models }) => models.map((model) => `${name}/${model}`))),
];
