/** Stores the model providers of organizations, with encrypted API keys, and the organizations' default models. */
import { z } from 'zod';
import {
  maxAgentsOfModels,
  modelPrice,
  providerKind,
  type ModelPrice,
} from '../../../contract/models/models.ts';
import { sealedProvider, type ModelChoice } from '../../models/models.ts';
import { queryRow, statement, type Database } from '../database.ts';
import { organizationTable } from '../organization-table.ts';

const modelProviderRow = z.object({
  id: z.string(),
  organization_id: z.string(),
  name: z.string(),
  kind: providerKind,
  base_url: z.string().nullable(),
  /** Encrypted; null if the provider needs no API key, or the encryption key was lost. */
  api_key: z.string().nullable(),
  models: z.array(z.string()),
  created_at: z.date(),
  updated_at: z.date(),
  /** The last test, and why it failed; null if the model answered. */
  tested_at: z.date().nullable(),
  tested_model: z.string().nullable(),
  test_error: z.string().nullable(),
});
export type ModelProviderRow = z.infer<typeof modelProviderRow>;

/** The last test of a provider. */
export type ProviderTest = Pick<ModelProviderRow, 'tested_at' | 'tested_model' | 'test_error'>;

const providers = (db: Database) => db.knex<ModelProviderRow>('model_providers');
const ofOrganization = organizationTable('model_providers', modelProviderRow);

/** @returns the organization's model providers, ordered by name */
export const listModelProviders = ofOrganization.list('name');

/**
 * Finds a model provider.
 * @param id a UUID
 * @returns undefined if the organization has no such provider
 */
export const findModelProvider = ofOrganization.find;

/** @returns true if the organization has a model provider of this name */
export const hasModelProvider = statement('has-model-provider').hasRow<
  [organizationId: string, name: string]
>`
  select id from model_providers where organization_id = $1 and name = $2`;

/**
 * Stores a new model provider.
 * @param seal returns the API key, encrypted for the ids of the new row; null if there is no API key
 * @throws PublicError conflict if the organization has a model provider of this name
 */
export async function insertModelProvider(
  db: Database,
  organizationId: string,
  provider: Pick<ModelProviderRow, 'name' | 'kind' | 'base_url' | 'models' | keyof ProviderTest>,
  seal: (row: { id: string; organization_id: string }) => string | null,
): Promise<ModelProviderRow> {
  const columnsOf = (key: Pick<ModelProviderRow, 'id' | 'organization_id'>) => ({
    ...provider,
    api_key: seal(key),
  });
  return await ofOrganization.insert(db, organizationId, columnsOf, 'model_providers_name');
}

/** Changes the given fields of a provider. @returns the new row; undefined if the organization has no such provider */
export async function updateModelProvider(
  db: Database,
  organizationId: string,
  id: string,
  change: Partial<Pick<ModelProviderRow, 'base_url' | 'api_key' | 'models' | keyof ProviderTest>>,
): Promise<ModelProviderRow | undefined> {
  return await ofOrganization.update(db, { id, organization_id: organizationId }, change);
}

/** Records the test of a provider, without the change of a setting. */
export async function recordProviderTest(
  db: Database,
  organization_id: string,
  id: string,
  test: ProviderTest,
): Promise<void> {
  await providers(db).where({ id, organization_id }).update(test);
}

/**
 * Deletes a model provider with its API key. If the organization's default model belongs to it, resets that default to
 * the installation's. Idempotent.
 */
export async function deleteModelProvider(
  db: Database,
  { id, organization_id, name }: Pick<ModelProviderRow, 'id' | 'organization_id' | 'name'>,
): Promise<void> {
  await providers(db).where({ id, organization_id }).delete();
  await db
    .knex('organizations')
    .where({ id: organization_id })
    .whereRaw("split_part(default_model, '/', 1) = ?", [name])
    .update({ default_model: null });
}

/**
 * @returns the names of the agents that use a model of this provider, also as their fallback, and are not deleted: the
 * first ten in alphabetical order
 */
export const agentsOfProvider = statement('agents-of-provider', z.array(z.string())).result<
  [organizationId: string, name: string]
