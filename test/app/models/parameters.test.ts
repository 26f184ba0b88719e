/** The parameters of an agent's model in the requests to providers, and what callers read if a provider refuses one. */
import assert from 'node:assert/strict';
import { createPublicHttp } from '../../../src/adapters/http/public-http.ts';
import { ModelFault, plainRequest } from '../../../src/adapters/models/model.ts';
import { ownModel } from '../../../src/adapters/models/models.ts';
import type { ErrorBody } from '../../../src/contract/errors.ts';
import { useModelStack } from '../../support/model-stack.ts';
import { json, startRawModelServer } from '../../support/raw-model-server.ts';

describe('The parameters of a model', () => {
  const stack = useModelStack();

  it('reach the provider as the agent sets them; the provider chooses those that are not set', async () => {
    const { api, model } = stack();
    const parametersOf = (message: string) =>
      model
        .callsFor(message)
        .map(({ body }) => [body['temperature'], body['max_tokens'], body['reasoning_effort']]);
    const parameters = { temperature: 0, max_output_tokens: 200, reasoning_effort: 'low' };
    const agent = await api.createAgent(parameters);
    await api.ask(agent.id, { message: 'with parameters' });
    assert.deepEqual(parametersOf('with parameters'), [[0, 200, 'low']]);
    await api.changeAgent(agent.id, { temperature: null, max_output_tokens: null, reasoning_effort: null });
    await api.ask(agent.id, { message: 'without parameters' });
    assert.deepEqual(parametersOf('without parameters'), [[undefined, undefined, undefined]]);
  });

  it('an output cap lowers what a cap on credits reserves, and no output cap raises it', async () => {
    const { api, model } = stack();
    const agent = await api.createAgent({ max_output_tokens: 200, credit_caps: { day: 1000 } });
    await api.ask(agent.id, { message: 'a low output cap' });
    await api.changeAgent(agent.id, { max_output_tokens: 9000 });
    await api.ask(agent.id, { message: 'a high output cap' });
    const sent = ['a low output cap', 'a high output cap'].map(
      (message) => model.callsFor(message)[0]?.body['max_tokens'],
    );
    assert.deepEqual(sent, [200, 4000]);
  });

  it('that a provider refuses fail the run with a sentence that names them', async () => {
    const { api, model } = stack();
    const agent = await api.createAgent({ temperature: 1.5, max_output_tokens: 200 });
    const error = { message: "Unsupported value: 'temperature' does not support 1.5 with this model." };
    model.answer('a refused parameter', { kind: 'status', status: 400, body: JSON.stringify({ error }) });
    const body = { message: 'a refused parameter', sync: true };
    const said: ErrorBody = await api.refused(502, 'POST', `/chat/${agent.id}`, { body });
    assert.equal(
      said.error,
      "The model provider refused the agent's temperature (400). Change it in the model settings of the agent.",
    );
    assert.equal(model.callsFor('a refused parameter').length, 1);
  });

  for (const [kind, expected] of [
    ['openai', { temperature: undefined, max_output_tokens: 200, reasoning: { effort: 'low' } }],
    ['anthropic', { temperature: 0.5, max_tokens: 200, thinking: undefined }],
    ['google', { generationConfig: { temperature: 0.5, maxOutputTokens: 200 } }],
  ] as const)
    it(`have the names that ${kind} gives them`, async () => {
      const server = await startRawModelServer();
      try {
        server.answer(json(400, { error: { message: 'refused' } }));
        const settings = { MODEL_TIMEOUT_SECONDS: 5, MODEL_CONTEXT_TOKENS: 8000, MODEL_FILES: [] };
        const http = createPublicHttp({ allow: ['127.0.0.0/8'] });
        const name = {
          openai: 'gpt-5-mini',
          anthropic: 'claude-3-5-haiku-latest',
          google: 'gemini-2.0-flash',
        }[kind];
        const model = ownModel({ kind, baseUrl: `${server.origin}/v1`, apiKey: 'a-key' }, `${kind}/${name}`, {
          http,
          organizationId: 'o',
          settings,
          timeoutMs: 5000,
        });
        const signal = new AbortController().signal;
        const parameters = {
          temperature: 0.5,
          max_output_tokens: 200,
          reasoning_effort: kind === 'openai' ? ('low' as const) : null,
        };
        const asked = model.ask({
          ...plainRequest({ organizationId: 'o', conversationId: 'c', signal }, 'hello'),
          parameters,
        });
        await assert.rejects(asked, ModelFault);
        const [request] = server.requests;
        const sent = Object.keys(expected).map((field) => [field, request?.body[field]]);
        assert.deepEqual(Object.fromEntries(sent), expected);
      } finally {
        await server.close();
      }
    });
});
