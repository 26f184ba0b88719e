/** Creates a provider's model with the AI SDK. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { ProviderKind } from '../../contract/models/models.ts';
import type { ProviderModel } from './gathered-text.ts';
import type { ModelFetch } from './model-fetch.ts';

export interface ProviderAccess {
  kind: Exclude<ProviderKind, 'agent'>;
  /** Required for the kind `compatible` and for an organization's provider (see `providerModel`). */
  baseURL?: string;
  /** Empty if the server needs no key. */
  apiKey: string;
  fetch: ModelFetch;
}

/** Base URLs of the providers' own APIs. */
export const publicBaseUrl: Readonly<Record<Exclude<ProviderKind, 'compatible' | 'agent'>, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
};

/**
 * Creates the model. An organization's provider must have a base URL and a key, which may be empty. Without them, the
 * AI SDK would read OPENAI_BASE_URL, OPENAI_API_KEY or the variables of the other providers from this process's
 * environment, and could send the operator's key to the organization's server.
 * @param name the part of the model's id after `provider/`
 */
export function providerModel({ kind, baseURL, apiKey, fetch }: ProviderAccess, name: string): ProviderModel {
  const options = { ...(baseURL !== undefined && { baseURL }), apiKey, fetch };
  switch (kind) {
    case 'openai':
      return createOpenAI(options)(name);
    case 'anthropic':
      return createAnthropic(options)(name);
    case 'google':
      return createGoogle(options)(name);
    case 'compatible':
      return createOpenAICompatible({
        name: 'compatible',
        baseURL: baseURL ?? '',
        ...(apiKey !== '' && { apiKey }),
        includeUsage: true,
        fetch,
      })(name);
  }
}
