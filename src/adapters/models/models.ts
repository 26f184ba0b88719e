/**
 * Finds a model by `provider/name`: at the organization's own provider if it has one with this name, otherwise at the
 * installation's provider. If the provider fails, the call fails; a run may then call the agent's fallback model (see
 * advance-run.ts).
 */
import { z } from 'zod';
import { localProvider, type LocalModelAccess } from '../../contract/models/local-model.ts';
import { isOwnServer } from '../../contract/models/limits.ts';
import { providerKind, type ModelProvider, type ProviderKind } from '../../contract/models/models.ts';
import { scriptedModelId } from '../../contract/models/scripted.ts';
import { maxSteps } from '../../domain/conversations/model-call.ts';
import type { Limiter, Slots } from '../../limits/limiter.ts';
import { addTokens, measureModel, meteredProviders } from '../../observability/worker-metrics.ts';
import type { PublicHttp } from '../http/public-http.ts';
import type { Encryption, SecretPlace } from '../secrets/encryption.ts';
import { externalAgent } from './external-agent.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { languageModel } from './language-model.ts';
import {
  CreditsBusy,
  ModelFault,
  type Model,
  type ModelAttachment,
  type ModelReply,
  type ModelRequest,
} from './model.ts';
import { modelFetch } from './model-fetch.ts';
import { providerModel, publicBaseUrl, type ProviderAccess } from './provider-models.ts';
import { scriptedModel, type CountScriptFailure } from './scripted-model.ts';

export interface ModelSettings {
  MODEL_BASE_URL?: string | undefined;
  MODEL_API_KEY?: string | undefined;
  MODEL_NAME?: string | undefined;
  OPENAI_API_KEY?: string | undefined;
  ANTHROPIC_API_KEY?: string | undefined;
  /** The model that local mode runs on this computer. Its value changes while the process runs. */
  LOCAL_MODEL?: LocalModelAccess | undefined;
  MODEL_TIMEOUT_SECONDS: number;
  MODEL_CONTEXT_TOKENS: number;
  MODEL_FILES: readonly ('images' | 'documents')[];
}

/** The provider name of the server at MODEL_BASE_URL. */
const compatibleProvider = 'custom';

/**
 * Returns the id of the model that an agent without a model uses. If the settings configure no provider and MODEL_NAME
 * names none, it is the model that runs on this computer or, if none runs, the scripted model.
 */
export function defaultModel(settings: ModelSettings): string {
  const { LOCAL_MODEL } = settings;
  const configured = configuredModel(settings);
  return configured ?? (LOCAL_MODEL === undefined ? scriptedModelId : localId(LOCAL_MODEL));
}

const localId = ({ name }: LocalModelAccess): string => `${localProvider}/${name}`;

/** Returns the id of the default model that the environment configures; undefined if it configures none. */
export function configuredModel(settings: ModelSettings): string | undefined {
  const { MODEL_BASE_URL, MODEL_NAME, OPENAI_API_KEY, ANTHROPIC_API_KEY } = settings;
  if (MODEL_BASE_URL !== undefined) return `${compatibleProvider}/${MODEL_NAME ?? 'default'}`;
  if (MODEL_NAME?.includes('/')) return MODEL_NAME;
  if (ANTHROPIC_API_KEY !== undefined) return `anthropic/${MODEL_NAME ?? 'claude-sonnet-4-5'}`;
  if (OPENAI_API_KEY !== undefined) return `openai/${MODEL_NAME ?? 'gpt-5-mini'}`;
  return undefined;
}

/**
 * Checks whether the environment sets up the provider of a model. The scripted model needs no provider.
 * @returns undefined if the model can be used; otherwise the end of a sentence that begins with the model's id
 */
export function modelProblem(settings: ModelSettings, id: string): string | undefined {
  const [provider] = id.split('/');
  if (id === scriptedModelId) return undefined;
  if (provider === localProvider) {
    const { LOCAL_MODEL } = settings;
    if (LOCAL_MODEL !== undefined && localId(LOCAL_MODEL) === id) return undefined;
    return 'does not run on this computer: start it under Models in the console, or with npm start -- --local-model';
  }
  if (environmentProviders(settings).some(({ name }) => name === provider)) return undefined;
  const setting = settingOf.get(provider ?? '');
  const elsewhere = setting === undefined ? '' : `, or set ${setting}`;
  return `is of a provider that is not set up: add it under Models in the console${elsewhere}`;
}

