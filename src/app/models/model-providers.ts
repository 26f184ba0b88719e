/**
 * Adds, changes, tests and removes an organization's model providers, and sets its default model. A provider is tested
 * before it is stored.
 */
import { recordAudit, type OrganizationActor } from '../../adapters/postgres/accounts/audit-log.ts';
import { lockSettings } from '../../adapters/postgres/accounts/organizations.ts';
import { inTransaction, type Database, type Transaction } from '../../adapters/postgres/database.ts';
import {
  addModelPrices,
  agentsByModel,
  agentsOfProvider,
  deleteModelProvider,
  findModelProvider,
  hasModelProvider,
  insertModelProvider,
  listModelProviders,
  loadDefaultModel,
  loadModelPrices,
  maxModelPrices,
  recordProviderTest,
  setDefaultModel,
  setModelPrice,
  updateModelProvider,
  type ModelProviderRow,
  type ProviderTest,
} from '../../adapters/postgres/models/model-providers.ts';
import { changeText, listChangeText } from '../../domain/accounts/change-text.ts';
import { findModelOutcomes } from '../../adapters/postgres/data/health.ts';
import { ModelFault } from '../../adapters/models/model.ts';
import {
  configuredModel,
  defaultModel,
  environmentProviders,
  keyPlace,
  modelProblem,
  type ModelSettings,
  type OwnAccess,
  type OwnProviders,
} from '../../adapters/models/models.ts';
import { invalidField, orNotFound, PublicError } from '../../contract/errors.ts';
import { listPriceOf } from '../../contract/models/list-prices.ts';
import { isOwnServer } from '../../contract/models/limits.ts';
import type {
  AddProviderForm,
  ChangeProviderForm,
  ModelPrice,
  ModelPriceForm,
  ModelProvider,
  ModelSettings as ModelSettingsView,
  ModelTest,
  SavedProvider,
} from '../../contract/models/models.ts';
import { failureOf } from '../../domain/data/judge-health.ts';
import { scriptedModelId } from '../../contract/models/scripted.ts';
import { createModelTrials } from './try-model.ts';

/** Maximum providers of one organization, because `view` returns all of them at once. Chosen. */
const maxProviders = 20;
/** Maximum age (ms) of a provider's last call. Chosen: a month. */
const lastCallsMs = 30 * 24 * 60 * 60 * 1000;

export interface ModelProviderParts extends OwnProviders {
  db: Database;
  settings: ModelSettings;
}

export type ModelProviders = ReturnType<typeof createModelProviders>;

