/** Finds a model by `provider/name`. If its provider fails, the call fails; no other model is used instead. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { ProviderModel } from './gathered-text.ts';
import { languageModel } from './language-model.ts';
import { ModelFault, type Model } from './model.ts';
import { scriptedModel, scriptedModelId, type CountScriptFailure } from './scripted-model.ts';
import { modelFetch } from './model-fetch.ts';

export interface ModelSettings {
  MODEL_BASE_URL?: string | undefined;
  MODEL_API_KEY?: string | undefined;
  MODEL_NAME?: string | undefined;
  OPENAI_API_KEY?: string | undefined;
  ANTHROPIC_API_KEY?: string | undefined;
  MODEL_TIMEOUT_SECONDS: number;
  MODEL_CONTEXT_TOKENS: number;
  MODEL_FILES: readonly ('images' | 'documents')[];
}

/** The provider name of the server at MODEL_BASE_URL. */
const compatibleProvider = 'custom';

/** Returns the model of agents that name none. It is the scripted model only if no provider is configured. */
export function defaultModel(settings: ModelSettings): string {
  const { MODEL_BASE_URL, MODEL_NAME, OPENAI_API_KEY, ANTHROPIC_API_KEY } = settings;
  if (MODEL_BASE_URL !== undefined) return `${compatibleProvider}/${MODEL_NAME ?? 'default'}`;
  if (MODEL_NAME?.includes('/')) return MODEL_NAME;
  if (ANTHROPIC_API_KEY !== undefined) return `anthropic/${MODEL_NAME ?? 'claude-sonnet-4-5'}`;
  if (OPENAI_API_KEY !== undefined) return `openai/${MODEL_NAME ?? 'gpt-5-mini'}`;
  return scriptedModelId;
}

/** Checks a model. @returns undefined if it can be used; else the rest of an error message that begins with its id */
export function modelProblem(settings: ModelSettings, id: string): string | undefined {
  const [provider] = id.split('/');
  if (id === scriptedModelId) return undefined;
  if (provider === compatibleProvider) {
    return settings.MODEL_BASE_URL === undefined ? 'needs MODEL_BASE_URL to be set' : undefined;
  }
  if (provider === 'openai')
    return settings.OPENAI_API_KEY === undefined ? 'needs OPENAI_API_KEY to be set' : undefined;
  if (provider === 'anthropic') {
    return settings.ANTHROPIC_API_KEY === undefined ? 'needs ANTHROPIC_API_KEY to be set' : undefined;
  }
  return `is of an unknown provider: use ${scriptedModelId}, ${compatibleProvider}/…, openai/… or anthropic/…`;
}

export class Models {
  readonly #settings: ModelSettings;
  readonly #made = new Map<string, Model>();

  constructor(settings: ModelSettings, countFailure: CountScriptFailure) {
    this.#settings = settings;
    this.#made.set(scriptedModelId, scriptedModel(countFailure));
  }

  /** Returns the model, by default `defaultModel`. @throws a ModelFault, not retryable, if it cannot be used */
  find(wanted: string | null): Model {
    const id = wanted ?? defaultModel(this.#settings);
    const known = this.#made.get(id);
    if (known !== undefined) return known;
    const problem = modelProblem(this.#settings, id);
    if (problem !== undefined)
      throw new ModelFault(`The agent's model ${id} ${problem}.`, { retryable: false });
    const made = languageModel({
      id,
      model: this.#provider(id),
      timeoutMs: Math.round(this.#settings.MODEL_TIMEOUT_SECONDS * 1000),
      limits: { contextTokens: this.#settings.MODEL_CONTEXT_TOKENS, files: this.#settings.MODEL_FILES },
      secrets: this.#secrets(),
    });
    this.#made.set(id, made);
    return made;
  }

  #secrets(): string[] {
    const { MODEL_API_KEY, OPENAI_API_KEY, ANTHROPIC_API_KEY } = this.#settings;
    return [MODEL_API_KEY, OPENAI_API_KEY, ANTHROPIC_API_KEY].filter((key) => key !== undefined);
  }

  #provider(id: string): ProviderModel {
    const slash = id.indexOf('/');
    const name = id.slice(slash + 1);
    const { MODEL_BASE_URL = '', MODEL_API_KEY, OPENAI_API_KEY, ANTHROPIC_API_KEY } = this.#settings;
    switch (id.slice(0, slash)) {
      case 'openai':
        return createOpenAI({
          ...(OPENAI_API_KEY !== undefined && { apiKey: OPENAI_API_KEY }),
          fetch: modelFetch,
        })(name);
      case 'anthropic':
        return createAnthropic({
          ...(ANTHROPIC_API_KEY !== undefined && { apiKey: ANTHROPIC_API_KEY }),
          fetch: modelFetch,
        })(name);
      default:
        return createOpenAICompatible({
          name: compatibleProvider,
          baseURL: MODEL_BASE_URL,
          ...(MODEL_API_KEY !== undefined && { apiKey: MODEL_API_KEY }),
          includeUsage: true,
          fetch: modelFetch,
        })(name);
    }
  }
}