/** The environment variable that sets up each of the installation's providers, by the provider's name. */
const settingOf: ReadonlyMap<string, string> = new Map([
  [compatibleProvider, 'MODEL_BASE_URL'],
  ['openai', 'OPENAI_API_KEY'],
  ['anthropic', 'ANTHROPIC_API_KEY'],
]);

/** Returns the providers that the environment sets up, without their addresses and keys. */
export function environmentProviders(settings: ModelSettings): ModelProvider[] {
  const { MODEL_BASE_URL, MODEL_API_KEY, OPENAI_API_KEY, ANTHROPIC_API_KEY, LOCAL_MODEL } = settings;
  const usual = defaultModel(settings);
  const provider = (name: string, kind: ProviderKind, key: string | undefined): ModelProvider => ({
    id: null,
    name,
    kind,
    base_url: null,
    has_key: key !== undefined,
    updated_at: null,
    tested: null,
    models: usual.startsWith(`${name}/`) ? [usual.slice(name.length + 1)] : [],
  });
  return [
    ...(MODEL_BASE_URL === undefined ? [] : [provider(compatibleProvider, 'compatible', MODEL_API_KEY)]),
    ...(OPENAI_API_KEY === undefined ? [] : [provider('openai', 'openai', OPENAI_API_KEY)]),
    ...(ANTHROPIC_API_KEY === undefined ? [] : [provider('anthropic', 'anthropic', ANTHROPIC_API_KEY)]),
    ...(LOCAL_MODEL === undefined
      ? []
      : [
          {
            ...provider(localProvider, 'compatible', LOCAL_MODEL.api_key),
            models: [LOCAL_MODEL.name],
          },
        ]),
  ];
}

/** An organization's own provider, with its key encrypted. */
export const sealedProvider = z.object({
  id: z.string(),
  kind: providerKind,
  base_url: z.string().nullable(),
  api_key: z.string().nullable(),
});
export type SealedProvider = z.infer<typeof sealedProvider>;

/** The model that an agent or an organization has chosen, and its provider if that is the organization's own. */
export interface ModelChoice {
  /** `provider/name`; null: the installation's default. */
  model: string | null;
  provider: SealedProvider | null;
  /** Time limit of one call, in seconds; null or absent: the installation's. */
  timeoutSeconds?: number | null;
}

/** @returns the only row and column in which a provider's encrypted key can be decrypted */
export const keyPlace = (row: { id: string; organization_id: string }): SecretPlace => ({
  organizationId: row.organization_id,
  table: 'model_providers',
  rowId: row.id,
  column: 'api_key',
});

/** Dependencies of calls to organizations' own providers. */
export interface OwnProviders {
  encryption: Encryption;
  /**
   * The client for supplied URLs. Besides public addresses, it allows the private ones of `modelAllow`: those of
   * MODEL_ALLOW and, in local mode, the usual local model servers.
   */
  http: PublicHttp;
}

/** Milliseconds added to the HTTP timeout, so that the model's own timeout ends a call first. Chosen. */
const graceMs = 1000;

/** An organization's provider, with its key decrypted. */
export interface OwnAccess {
  kind: ProviderKind;
  baseUrl: string | null;
  apiKey: string | null;
}

/**
 * Creates a model at an organization's own provider, which is called through the client for supplied URLs.
 * @param id `provider/name`
 * @throws ModelFault if a provider of the kind `compatible` or `agent` has no address, or a provider of another kind
 * has no key
 */
export function ownModel(
  { kind, baseUrl, apiKey }: OwnAccess,
  id: string,
  options: { http: PublicHttp; organizationId: string; settings: ModelSettings; timeoutMs: number },
): Model {
  const { http, organizationId, settings, timeoutMs } = options;
  const slash = id.indexOf('/');
  const baseURL = baseUrl ?? (isOwnServer(kind) ? undefined : publicBaseUrl[kind]);
  if (baseURL === undefined || (apiKey === null && !isOwnServer(kind))) {
    const missing = baseURL === undefined ? 'address' : 'key';
    const sentence = `The provider ${id.slice(0, slash)} has no ${missing}: save it again under Models in the console.`;
    throw new ModelFault(sentence, { retryable: false, about: missing, othersMayAnswer: true });
  }
  if (kind === 'agent') {
    const { MODEL_CONTEXT_TOKENS: contextTokens } = settings;
    return externalAgent({ id, url: baseURL, apiKey, http, organizationId, timeoutMs, contextTokens });
  }
  const fetch = modelFetch(guardedFetch({ http, organizationId, timeoutMs: timeoutMs + graceMs }));
  return languageModel({
    id,
    model: providerModel({ kind, baseURL, apiKey: apiKey ?? '', fetch }, id.slice(slash + 1)),
    takesSchema: kind !== 'compatible',
    timeoutMs,
    limits: limitsOf(settings),
    secrets: apiKey === null ? [] : [apiKey],
  });
}

