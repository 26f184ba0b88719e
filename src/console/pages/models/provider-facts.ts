/** What the page of the models derives about a provider: its title, how many agents use it, and whether it answers. */
import type { ModelProvider, ModelSettings } from '../../../contract/models/models.ts';
import { texts } from '../../messages.ts';

const t = texts.models;

/** Titles of services and programs that offer OpenAI's API, by the name that their provider usually has. */
const titles: ReadonlyMap<string, string> = new Map([
  ['azure', t.services.azure.name],
  ['local', t.local.title],
  ['bedrock', t.services.bedrock.name],
  ['openrouter', 'OpenRouter'],
  ['groq', 'Groq'],
  ['mistral', 'Mistral AI'],
  ['deepseek', 'DeepSeek'],
  ['ollama', 'Ollama'],
  ['lm-studio', 'LM Studio'],
  ['vllm', 'vLLM'],
  ['llama-cpp', 'llama.cpp'],
]);

/** @returns the title of a provider, which need not be unique: its name is */
export const titleOf = ({ kind, name }: Pick<ModelProvider, 'kind' | 'name'>): string =>
  (kind === 'compatible' ? titles.get(name) : undefined) ?? t.kinds[kind];

/** @returns how often agents use a model of the provider, as their model or as their fallback */
export const usesOf = ({ name }: ModelProvider, { used_by }: ModelSettings): number =>
  Object.entries(used_by).reduce((sum, [id, agents]) => sum + (id.startsWith(`${name}/`) ? agents : 0), 0);

/** @returns the providers, those first that most agents use */
export const usedFirst = (settings: ModelSettings): ModelProvider[] =>
  settings.providers.toSorted((one, other) => usesOf(other, settings) - usesOf(one, settings));

/** The newest test or call of a provider. */
export interface State {
  /** Name of the tested model; null for a call of a conversation. */
  tested: string | null;
  at: string;
  /** Null: it answered. */
  error: string | null;
}

/** @returns undefined if the provider was neither tested nor called */
export function stateOf(
  { id, name, tested }: ModelProvider,
  { providers, last_calls }: ModelSettings,
): State | undefined {
  // Agents call the organization's own provider, if there is one of the same name.
  const isCalled = id !== null || !providers.some((one) => one.id !== null && one.name === name);
  const last = isCalled ? last_calls[name] : undefined;
  if (last !== undefined && (tested === null || last.at > tested.at)) return { tested: null, ...last };
  return tested === null ? undefined : { tested: tested.model, at: tested.at, error: tested.error };
}