export function createModelProviders({ db, settings, http, encryption }: ModelProviderParts) {
  const tryModel = createModelTrials({ settings, http });
  return { view, defaultOf, problemOf, add, change, test, remove, setDefault, setPrice };

  /**
   * Returns the organization's providers, followed by those of the environment, with the default model, the prices, the
   * number of agents that use each model, and the last call of each provider.
   */
  async function view(organizationId: string): Promise<ModelSettingsView> {
    const usual = defaultModel(settings);
    const since = new Date(Date.now() - lastCallsMs);
    const [rows, { model }, prices, counted, outcomes] = await Promise.all([
      listModelProviders(db, organizationId),
      loadDefaultModel(db, organizationId),
      loadModelPrices(db, organizationId),
      agentsByModel(db, organizationId),
      findModelOutcomes(db, organizationId, since, usual),
    ]);
    const installation_default = usual === scriptedModelId ? null : usual;
    const default_model = model ?? usual;
    const used_by: Record<string, number> = {};
    for (const { model: named, agents } of counted)
      used_by[named ?? default_model] = (used_by[named ?? default_model] ?? 0) + agents;
    return {
      default_model,
      default_of: model !== null ? 'organization' : installation_default === null ? 'none' : 'installation',
      installation_default,
      providers: [...rows.map(shown), ...environmentProviders(settings)],
      prices,
      used_by,
      last_calls: Object.fromEntries(
        outcomes.map((one) => [one.provider, { at: one.at.toISOString(), error: failureOf(one) }]),
      ),
    };
  }

  /**
   * Returns the id of the model for agents that select none: the organization's default model or, if it has none, the
   * installation's. The latter is the scripted model if the environment configures no provider.
   */
  async function defaultOf(organizationId: string): Promise<string> {
    const { model } = await loadDefaultModel(db, organizationId);
    return model ?? defaultModel(settings);
  }

  /**
   * Checks whether the organization or the environment has the provider of a model. The scripted model needs no
   * provider.
   * @param id `provider/name`
   * @returns undefined if the model can be used; otherwise the end of a sentence that begins with the id
   */
  async function problemOf(db: Database, organizationId: string, id: string): Promise<string | undefined> {
    const problem = modelProblem(settings, id);
    if (problem === undefined) return undefined;
    return (await hasModelProvider(db, organizationId, providerOf(id))) ? undefined : problem;
  }

  /**
   * Tests the first model of a provider, and stores the provider, and the list prices of its models that have no price.
   * If the organization has no default model, and the environment configures none, the tested model becomes the
   * organization's default.
   * @throws PublicError conflict if the name is taken; validation_failed if there are too many providers, or if the
   * test call fails because of the key, a model or the base URL; gateway_unreachable if it fails for another reason;
   * rate_limited if too many tests are in progress
   */
  async function add(actor: OrganizationActor, form: AddProviderForm): Promise<SavedProvider> {
    const { organizationId } = actor;
    const { kind, name, models } = form;
    const known = await listModelProviders(db, organizationId);
    if (known.some((row) => row.name === name)) throw new PublicError('conflict');
    if (known.length >= maxProviders) {
      throw invalidField('name', `is one too many: an organization has at most ${maxProviders} providers`);
    }
    const access = { kind, baseUrl: form.base_url ?? null, apiKey: form.api_key ?? null };
    const test = await tested(organizationId, access, `${name}/${firstOf(models)}`);
    const { model: chosen } = await loadDefaultModel(db, organizationId);
    const hadNone = chosen === null && configuredModel(settings) === undefined;
    const row = await inTransaction(db, async (tx) => {
      const fields = { name, kind, models, base_url: access.baseUrl, ...testOf(firstOf(models)) };
      const added = await insertModelProvider(tx, organizationId, fields, (place) =>
        seal(access.apiKey, place),
      );
      await recordAudit(tx, actor, 'model_provider_added', name);
      await addListPrices(tx, organizationId, added);
      if (hadNone) await keepDefault(tx, actor, `${name}/${firstOf(models)}`);
      return added;
    });
    return { provider: shown(row), test };
  }

  /**
   * Tests the first model with a provider's new settings, and stores them.
   * @throws PublicError not_found; validation_failed if the base URL is missing, or if the base URL changes and the key
   * is not given again; the same errors as `add` if the test call fails or cannot start
   */
  async function change(
    actor: OrganizationActor,
    id: string,
    form: ChangeProviderForm,
  ): Promise<SavedProvider> {
    const { organizationId } = actor;
    const row = await find(organizationId, id);
    const base_url = form.base_url === undefined ? row.base_url : form.base_url;
    if (base_url === null && isOwnServer(row.kind)) throw invalidField('base_url', 'is needed');
    // Without this check, an editor could have the stored key sent to any other server.
    if (base_url !== row.base_url && row.api_key !== null && form.api_key === undefined) {
      throw invalidField('api_key', 'is needed again when the address changes');
    }
    const models = form.models ?? row.models;
    const access = { kind: row.kind, baseUrl: base_url, apiKey: form.api_key ?? open(row) };
    const test = await tested(organizationId, access, `${row.name}/${firstOf(models)}`);
    const changed = await inTransaction(db, async (tx) => {
      const stored = orNotFound(
        await updateModelProvider(tx, organizationId, id, {
          base_url,
          models,
          ...testOf(firstOf(models)),
          ...(form.api_key !== undefined && { api_key: seal(form.api_key, row) }),
        }),
      );
      await recordAudit(tx, actor, 'model_provider_changed', providerChangeText(row, stored, form));
      await addListPrices(tx, organizationId, stored);
      return stored;
    });
    return { provider: shown(changed), test };
  }

  /**
   * Tests a model of a stored provider, and records whether it answered.
   * @param model name of the model, without the name of its provider
   * @throws PublicError not_found; gateway_unreachable, with the reason, if the call fails; rate_limited if too many
   * tests are in progress
   */
  async function test(organizationId: string, id: string, model: string): Promise<ModelTest> {
    const row = await find(organizationId, id);
    const access = { kind: row.kind, baseUrl: row.base_url, apiKey: open(row) };
    try {
      const answer = await tryModel(organizationId, access, `${row.name}/${model}`);
      await recordProviderTest(db, organizationId, id, testOf(model));
      return answer;
    } catch (error) {
      if (!(error instanceof ModelFault)) throw error;
      await recordProviderTest(db, organizationId, id, testOf(model, sentenceOf(error)));
      throw refused(error, []);
    }
  }

  /**
   * Deletes a provider with its key. If the organization's default model belongs to it, the installation's default
   * applies afterwards.
   * @throws PublicError not_found; invalid_state if agents use one of its models and the environment has no provider
   * of the same name
   */
  async function remove(actor: OrganizationActor, id: string): Promise<void> {
    const { organizationId } = actor;
    const row = await find(organizationId, id);
    const remains = environmentProviders(settings).some(({ name }) => name === row.name);
    const agents = remains ? [] : await agentsOfProvider(db, organizationId, row.name);
    if (agents.length > 0) {
      const sentence = `Agents use a model of ${row.name}: ${agents.join(', ')}. Choose another model for them first.`;
      throw new PublicError('invalid_state', { sentence });
    }
    await inTransaction(db, async (tx) => {
      await deleteModelProvider(tx, row);
      await recordAudit(tx, actor, 'model_provider_removed', row.name);
    });
  }

  /**
   * Sets the organization's default model.
   * @param model `provider/name`; null for the installation's default
   * @throws PublicError validation_failed if the provider of the model is not set up, or the model is the scripted one
   */
  async function setDefault(actor: OrganizationActor, model: string | null): Promise<void> {
    if (model === scriptedModelId) {
      throw invalidField('model', 'answers from scripts only: choose it for single agents');
    }
    const problem = model === null ? undefined : await problemOf(db, actor.organizationId, model);
    if (problem !== undefined) throw invalidField('model', problem);
    await inTransaction(db, async (tx) => {
      await keepDefault(tx, actor, model);
    });
  }

  /**
   * Sets or removes the price of a model, from which the costs of the usage are computed.
   * @throws PublicError validation_failed if too many models have a price
   */
  async function setPrice(
    actor: OrganizationActor,
    { model, input, output, cached_input }: ModelPriceForm,
  ): Promise<void> {
    const price = input === null || output === null ? null : { input, output, cached_input };
    await inTransaction(db, async (tx) => {
      await lockSettings(tx, actor.organizationId);
      const { [model]: before = null } = await loadModelPrices(tx, actor.organizationId);
      if (!(await setModelPrice(tx, actor.organizationId, model, price)))
        throw invalidField('model', `is one too many: at most ${maxModelPrices} models have a price`);
      await recordAudit(
        tx,
        actor,
        'model_price_changed',
        `${model}: ${changeText(priceText(before), priceText(price))}`,
      );
    });
  }

  /** Sets the list prices of a provider's models that have no price. An agent elsewhere has no list price. */
  async function addListPrices(
    tx: Transaction,
    organizationId: string,
    { kind, name, models }: Pick<ModelProviderRow, 'kind' | 'name' | 'models'>,
  ): Promise<void> {
    if (kind === 'agent') return;
    const known = models.flatMap((model) => {
      const price = listPriceOf(model);
      return price === undefined ? [] : [[`${name}/${model}`, price] as const];
    });
    if (known.length > 0) await addModelPrices(tx, organizationId, Object.fromEntries(known));
  }

  async function keepDefault(tx: Transaction, actor: OrganizationActor, model: string | null): Promise<void> {
    const before = await lockSettings(tx, actor.organizationId);
    await setDefaultModel(tx, actor.organizationId, model);
    const change = changeText(defaultText(before?.default_model ?? null), defaultText(model));
    await recordAudit(tx, actor, 'default_model_changed', change);
  }

  async function find(organizationId: string, id: string): Promise<ModelProviderRow> {
    return orNotFound(await findModelProvider(db, organizationId, id));
  }

  /**
   * Tests the access that a form describes.
   * @throws PublicError validation_failed if the call fails because of a field of the form; gateway_unreachable if it
   * fails for another reason; rate_limited if too many tests are in progress
   */
  async function tested(organizationId: string, access: OwnAccess, id: string): Promise<ModelTest> {
    const fields = ['api_key', 'models', ...(access.baseUrl === null ? [] : ['base_url'])];
    return await tryModel(organizationId, access, id).catch((error: unknown) => {
      throw error instanceof ModelFault ? refused(error, fields) : error;
    });
  }

  function seal(key: string | null, place: { id: string; organization_id: string }): string | null {
    return key === null ? null : encryption.seal(key, keyPlace(place));
  }

  function open(row: ModelProviderRow): string | null {
    return row.api_key === null ? null : encryption.open(row.api_key, keyPlace(row));
  }
}

