/** Answers by an output schema: JSON that fits, one repair, and the places where callers read it. */
import assert from 'node:assert/strict';
import { createPublicHttp } from '../../../src/adapters/http/public-http.ts';
import { plainRequest } from '../../../src/adapters/models/model.ts';
import { ownModel } from '../../../src/adapters/models/models.ts';
import type { ErrorBody } from '../../../src/contract/errors.ts';
import { allTold, textsOf, told } from '../../support/event-reader.ts';
import { userText, type ChatRequest, type ModelBehaviour } from '../../support/model-server.ts';
import { useModelStack } from '../../support/model-stack.ts';
import { json, startRawModelServer } from '../../support/raw-model-server.ts';

const schema = {
  type: 'object',
  properties: { order: { type: 'string' }, items: { type: 'integer' }, note: { type: 'string' } },
  required: ['order', 'items'],
};
/** In the order of the stored schema, which the answer gets. */
const fitting = { items: 2, order: 'A7' };
const textOf = ({ content }: ChatRequest['messages'][number]): string =>
  typeof content === 'string' ? content : '';
const says = (text: string): ModelBehaviour => ({ kind: 'stream', text });
const fits = says(JSON.stringify(fitting));

describe('An agent with an output schema', () => {
  const stack = useModelStack();

  /** Sets the answer to the requests that correct the answer to `message`; returns these requests. */
  function answerRepairs(message: string, behaviour: ModelBehaviour): ChatRequest[] {
    const repairs: ChatRequest[] = [];
    stack().model.answerWhere((body) => {
      const asked = body.messages.some(({ content }) => content === message);
      if (!asked || userText(body) === message) return undefined;
      repairs.push(body);
      return behaviour;
    });
    return repairs;
  }

  it('puts the schema into the instructions, and gives the JSON as `output` in the answer, the callback and the history', async () => {
    const { api, model, receiver } = stack();
    const agent = await api.createAgent({ instructions: 'Be brief.', output_schema: schema });
    model.answer('an order', says(`\`\`\`json\n${JSON.stringify(fitting, null, 2)}\n\`\`\``));
    const answer = await api.ask(agent.id, { message: 'an order' });
    assert.deepEqual([answer.response, answer.output], [JSON.stringify(fitting), fitting]);
    assert.deepEqual(answer.messages[0]?.output, fitting);
    const [call] = model.callsFor('an order');
    const [system] = call?.body.messages ?? [];
    assert.equal(system?.role, 'system');
    const instructions = textOf(system);
    assert.ok(instructions.startsWith('Be brief.\n\n'));
    assert.ok(instructions.endsWith(JSON.stringify(agent.output_schema)));
    const webhook_url = receiver.url('/structured');
    await api.send(agent.id, { message: 'an order', webhook_url });
    const [callback] = await receiver.callbacks('/structured', 1);
    assert.ok(callback?.event === 'message.completed');
    assert.deepEqual([callback.response, callback.output], [JSON.stringify(fitting), fitting]);
    const [asked, said] = await api.messages(answer.conversation_id);
    assert.ok(asked?.role === 'user' && said?.role === 'agent');
    assert.deepEqual([said.text, said.output], [JSON.stringify(fitting), fitting]);
    const plain = await api.createAgent();
    const text = await api.ask(plain.id, { message: 'an order' });
    assert.equal(text.output, undefined);
  });

  it('streams an answer in one piece, after the check, and ends with `output`', async () => {
    const { api, model } = stack();
    const agent = await api.createAgent({ output_schema: schema });
    model.answer('streamed order', says(JSON.stringify({ ...fitting, items: 'two' })));
    answerRepairs('streamed order', fits);
    const body = { message: 'streamed order', sync: true };
    const events = await allTold(told(api, `/chat/${agent.id}`, { body }));
    assert.deepEqual(textsOf(events), [JSON.stringify(fitting)]);
    const last = events.at(-1);
    assert.ok(last?.event === 'completed');
    assert.deepEqual(last.data.output, fitting);
  });

  it('is asked once more, with the reason, if the answer does not fit, and both calls are billed', async () => {
    const { api, model } = stack();
    const agent = await api.createAgent({ output_schema: schema });
    model.answer('repaired', says('{"order":"A7","surprise":1}'));
    const repairs = answerRepairs('repaired', fits);
    const answer = await api.ask(agent.id, { message: 'repaired' });
    assert.deepEqual([answer.output, answer.credits_used], [fitting, 0.136]);
    assert.equal(repairs.length, 1);
    const [given, reason] = repairs[0]?.messages.slice(-2) ?? [];
    assert.deepEqual([given?.role, given?.content], ['assistant', '{"order":"A7","surprise":1}']);
    assert.match(
      reason === undefined ? '' : textOf(reason),
      /does not fit the JSON Schema: items: .*surprise/,
    );
    assert.deepEqual(
      (await api.messages(answer.conversation_id)).map(({ text }) => text),
      ['repaired', JSON.stringify(fitting)],
    );
  });

  for (const [title, text] of [
    ['text', 'Your order is A7.'],
    ['JSON that is cut off', '{"order":"A7",'],
    ['JSON that is no object', '["A7"]'],
    ['JSON that is nested too deeply', `{"order":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
    ['JSON over 100,000 characters', JSON.stringify({ ...fitting, note: 'x'.repeat(100_000) })],
  ] as const)
    it(`fails the run with output_invalid if both answers are ${title}`, async () => {
      const { api, model, receiver } = stack();
      const agent = await api.createAgent({ output_schema: schema });
      model.answer(title, { kind: 'whole', text });
      const repairs = answerRepairs(title, { kind: 'whole', text });
      const body = { message: title, sync: true };
      const refused: ErrorBody = await api.refused(502, 'POST', `/chat/${agent.id}`, { body });
      assert.deepEqual(
        [refused.code, refused.error],
        ['output_invalid', "The model's answer does not fit the output schema of the agent."],
      );
      assert.deepEqual([model.callsFor(title).length, repairs.length], [1, 1]);
      const path = `/${encodeURIComponent(title)}`;
      await api.send(agent.id, { message: title, webhook_url: receiver.url(path) });
      const [callback] = await receiver.callbacks(path, 1);
      assert.ok(callback?.event === 'message.error');
      assert.equal(callback.code, 'output_invalid');
    });

  it('may call tools first; text beside a call is no answer', async () => {
    const { api, model } = stack();
    const agent = await api.createAgent({ output_schema: schema });
    const call = { name: 'DOCS_NOTHING', input: {} };
    model.answer('with a tool', { kind: 'stream', text: 'Let me look.', call }, fits);
    const answer = await api.ask(agent.id, { message: 'with a tool' });
    assert.deepEqual([answer.output, answer.messages.length], [fitting, 1]);
    assert.equal(model.callsFor('with a tool').length, 2);
  });

  it('answers by its own schema after a transfer; the text before the transfer has no `output`', async () => {
    const { api, model } = stack();
    const expert = await api.createAgent({ output_schema: schema });
    const desk = await api.createAgent({ transfers_to: [expert.id] });
    const call = { name: 'transfer_to_agent', input: { agent: expert.name } };
    model.answer('to the expert', { kind: 'stream', text: 'One moment.', call }, fits);
    const answer = await api.ask(desk.id, { message: 'to the expert' });
    assert.deepEqual([answer.agent_id, answer.output], [expert.id, fitting]);
    assert.deepEqual(
      answer.messages.map(({ response, output }) => [response, output]),
      [
        ['One moment.', undefined],
        [JSON.stringify(fitting), fitting],
      ],
    );
  });

  it('fills in the defaults of the schema', async () => {
    const { api, model } = stack();
    const properties = { ...schema.properties, note: { type: 'string', default: 'none' } };
    const agent = await api.createAgent({ output_schema: { ...schema, properties } });
    model.answer('defaults', fits);
    const answer = await api.ask(agent.id, { message: 'defaults' });
    assert.deepEqual(answer.output, { ...fitting, note: 'none' });
  });

  it('with the scripted model has no repair', async () => {
    const { api } = stack();
    const script = [{ when: 'good', reply: JSON.stringify(fitting) }, { reply: 'no JSON' }];
    const agent = await api.createAgent({ model: 'scripted/default', script, output_schema: schema });
    assert.deepEqual((await api.ask(agent.id, { message: 'good' })).output, fitting);
    const body = { message: 'bad', sync: true };
    const refused = await api.refused(502, 'POST', `/chat/${agent.id}`, { body });
    assert.equal(refused.code, 'output_invalid');
  });

  for (const [kind, name, formOf] of [
    ['openai', 'gpt-5-mini', (body: Sent) => [body['text']?.['format']]],
    ['anthropic', 'claude-sonnet-4-5', (body: Sent) => [body['output_config']?.['format']]],
    ['google', 'gemini-2.5-flash', (body: Sent) => [body['generationConfig']]],
  ] as const)
    it(`reaches ${kind} in the form of its structured output`, async () => {
      const server = await startRawModelServer();
      try {
        server.answer(json(400, { error: { message: 'The output schema is refused.' } }));
        const settings = { MODEL_TIMEOUT_SECONDS: 5, MODEL_CONTEXT_TOKENS: 8000, MODEL_FILES: [] };
        const http = createPublicHttp({ allow: ['127.0.0.0/8'] });
        const access = { kind, baseUrl: `${server.origin}/v1`, apiKey: 'a-key' };
        const model = ownModel(access, `${kind}/${name}`, {
          ...{ http, organizationId: 'o', settings, timeoutMs: 5000 },
        });
        const { signal } = new AbortController();
        const asked = model.ask({
          ...plainRequest({ organizationId: 'o', conversationId: 'c', signal }, 'hello'),
          parameters: { output_schema: schema },
        });
        await assert.rejects(asked, {
          message:
            "The model provider refused the agent's output schema (400). Change it in the model settings of the agent.",
        });
        const [request] = server.requests;
        const form = JSON.stringify(formOf(request?.body as Sent));
        assert.match(form, /"order":\{"type":"string"\}/);
        assert.match(form, /"required":\["order","items"\]/);
        assert.doesNotMatch(JSON.stringify(request?.body), /one JSON object/);
      } finally {
        await server.close();
      }
    });
});

type Sent = Record<string, Record<string, unknown> | undefined>;