>`
  select array(select name from agents where organization_id = $1 and deleted_at is null
    and $2 in (split_part(model, '/', 1), split_part(fallback_model, '/', 1))
    order by name limit 10) as result`;

/** Counts the first `maxAgentsOfModels` agents by model and by fallback model; `model` is null for the default model. */
export const agentsByModel = statement(
  'agents-by-model',
  z.object({ model: z.string().nullable(), agents: z.number() }),
).rows<[organizationId: string]>`
  select named.model, count(*)::integer as agents
    from (select model, fallback_model from agents where organization_id = $1 and deleted_at is null
        order by id limit ${maxAgentsOfModels}) a
      cross join lateral (select a.model union select a.fallback_model where a.fallback_model is not null) named
    group by named.model`;

/**
 * Sets the organization's default model.
 * @param model `provider/name`; null: the installation's default applies
 */
export const setDefaultModel = statement('set-default-model').write<
  [organizationId: string, model: string | null]
>`
  update organizations set default_model = $2 where id = $1`;

/** Maximum number of models with a price. Chosen: as many as 20 providers with 50 models each have. */
export const maxModelPrices = 1000;
const prices = z.record(z.string(), modelPrice);

/** Reads the organization's prices of models, by `provider/name`. */
export const loadModelPrices = statement('model-prices', prices).result<[organizationId: string]>`
  select model_prices as result from organizations where id = $1`;

const setPrice = statement('set-model-price').hasRow<
  [organizationId: string, model: string, price: string | null]
>`
  update organizations set model_prices = case when $3::jsonb is null then model_prices - $2::text
      else model_prices || jsonb_build_object($2::text, $3::jsonb) end
    where id = $1 and ($3::jsonb is null or jsonb_exists(model_prices, $2::text)
      or (select count(*) from jsonb_object_keys(model_prices)) < ${maxModelPrices})
    returning id`;

/**
 * Sets the price of a model.
 * @param model `provider/name`
 * @param price null removes it
 * @returns false if the organization already has `maxModelPrices` prices
 */
export async function setModelPrice(
  db: Database,
  organizationId: string,
  model: string,
  price: ModelPrice | null,
): Promise<boolean> {
  return await setPrice(db, organizationId, model, price === null ? null : JSON.stringify(price));
}

const addPrices = statement('add-model-prices').write<[organizationId: string, prices: string]>`
  update organizations set model_prices = $2::jsonb || model_prices
    where id = $1 and (select count(*) from jsonb_object_keys($2::jsonb || model_prices)) <= ${maxModelPrices}`;

/**
 * Sets the prices of models that have none. Sets none if the organization would have more than `maxModelPrices`.
 * @param added by `provider/name`
 */
export async function addModelPrices(
  db: Database,
  organizationId: string,
  added: Readonly<Record<string, ModelPrice>>,
): Promise<void> {
  await addPrices(db, organizationId, JSON.stringify(added));
}

const choice = z.object({
  model: z.string().nullable(),
  provider: sealedProvider.nullable(),
  is_capped: z.boolean(),
});
const defaultChoice = statement('default-model', choice)`
  select o.default_model as model,
    case when p.id is not null then jsonb_build_object(
      'id', p.id, 'kind', p.kind, 'base_url', p.base_url, 'api_key', p.api_key) end as provider,
    o.credit_caps is not null
      or exists (select from agents a where a.organization_id = o.id and a.credit_caps is not null)
      or exists (select from api_tokens t where t.organization_id = o.id and t.credit_caps is not null) as is_capped
  from organizations o left join model_providers p
    on p.organization_id = o.id and p.name = split_part(o.default_model, '/', 1)
  where o.id = $1`;

/**
 * Reads the organization's default model. `model` is null if the organization has no default model. `provider` is null
 * if there is no default model, or the organization has no provider of its own for it. `is_capped` is true if a cap on
 * credits may apply to calls of the organization.
 */
export async function loadDefaultModel(
  db: Database,
  organizationId: string,
): Promise<ModelChoice & { is_capped: boolean }> {
  const row = await queryRow(db, defaultChoice, [organizationId]);
  return row ?? { model: null, provider: null, is_capped: false };
}
