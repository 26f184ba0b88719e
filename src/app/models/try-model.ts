/** Tests access to a model by a sample call. */
import { plainRequest, type ModelRequest } from '../../adapters/models/model.ts';
import {
  ownModel,
  type ModelSettings,
  type OwnAccess,
  type OwnProviders,
} from '../../adapters/models/models.ts';
import { PublicError } from '../../contract/errors.ts';
import type { ModelTest } from '../../contract/models/models.ts';
import { Limiter } from '../../limits/limiter.ts';
import { findAbilities } from './model-abilities.ts';

/** Maximum milliseconds of each call of a test, because a person waits for two calls one after the other. Chosen. */
const testMs = 30_000;
const maxSampleChars = 500;

interface TrialParts extends Pick<OwnProviders, 'http'> {
  settings: ModelSettings;
}

/** Returns the function that tests a model. It limits the tests in progress. */
export function createModelTrials({ settings, http }: TrialParts) {
  /**
   * Limits the test calls in progress, in total and per organization. The limit per organization keeps one
   * organization's slow providers from blocking the tests of others. Chosen.
   */
  const tests = new Limiter({ max: 20, maxPerOwner: 2 });

  /**
   * Calls the model for a sample answer, and then to find out what it can do.
   * @param id `provider/name`
   * @throws ModelFault if the call fails; PublicError rate_limited if too many tests are in progress
   */
  return async function tryModel(organizationId: string, access: OwnAccess, id: string): Promise<ModelTest> {
    const sentence = 'Other test calls are in progress. Try again in a moment.';
    const askOnce = async () => {
      const began = performance.now();
      const timeoutMs = Math.min(testMs, settings.MODEL_TIMEOUT_SECONDS * 1000);
      const model = ownModel(access, id, { http, organizationId, settings, timeoutMs });
      const reply = await model.ask(question(organizationId));
      const duration_ms = Math.round(performance.now() - began);
      return {
        model: reply.model,
        duration_ms,
        input_tokens: reply.inputTokens,
        output_tokens: reply.outputTokens,
        sample: reply.text.slice(0, maxSampleChars).toWellFormed(),
        abilities:
          access.kind === 'agent'
            ? null
            : await findAbilities(model, askerOf(organizationId), settings.MODEL_FILES),
      };
    };
    return await tests.tryUse(organizationId, askOnce, () => new PublicError('rate_limited', { sentence }));
  };
}

const askerOf = (organizationId: string) => ({
  organizationId,
  conversationId: organizationId,
  signal: new AbortController().signal,
});

const question = (organizationId: string): ModelRequest =>
  plainRequest(askerOf(organizationId), 'Greet a customer of our shop in one short sentence.');