const limitsOf = (settings: ModelSettings) => ({
  contextTokens: settings.MODEL_CONTEXT_TOKENS,
  files: settings.MODEL_FILES,
});

export class Models {
  readonly #settings: ModelSettings;
  readonly #own: OwnProviders;
  /**
   * Cached models of the installation's providers, with the installation's time limit. Other models are created for
   * each call: those of an agent with its own time limit, and those of an organization's own provider, so that a change
   * of the provider applies at once.
   */
  readonly #made = new Map<string, Model>();

  constructor(settings: ModelSettings, own: OwnProviders, countFailure: CountScriptFailure) {
    this.#settings = settings;
    this.#own = own;
    this.#made.set(scriptedModelId, scriptedModel(countFailure));
  }

  /** Returns the id of the chosen model, even if `find` cannot find it; if the choice names none, the default model's. */
  idOf({ model }: Pick<ModelChoice, 'model'>): string {
    return model ?? defaultModel(this.#settings);
  }

  /**
   * Returns the chosen model; if the choice names none, the default model.
   * @throws a ModelFault that is not retryable if the provider of the model is not set up, or lacks its address or key;
   * Error if the organization's key cannot be decrypted, for example because it was encrypted with another
   * ENCRYPTION_KEY
   */
  find({ model: wanted, provider, timeoutSeconds = null }: ModelChoice, organizationId: string): Model {
    const id = this.idOf({ model: wanted });
    const timeoutMs = Math.round((timeoutSeconds ?? this.#settings.MODEL_TIMEOUT_SECONDS) * 1000);
    if (provider !== null) return this.#ofOrganization(provider, id, { organizationId, timeoutMs });
    const isLocal = id.startsWith(`${localProvider}/`);
    const known = isLocal ? undefined : this.#made.get(id);
    if (known !== undefined && (timeoutSeconds === null || id === scriptedModelId)) return known;
    const problem = modelProblem(this.#settings, id);
    if (problem !== undefined)
      throw new ModelFault(`The agent's model ${id} ${problem}.`, {
        retryable: false,
        othersMayAnswer: true,
      });
    const access = this.#ofInstallation(id);
    const made = languageModel({
      id,
      model: providerModel(access, id.slice(id.indexOf('/') + 1)),
      takesSchema: access.kind !== 'compatible',
      timeoutMs,
      limits: this.#limits(isLocal),
      secrets: this.#secrets(),
    });
    if (timeoutSeconds === null && !isLocal) this.#made.set(id, made);
    return made;
  }

  #ofOrganization(
    provider: SealedProvider,
    id: string,
    { organizationId, timeoutMs }: { organizationId: string; timeoutMs: number },
  ): Model {
    const { encryption, http } = this.#own;
    const { kind, base_url: baseUrl, api_key: sealed } = provider;
    const place = keyPlace({ id: provider.id, organization_id: organizationId });
    const apiKey = sealed === null ? null : encryption.open(sealed, place);
    const options = { http, organizationId, settings: this.#settings, timeoutMs };
    return ownModel({ kind, baseUrl, apiKey }, id, options);
  }

  #secrets(): string[] {
    const { MODEL_API_KEY, OPENAI_API_KEY, ANTHROPIC_API_KEY, LOCAL_MODEL } = this.#settings;
    const keys = [MODEL_API_KEY, OPENAI_API_KEY, ANTHROPIC_API_KEY, LOCAL_MODEL?.api_key];
    return keys.filter((key) => key !== undefined);
  }

  #limits(isLocal: boolean) {
    const { LOCAL_MODEL } = this.#settings;
    if (!isLocal || LOCAL_MODEL === undefined) return limitsOf(this.#settings);
    return { contextTokens: LOCAL_MODEL.context_tokens, files: [] };
  }

  /**
   * Returns the kind, address and key of a provider that the environment sets up. `modelProblem` must have found no
   * problem.
   */
  #ofInstallation(id: string): ProviderAccess {
    const {
      MODEL_BASE_URL = '',
      MODEL_API_KEY,
      OPENAI_API_KEY,
      ANTHROPIC_API_KEY,
      LOCAL_MODEL,
    } = this.#settings;
    const fetch = modelFetch();
    switch (id.slice(0, id.indexOf('/'))) {
      case 'openai':
        return { kind: 'openai', apiKey: OPENAI_API_KEY ?? '', fetch };
      case 'anthropic':
        return { kind: 'anthropic', apiKey: ANTHROPIC_API_KEY ?? '', fetch };
      case localProvider:
        return {
          kind: 'compatible',
          baseURL: LOCAL_MODEL?.base_url ?? '',
          apiKey: LOCAL_MODEL?.api_key ?? '',
          fetch,
        };
      default:
        return { kind: 'compatible', baseURL: MODEL_BASE_URL, apiKey: MODEL_API_KEY ?? '', fetch };
    }
  }
}

/**
 * Makes a model call, and records its outcome, duration and tokens as metrics.
 * @param modelId `provider/name`
 * @returns the result of the call
 * @throws the errors of the call
 */
export async function measuredModelCall<T extends { inputTokens: number; outputTokens: number }>(
  modelId: string,
  call: () => Promise<T>,
): Promise<T> {
  const provider = meteredProviders.find((one) => modelId.split('/')[0] === one) ?? 'custom';
  const began = performance.now();
  const measure = (outcome: 'answered' | 'failed') => {
    measureModel({ provider, outcome }, (performance.now() - began) / 1000);
  };
  try {
    const reply = await call();
    measure('answered');
    addTokens({ provider, kind: 'input' }, reply.inputTokens);
    addTokens({ provider, kind: 'output' }, reply.outputTokens);
    return reply;
  } catch (error) {
    // If a cap on credits refused the call, it was not made and is not measured.
    const wasMade =
      !(error instanceof CreditsBusy) &&
      !(error instanceof ModelFault && error.code === 'credit_cap_reached');
    if (wasMade) measure('failed');
    throw error;
  }
}

interface AgentQuestion extends Omit<ModelRequest, 'attachments' | 'transfers' | 'lastStep'> {
  /**
   * Loads the files for the model.
   * @param hold waits until the bytes of the files fit within the limit, and holds them until the model call ends
   */
  files: (hold: (bytes: number) => Promise<void>) => Promise<ModelAttachment[]>;
  /** The agents to which this agent may transfer, also the deleted ones. */
  targets: (ModelRequest['transfers'][number] & { deleted: boolean })[];
  /** Number of the turn's model calls before this one. */
  step: number;
}

/**
 * Asks an agent's model once, in a run or in a rehearsal: waits for a slot, and holds the bytes of the files until the
 * call ends.
 * @param measure makes the call that it is given, once a slot is free
 * @throws the errors of `measure`; NoSlot if no slot becomes free in time
 */
export async function askAgent(
  limits: { modelSlots: Slots; scriptSlots: Slots; fileBytes: Limiter },
  model: Model,
  measure: (call: () => Promise<ModelReply>) => Promise<ModelReply>,
  { files, targets, step, ...question }: AgentQuestion,
): Promise<ModelReply> {
  const { organizationId, agent, signal } = question;
  let giveBack = (): void => undefined;
  const hold = async (bytes: number) => {
    giveBack = await limits.fileBytes.hold(organizationId, bytes);
  };
  const call = () =>
    model.ask({
      ...question,
      attachments: () => files(hold),
      transfers: targets.filter((target) => !target.deleted),
      lastStep: step >= maxSteps - 1,
    });
  const attempt = async () => {
    try {
      return await measure(() => measuredModelCall(model.id, call));
    } finally {
      giveBack();
    }
  };
  // Scripts and language models have separate slots, so that they never delay each other. A script may wait for a long
  // time.
  const slots = model.id === scriptedModelId ? limits.scriptSlots : limits.modelSlots;
  return await slots.use(organizationId, agent.id, attempt, signal);
}
