/**
 * Limits and kinds of model providers that the API checks and the console shows. Imports no zod, so that the console can
 * use this file without loading zod.
 */
import type { ProviderKind } from './models.ts';

/** True for a provider that is a server of the organization. It needs `base_url`, and its `api_key` is optional. */
export const isOwnServer = (kind: ProviderKind): kind is 'compatible' | 'agent' =>
  kind === 'compatible' || kind === 'agent';

/** Maximum price in US dollars per million tokens. Chosen: more than any provider takes. */
export const maxModelPrice = 10_000;