const fieldOf = { key: 'api_key', model: 'models', address: 'base_url' } as const;

/**
 * Converts the fault of a test call to an error for the caller. The error includes the provider's text, from which
 * keys have already been removed.
 * @param fields the fields of the form. A fault that one of them caused becomes validation_failed for this field; any
 * other fault becomes gateway_unreachable.
 */
function refused(fault: ModelFault, fields: readonly string[]): PublicError {
  const { about } = fault;
  const sentence = sentenceOf(fault);
  const path = about && fieldOf[about];
  return path === undefined || !fields.includes(path)
    ? new PublicError('gateway_unreachable', { sentence, cause: fault })
    : new PublicError('validation_failed', { details: [{ path, message: sentence }], cause: fault });
}

const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 20,
});

/** Returns the prices per million tokens, for example "$0.25 in / $2.00 out / $0.025 cached"; "no price" for null. */
/**
 * @param before read before the models were tested, so that a concurrent change may have come between
 * @returns the provider's name, with the earlier and the new origin, the models that were added and removed, and whether
 * the key was replaced
 */
function providerChangeText(
  before: ModelProviderRow,
  { name, base_url, models }: ModelProviderRow,
  { api_key }: ChangeProviderForm,
): string {
  const origin = (url: string | null) => (url === null ? 'the provider’s' : new URL(url).origin);
  const isMoved = base_url !== before.base_url;
  const notes = [
    isMoved ? `address: ${changeText(origin(before.base_url), origin(base_url))}` : '',
    api_key === undefined ? '' : 'key replaced',
    listChangeText(before.models, models),
  ].filter((note) => note !== '');
  return notes.length === 0 ? name : `${name} (${notes.join('; ')})`;
}

