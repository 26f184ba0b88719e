import type { ModelProvider } from '../../../contract/models/models.ts';

/** Returns the ids `provider/name` of all models that the providers offer. */
export const modelIds = (providers: readonly ModelProvider[]): string[] => [
  ...new Set(providers.flatMap(({ name, models }) => models.map((model) => `${name}/${model}`))),
];
