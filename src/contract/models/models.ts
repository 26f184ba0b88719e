/** The console's requests and responses for model providers, the default model, and test calls of models. */
import { z } from 'zod';
import { isOwnServer, maxModelPrice } from './limits.ts';
import { localProvider } from './local-model.ts';
import { timestamp } from '../page.ts';
import { text, textLike } from '../text.ts';

export const providerKind = z.enum(['openai', 'anthropic', 'google', 'compatible', 'agent']);
export type ProviderKind = z.infer<typeof providerKind>;

/**
 * Built-in providers: the scripted model, the server of MODEL_BASE_URL, and the model of local mode. No other provider
 * can have their names.
 */
const reservedNames: readonly string[] = ['scripted', 'custom', localProvider];

/** Name of a provider: the part of a model's id before the slash. */
const providerName = textLike(
  40,
  /^[a-z0-9][a-z0-9-]*$/,
  'must have lower-case letters, digits and hyphens only',
).refine(
  (name) => !reservedNames.includes(name),
  'is the name of a built-in provider: choose another, such as my-server',
);
const baseUrl = text(2048)
  .regex(/^https?:\/\/./, 'must begin with https:// or http://')
  .refine((url) => URL.canParse(url), 'is not a web address');
const apiKey = text(4096).trim().min(1);
const modelNames = z
  .array(textLike(150, /^[^\s\x00]+$/, 'must not contain spaces'))
  .min(1, 'must name at least one model')
  .max(50);

export const addProviderForm = z
  .strictObject({
    kind: providerKind,
    name: providerName,
    base_url: baseUrl.optional(),
    api_key: apiKey.optional(),
    models: modelNames,
  })
  .refine(({ kind, base_url }) => !isOwnServer(kind) || base_url !== undefined, {
    path: ['base_url'],
    message: 'is needed for a server of your own',
  })
  .refine(({ kind, api_key }) => isOwnServer(kind) || api_key !== undefined, {
    path: ['api_key'],
    message: 'is needed',
  });
export type AddProviderForm = z.infer<typeof addProviderForm>;

/**
 * A change of a provider. An absent field stays as it is. Null removes `base_url`; it is refused for the kinds that
 * `isOwnServer` accepts.
 */
export const changeProviderForm = z.strictObject({
  base_url: baseUrl.nullable().optional(),
  api_key: apiKey.optional(),
  models: modelNames.optional(),
});
export type ChangeProviderForm = z.infer<typeof changeProviderForm>;

export const testProviderForm = z.strictObject({ model: text(150).min(1) });

export const defaultModelForm = z.strictObject({
  model: text(200).min(1).nullable().describe('provider/name; null: the default of this installation'),
});

const price = z.number().min(0).max(maxModelPrice);

export const modelPrice = z.object({
  input: price.describe('US dollars per million input tokens'),
  output: price.describe('US dollars per million output tokens'),
  cached_input: price
    .nullable()
    .describe('US dollars per million input tokens that the provider reads from its cache; null: as input'),
});
export type ModelPrice = z.infer<typeof modelPrice>;

/** The new price of a model. `input` and `output` are both null to remove the price. */
export const modelPriceForm = z
  .strictObject({
    model: textLike(200, /^[^/\s\x00]+\/[^\s\x00]+$/, 'must be provider/name'),
    input: price.nullable(),
    output: price.nullable(),
    cached_input: price.nullable(),
  })
  .refine(({ input, output }) => output !== null || input === null, {
    path: ['output'],
    message: 'is needed',
  })
  .refine(({ input, output, cached_input }) => input !== null || (output ?? cached_input) === null, {
    path: ['input'],
    message: 'is needed',
  });
export type ModelPriceForm = z.infer<typeof modelPriceForm>;

export const modelProvider = z.object({
  id: z.uuid().nullable().describe('Null: set by the environment of this installation, and not editable'),
  name: z.string(),
  kind: providerKind,
  base_url: z.string().nullable(),
  has_key: z.boolean(),
  models: z.array(z.string()).describe('Names without the provider; the first one is tested'),
  updated_at: timestamp.nullable(),
  tested: z
    .object({
      at: timestamp,
      model: z.string().describe('Name of the model without the provider'),
      error: z.string().nullable().describe('Why the test failed; null: the model answered'),
    })
    .nullable()
    .describe('The last test; null: none was recorded'),
});
export type ModelProvider = z.infer<typeof modelProvider>;

/** Maximum number of agents whose models are counted. Chosen: more than one organization is likely to have. */
export const maxAgentsOfModels = 1000;

export const modelSettings = z.object({
  default_model: z.string().describe('The model of agents that name none'),
  default_of: z
    .enum(['organization', 'installation', 'none'])
    .describe('Who chose it; none: no model is set up, and agents answer from their scripts only'),
  installation_default: z.string().nullable(),
  providers: z.array(modelProvider),
  prices: z.record(z.string(), modelPrice).describe('Saved prices, by provider/name'),
  used_by: z
    .record(z.string(), z.int())
    .describe(
      `Number of agents that use a model, by provider/name; agents that use the default count for it, and a fallback counts as well. Of the first ${String(maxAgentsOfModels)} agents`,
    ),
  last_calls: z
    .record(
      z.string(),
      z.object({
        at: timestamp.describe('When the run ended'),
        error: z.string().nullable().describe('Why the provider did not answer; null: it answered'),
      }),
    )
    .describe(
      'The newest call of each provider in a run, by the name of the provider. Of the newest runs of the last 30 days, and of providers that active agents use',
    ),
});
export type ModelSettings = z.infer<typeof modelSettings>;

const ability = (what: string) =>
  z.boolean().nullable().describe(`True if the model ${what}; null: not tried, or not found out`);

export const modelAbilities = z.object({
  tools: ability('calls tools'),
  images: ability('reads images'),
  documents: ability('reads PDF documents'),
});
export type ModelAbilities = z.infer<typeof modelAbilities>;

export const modelTest = z.object({
  model: z.string().describe('The name that the provider reports'),
  duration_ms: z.number(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  sample: z.string().describe('The beginning of the answer'),
  abilities: modelAbilities.nullable().describe('Null for an agent that runs elsewhere'),
});
export type ModelTest = z.infer<typeof modelTest>;

export const savedProvider = z.object({ provider: modelProvider, test: modelTest });
export type SavedProvider = z.infer<typeof savedProvider>;