const defaultText = (model: string | null) => model ?? 'the default of this installation';

function priceText(price: ModelPrice | null): string {
  if (price === null) return 'no price';
  const { input, output, cached_input } = price;
  const cached = dollars.format(cached_input ?? input);
  return `${dollars.format(input)} in / ${dollars.format(output)} out / ${cached} cached`;
}

const sentenceOf = ({ message, providerMessage }: ModelFault): string =>
  providerMessage === undefined ? message : `${message} The provider says: ${providerMessage}`;

/** @param error why the test failed; null: the model answered */
const testOf = (model: string, error: string | null = null): ProviderTest => ({
  tested_at: new Date(),
  tested_model: model,
  test_error: error,
});

const providerOf = (model: string): string => model.slice(0, Math.max(model.indexOf('/'), 0));

/** @returns the first of a form's models; the form's schema requires at least one */
const firstOf = ([first = '']: readonly string[]): string => first;

function shown(row: ModelProviderRow): ModelProvider {
  const { id, name, kind, base_url, api_key, models, updated_at, tested_at, tested_model, test_error } = row;
  return {
    id,
    name,
    kind,
    base_url,
    models,
    has_key: api_key !== null,
    updated_at: updated_at.toISOString(),
    tested:
      tested_at === null || tested_model === null
        ? null
        : { at: tested_at.toISOString(), model: tested_model, error: test_error },
  };
}
