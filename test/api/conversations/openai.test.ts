/** The operations below /v1/openai, as OpenAI's own SDK calls them. */
import assert from 'node:assert/strict';
import OpenAI, { APIError } from 'openai';
import { createToken } from '../../../src/adapters/postgres/accounts/tokens.ts';
import { openAiChatRequest } from '../../../src/contract/conversations/openai-chat.ts';
import { useModelStack } from '../../support/model-stack.ts';
import type { Stack } from '../../support/stack.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { unknownId } from '../../support/unknown-id.ts';
import { until } from '../../support/until.ts';

type Chat = OpenAI.ChatCompletionMessageParam[];
/** Fields that Parley adds to OpenAI's answers. */
type Place = { parley: { conversation_id: string; message_id: string } };
const placeOf = (answer: object) => (answer as Place).parley;
const user = (content: string): Chat => [{ role: 'user', content }];

const clientOf = ({ apiUrl, token }: Pick<Stack, 'apiUrl' | 'token'>, options: object = {}) =>
  new OpenAI({ baseURL: `${apiUrl}/openai`, apiKey: token, ...options });

/** @returns the error of the call, with what programs read of it */
async function errorOf(call: PromiseLike<unknown>) {
  const error = await call.then(
    () => assert.fail('the call must be refused'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof APIError, String(error));
  const { status, code, param, type, message, headers } = error as APIError<number, Headers>;
  return { name: error.constructor.name, status, code, param, type, message, headers };
}

describe("OpenAI's SDK", () => {
  const stack = useModelStack();
  const text = () => `text ${crypto.randomUUID()}`;
  const client = () => clientOf(stack());
  const ask = (model: string, messages: Chat, more: object = {}) =>
    client().chat.completions.create({ model, messages, ...more });

  const conversationsOf = async (agentId: string) => {
    const { body } = await stack().api.call('GET', `/conversations?agent_id=${agentId}`);
    return (body as { data: { id: string }[] }).data;
  };

  describe('models', () => {
    it('lists active agents with their identifiers, and reads one', async () => {
      const { api, organizationId } = stack();
      const agent = await api.createAgent();
      const inactive = await api.createAgent({ active: false });
      const found = new Map<string, OpenAI.Model>();
      for await (const model of client().models.list()) found.set(model.id, model);
      const created = Math.floor(Date.parse(agent.created_at) / 1000);
      const { id, name } = agent;
      const expected = { id, object: 'model', created, owned_by: organizationId, name };
      assert.deepEqual(found.get(agent.id), expected);
      assert.ok(!found.has(inactive.id));
      assert.deepEqual(await client().models.retrieve(agent.id), expected);
      for (const missing of [inactive.id, unknownId, 'gpt-4o'])
        assert.equal((await errorOf(client().models.retrieve(missing))).status, 404);
    });

    it('a token that is bound to an agent sees and calls only that agent', async () => {
      const { api, db, organizationId, apiUrl } = stack();
      const [own, other] = [await api.createAgent(), await api.createAgent()];
      const { token } = await createToken(db, { organizationId, name: 'bound', agentIds: [own.id] });
      const bound = clientOf({ apiUrl, token });
      const { data } = await bound.models.list();
      assert.deepEqual(
        data.map(({ id }) => id),
        [own.id],
      );
      const refused = await errorOf(bound.chat.completions.create({ model: other.id, messages: user('a') }));
      assert.deepEqual([refused.name, refused.code], ['PermissionDeniedError', 'forbidden']);
      await bound.chat.completions.create({ model: own.inbox_id, messages: user('a') });
    });
  });

  describe('chat completions', () => {
    it('answers with the text, the usage of the run and the place in Parley', async () => {
      const { api } = stack();
      const agent = await api.createAgent({ instructions: 'Be kind.' });
      const given = text();
      const completion = await ask(agent.id, user(given), { metadata: { order: '17' } });
      const { conversation_id, message_id } = placeOf(completion);
      assert.deepEqual(completion, {
        ...{ id: `chatcmpl-${message_id}`, object: 'chat.completion', created: completion.created },
        model: agent.id,
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: `echo: ${given}`, refusal: null },
            ...{ logprobs: null, finish_reason: 'stop' },
          },
        ],
        usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
        parley: { conversation_id, message_id },
      });
      assert.ok(Math.abs(completion.created - Date.now() / 1000) < 60);
      const [message, answer] = await api.messages(conversation_id);
      assert.ok(message?.role === 'user' && answer?.role === 'agent');
      assert.deepEqual(
        [message.id, message.text, message.metadata, message.earlier_turns, answer.text],
        [message_id, given, { order: '17' }, undefined, `echo: ${given}`],
      );
    });

    it('the model reads earlier turns and instructions of the program, which are stored with the message', async () => {
      const { api, model } = stack();
      const agent = await api.createAgent();
      const given = text();
      const messages: Chat = [
        { role: 'system', content: 'Answer in French.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'one' },
            { type: 'text', text: 'two' },
          ],
        },
        { role: 'assistant', content: 'three', refusal: null, tool_calls: [] },
        ...user(given),
      ];
      const { conversation_id } = placeOf(await ask(agent.id, messages));
      const [call] = model.callsFor(given);
      assert.deepEqual(
        call?.body.messages.map(({ role, content }) => [role, content]),
        [
          ['user', 'one\ntwo'],
          ['assistant', 'three'],
          ['user', '[From the calling program]\nAnswer in French.'],
          ['user', given],
        ],
      );
      const [message] = await api.messages(conversation_id);
      assert.deepEqual(message?.role === 'user' && message.earlier_turns, [
        { role: 'context', text: 'Answer in French.' },
        { role: 'user', text: 'one\ntwo' },
        { role: 'agent', text: 'three' },
      ]);
      // The next message of the conversation is read after all of them, without the instructions.
      const next = text();
      await ask(agent.id, user(next), { metadata: { conversation_id } });
      const [later] = model.callsFor(next);
      assert.deepEqual(
        later?.body.messages.map(({ role }) => role),
        ['user', 'assistant', 'user', 'assistant', 'user'],
      );
    });

    it('instructions precede the message, however long the turns before it are', async () => {
      const { api, model } = stack();
      const agent = await api.createAgent();
      const given = text();
      const long = 'x'.repeat(800);
      const turns: Chat = Array.from({ length: 298 }, (_, index) => ({
        role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
        content: [{ type: 'text' as const, text: long }],
      }));
      const rules: Chat = [
        { role: 'system', content: 'Answer in French.' },
        { role: 'developer', content: 'Be kind.' },
      ];
      const { conversation_id } = placeOf(await ask(agent.id, [...rules, ...turns, ...user(given)]));
      const read = model.callsFor(given)[0]?.body.messages.map(({ content }) => content) ?? [];
      assert.deepEqual(read.slice(-3), [
        '[From the calling program]\nAnswer in French.',
        '[From the calling program]\nBe kind.',
        given,
      ]);
      assert.ok(read.length > 5 && read.slice(0, -3).every((content) => content === long));
      // Longer than the model's context: cut, with a mark.
      const next = text();
      const longRule: Chat = [{ role: 'system', content: 'y'.repeat(31_000) }];
      await ask(agent.id, [...longRule, ...user(next)], { metadata: { conversation_id } });
      const cut = model.callsFor(next)[0]?.body.messages.map(({ content }) => content) ?? [];
      assert.equal(cut.at(-1), next);
      assert.match(
        JSON.stringify(cut.at(-2)),
        /^"\[From the calling program\]\\ny+\\n\[The rest is left out/,
      );
    });

    it('continues a conversation by conversation_id and a contact by contact_id, with the new message alone', async () => {
      const { api } = stack();
      const agent = await api.createAgent();
      for (const metadata of [{ contact_id: `contact ${crypto.randomUUID()}` }, undefined]) {
        const first = placeOf(await ask(agent.id, user('first'), { ...(metadata && { metadata }) }));
        const again = { metadata: metadata ?? { conversation_id: first.conversation_id } };
        const second = placeOf(await ask(agent.id, user('second'), again));
        assert.equal(second.conversation_id, first.conversation_id);
        const both: Chat = [...user('first'), { role: 'assistant', content: 'a' }, ...user('third')];
        const refused = await errorOf(ask(agent.id, both, again));
        assert.deepEqual([refused.status, refused.param], [400, 'messages.0']);
        assert.match(refused.message, /send only the new message/);
        const [system] = [{ role: 'system' as const, content: 'Be brief.' }];
        await ask(agent.id, [system, ...user('fourth')], again);
        assert.equal((await api.messages(first.conversation_id)).length, 6);
      }
    });

    it('files of the last message reach the agent, by data URL', async () => {
      const { api } = stack();
      const agent = await api.createAgent();
      const data = `data:text/plain;base64,${Buffer.from('Grüße').toString('base64')}`;
      const image = `data:image/png;base64,${Buffer.from('not really').toString('base64')}`;
      const completion = await ask(agent.id, [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'file', file: { file_data: data, filename: 'a.txt' } },
            { type: 'image_url', image_url: { url: image, detail: 'auto' } },
          ],
        },
      ]);
      const [message] = await api.messages(placeOf(completion).conversation_id);
      assert.deepEqual(
        message?.attachments.map(({ filename, content_type, size }) => [filename, content_type, size]),
        [
          ['a.txt', 'text/plain', 7],
          [null, 'image/png', 10],
        ],
      );
    });

    it('a transfer and text before a tool: all texts of the run, the same in a stream', async () => {
      const { api } = stack();
      const expert = await api.createAgent({ model: 'scripted/default', script: [{ reply: 'I know' }] });
      const desk = await api.createAgent({
        ...{ model: 'scripted/default', transfers_to: [expert.id] },
        script: [{ transfer_to: expert.name, reply: 'One moment' }],
      });
      const whole = await ask(desk.id, user('a'));
      assert.equal(whole.choices[0]?.message.content, 'One moment\n\nI know');
      const stream = client().chat.completions.stream({ model: desk.id, messages: user('a') });
      assert.equal(await stream.finalContent(), 'One moment\n\nI know');
    });

    it('ignores what tunes a model, and refuses with 400 what it cannot do, naming the parameter', async () => {
      const agent = await stack().api.createAgent();
      const tuned = {
        ...{ temperature: 0.2, top_p: 1, max_tokens: 5, max_completion_tokens: 5, seed: 1, user: 'u' },
        ...{ presence_penalty: 0, frequency_penalty: 0, reasoning_effort: 'low', n: 1, logprobs: false },
        ...{ tools: [], tool_choice: 'auto', response_format: { type: 'text' }, modalities: ['text'] },
        ...{ stop: null, store: true, service_tier: 'auto', parallel_tool_calls: true, logit_bias: {} },
      };
      await ask(agent.id, user(text()), tuned);
      const call = { type: 'function', function: { name: 'f', parameters: {} } };
      for (const [param, value] of Object.entries({
        ...{ tools: [call], tool_choice: { ...call }, functions: [{ name: 'f' }], n: 2, logprobs: true },
        ...{ top_logprobs: 2, stop: ['x'], store: false, audio: { voice: 'a', format: 'mp3' } },
        ...{ response_format: { type: 'json_object' }, modalities: ['text', 'audio'], logit_bias: { a: 1 } },
        ...{ prediction: { type: 'content', content: 'a' }, web_search_options: {}, surprise: 1 },
      })) {
        const refused = await errorOf(ask(agent.id, user('a'), { [param]: value }));
        assert.deepEqual(
          [refused.name, refused.status, refused.code, refused.param, refused.type],
          ['BadRequestError', 400, 'validation_failed', param, 'invalid_request_error'],
        );
        assert.ok(refused.message.includes(` ${param} `), refused.message);
      }
    });

    it('refuses with 400 messages that an agent cannot answer, naming the message', async () => {
      const agent = await stack().api.createAgent();
      const big = 'x'.repeat(32_001);
      const image = { type: 'image_url' as const, image_url: { url: 'https://example.com/a.png' } };
      const cases: [messages: unknown, param: string][] = [
        [[], 'messages'],
        [[{ role: 'assistant', content: 'a' }], 'messages'],
        [[{ role: 'tool', content: 'a', tool_call_id: 'b' }, ...user('a')], 'messages.0.role'],
        [
          [{ role: 'assistant', content: 'a', tool_calls: [{ id: 'b' }] }, ...user('a')],
          'messages.0.tool_calls',
        ],
        [[{ role: 'user', content: [image] }, ...user('a')], 'messages.0'],
        [[{ role: 'user', content: [{ type: 'input_audio' }] }], 'messages.0.content.0.type'],
        [user(big), 'messages.0'],
        [user(''), 'messages.0'],
        [user('a\0'), 'messages.0'],
        [[...user('a\0'), ...user('a')], 'messages.0'],
        [[...Array.from({ length: 9 }, () => user(big)).flat(), ...user('a')], 'messages'],
        [Array.from({ length: 302 }, () => user('a')).flat(), 'messages'],
        [[{ role: 'user', content: [{ ...image, image_url: { url: 'data:text/plain,a' } }] }], 'messages.0'],
        [[{ role: 'user', content: [{ ...image, image_url: { url: 'http://10.0.0.1/a' } }] }], 'messages.0'],
      ];
      for (const [messages, param] of cases) {
        const refused = await errorOf(ask(agent.id, messages as Chat));
        assert.deepEqual(
          [refused.status, refused.param],
          [400, param],
          JSON.stringify(messages).slice(0, 200),
        );
      }
      assert.deepEqual(await conversationsOf(agent.id), []);
    });
  });

  describe('streams', () => {
    it('pieces as the model writes them, the end, the usage if it is wanted, and [DONE]', async () => {
      const { api, apiUrl, token } = stack();
      const agent = await api.createAgent();
      const given = text();
      const body = { model: agent.id, messages: user(given), stream: true as const };
      const chunks: OpenAI.ChatCompletionChunk[] = [];
      const withUsage = { ...body, stream_options: { include_usage: true } };
      for await (const chunk of await client().chat.completions.create(withUsage)) chunks.push(chunk);
      assert.equal(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join(''), `echo: ${given}`);
      assert.ok(chunks.length > 4, `${chunks.length} chunks`);
      assert.deepEqual(chunks[0]?.choices[0]?.delta, { role: 'assistant', content: '' });
      assert.equal(chunks.at(-2)?.choices[0]?.finish_reason, 'stop');
      assert.deepEqual(chunks.at(-1)?.choices, []);
      const total = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
      assert.deepEqual(
        chunks.map(({ usage }) => usage),
        [...chunks.slice(1).map(() => null), total],
      );
      assert.equal(new Set(chunks.map(({ id }) => id)).size, 1);
      const raw = await fetch(`${apiUrl}/openai/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      assert.match(await raw.text(), /^data: \{[^]*\n\ndata: \[DONE\]\n\n$/);
    });

    it('a caller that hangs up in the middle changes nothing: the answer is in the history', async () => {
      const { api } = stack();
      const script = [{ reply: 'one two three four', word_ms: 300 }];
      const agent = await api.createAgent({ model: 'scripted/default', script });
      const stream = await client().chat.completions.create({
        ...{ model: agent.id, messages: user('a'), stream: true },
      });
      for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
      const [conversation] = await conversationsOf(agent.id);
      assert.deepEqual(
        (await api.settled(conversation?.id ?? '')).map((message) => message.text),
        ['a', 'one two three four'],
      );
    });

    it('a run that fails ends the stream with the error', async () => {
      const { api } = stack();
      const fail = { message: 'The shop is closed.', retryable: false };
      const agent = await api.createAgent({ model: 'scripted/default', script: [{ fail }] });
      const stream = await client().chat.completions.create({
        ...{ model: agent.id, messages: user('a'), stream: true },
      });
      const refused = await errorOf(
        (async () => {
          for await (const chunk of stream) assert.ok(chunk.id);
        })(),
      );
      assert.equal(refused.code, 'agent_failed');
      assert.match(refused.message, /The shop is closed\./);
    });

    it('a model that is asked again after a part of its text: never a wrong text', async () => {
      const { api, model } = stack();
      const agent = await api.createAgent();
      const read = async (given: string) => {
        let seen = '';
        const stream = await client().chat.completions.create({
          ...{ model: agent.id, messages: user(given), stream: true },
        });
        for await (const { choices } of stream) seen += choices[0]?.delta.content ?? '';
        return seen;
      };
      const same = text();
      const whole = { kind: 'stream', text: 'The first sentence. The second.' } as const;
      model.answer(same, { kind: 'cut', text: 'The first sentence. The' }, whole);
      assert.equal(await read(same), whole.text);
      // A repeat has the stored answer, in one piece.
      const repeated = text();
      const key = { headers: { 'Idempotency-Key': crypto.randomUUID() } };
      const body = { model: agent.id, messages: user(repeated) };
      model.answer(repeated, { kind: 'cut', text: 'Yet another beginning.' }, whole);
      const streamOf = async () =>
        await client().chat.completions.create({ ...body, stream: true as const }, key);
      const broken = await errorOf(
        (async () => {
          for await (const chunk of await streamOf()) assert.ok(chunk.id);
        })(),
      );
      assert.equal(broken.code, 'agent_failed');
      const pieces = [];
      for await (const { choices } of await streamOf()) pieces.push(choices[0]?.delta.content ?? '');
      assert.deepEqual(
        pieces.filter((piece) => piece !== ''),
        [whole.text],
      );
      const other = text();
      model.answer(other, { kind: 'cut', text: 'Another beginning.' }, whole);
      assert.equal((await errorOf(read(other))).code, 'agent_failed');
      const [newest] = await conversationsOf(agent.id);
      assert.equal((await api.messages(newest?.id ?? '')).at(-1)?.text, whole.text);
    });
  });

  describe('responses', () => {
    it('answers in the form of responses, and continues by previous_response_id and conversation', async () => {
      const { api, model } = stack();
      const agent = await api.createAgent();
      const given = text();
      const first = await client().responses.create({
        ...{ model: agent.id, instructions: 'Be brief.', metadata: { order: '17' } },
        input: [{ role: 'user', content: [{ type: 'input_text', text: given }] }],
      });
      assert.equal(first.output_text, `echo: ${given}`);
      assert.deepEqual([first.status, first.metadata], ['completed', { order: '17' }]);
      assert.deepEqual([first.usage?.input_tokens, first.usage?.output_tokens], [11, 7]);
      assert.equal(model.callsFor(given)[0]?.body.messages.length, 2);
      const second = await client().responses.create({
        ...{ model: agent.id, input: 'second', previous_response_id: first.id },
      });
      const third = await client().responses.create({
        ...{ model: agent.id, input: 'third', conversation: second.conversation?.id ?? '' },
      });
      assert.deepEqual([third.conversation, second.conversation], [first.conversation, first.conversation]);
      assert.equal((await api.messages(first.conversation?.id ?? '')).length, 6);
      // A conversation has no branches.
      const branch = await errorOf(
        client().responses.create({ model: agent.id, input: 'x', previous_response_id: first.id }),
      );
      assert.deepEqual(
        [branch.status, branch.code, branch.param],
        [409, 'invalid_state', 'previous_response_id'],
      );
      for (const previous_response_id of ['resp_1', `resp_${unknownId}`]) {
        const unknown = await errorOf(
          client().responses.create({ model: agent.id, input: 'x', previous_response_id }),
        );
        assert.deepEqual([unknown.status, unknown.param], [404, 'previous_response_id']);
      }
    });

    it('of concurrent calls that continue one response, one is accepted; its repeats get its answer', async () => {
      const { api } = stack();
      const agent = await api.createAgent();
      const create = (input: string, more: object, key: string = crypto.randomUUID()) =>
        client().responses.create(
          { model: agent.id, input, stream: false, ...more },
          { headers: { 'Idempotency-Key': key } },
        );
      for (let round = 0; round < 5; round++) {
        const { id, conversation } = await create('first', {});
        const calls = Array.from({ length: 6 }, (_, index) =>
          create(`call ${index}`, { previous_response_id: id }),
        );
        const ended = await Promise.allSettled(calls);
        assert.equal(ended.filter(({ status }) => status === 'fulfilled').length, 1);
        for (const one of ended)
          assert.ok(one.status === 'fulfilled' || (one.reason as APIError).code === 'invalid_state');
        assert.equal((await api.messages(conversation?.id ?? '')).length, 4);
      }
      const { id } = await create('first', {});
      const key = crypto.randomUUID();
      const same = await Promise.all(
        Array.from({ length: 6 }, () => create('second', { previous_response_id: id }, key)),
      );
      assert.equal(new Set(same.map((one) => one.id)).size, 1);
      assert.equal((await create('second', { previous_response_id: id }, key)).id, same[0]?.id);
    });

    it('a response of another agent or of another caller is as unknown as one that does not exist', async () => {
      const { api, db, organizationId, apiUrl } = stack();
      const [own, other] = [await api.createAgent(), await api.createAgent()];
      const old = await client().responses.create({ model: other.id, input: 'a' });
      await client().responses.create({ model: other.id, input: 'b', previous_response_id: old.id });
      const begun = await client().responses.create({ model: own.id, input: 'a' });
      const bound = await createToken(db, { organizationId, name: 'bound', agentIds: [own.id] });
      const sender = await createToken(db, { organizationId, name: 'sender', scopes: ['messages.send'] });
      const seen = async (token: string, model: string, previous_response_id: string, more: object = {}) => {
        const body = { model, input: 'x', stream: false as const, previous_response_id, ...more };
        const { status, code, param, message } = await errorOf(
          clientOf({ apiUrl, token }).responses.create(body),
        );
        return [status, code, param, message];
      };
      const unknown = `resp_${unknownId}`;
      for (const more of [
        {},
        { conversation: unknownId },
        { input: [{ role: 'assistant', content: 'a' }] },
      ]) {
        assert.equal((await seen(bound.token, own.id, unknown, more))[0], 404);
        assert.deepEqual(
          await seen(bound.token, own.id, old.id, more),
          await seen(bound.token, own.id, unknown, more),
        );
        assert.equal((await seen(bound.token, other.id, unknown, more))[0], 403);
        assert.deepEqual(
          await seen(bound.token, other.id, old.id, more),
          await seen(bound.token, other.id, unknown, more),
        );
        assert.deepEqual(
          await seen(sender.token, own.id, begun.id, more),
          await seen(sender.token, own.id, unknown, more),
        );
      }
    });

    it('takes 300 turns before the message, as completions do', async () => {
      const agent = await stack().api.createAgent();
      const turns = (type: string) =>
        Array.from({ length: 300 }, (_, index) => ({
          role: index % 2 === 0 ? 'user' : 'assistant',
          content: ['a', 'b'].map((text) => ({ type, text })),
        }));
      const given = text();
      const body = { model: agent.id, stream: false as const };
      const input = [
        ...turns('input_text'),
        { role: 'user', content: given },
      ] as OpenAI.Responses.ResponseInput;
      assert.equal((await client().responses.create({ ...body, input })).output_text, `echo: ${given}`);
      const messages = [...turns('text'), ...user(given)] as Chat;
      const { choices } = await client().chat.completions.create({ ...body, messages });
      assert.equal(choices[0]?.message.content, `echo: ${given}`);
    });

    it('takes back the output of an earlier response as a turn', async () => {
      const { api, model } = stack();
      const agent = await api.createAgent();
      const first = await client().responses.create({ model: agent.id, input: 'first' });
      const given = text();
      await client().responses.create({
        model: agent.id,
        input: [
          { role: 'user', content: 'first' },
          ...(first.output as OpenAI.Responses.ResponseOutputMessage[]),
          { role: 'user', content: given },
        ],
      });
      assert.deepEqual(
        model.callsFor(given)[0]?.body.messages.map(({ content }) => content),
        ['first', 'echo: first', given],
      );
    });

    it('streams typed events in order', async () => {
      const agent = await stack().api.createAgent();
      const given = text();
      const events = [];
      const stream = await client().responses.create({ model: agent.id, input: given, stream: true });
      for await (const event of stream) events.push(event);
      assert.deepEqual(
        events.map(({ sequence_number }) => sequence_number),
        events.map((_, index) => index),
      );
      const deltas = events.flatMap((event) =>
        event.type === 'response.output_text.delta' ? [event.delta] : [],
      );
      assert.equal(deltas.join(''), `echo: ${given}`);
      const last = events.at(-1);
      assert.ok(last?.type === 'response.completed');
      assert.equal(last.response.usage?.total_tokens, 18);
      assert.deepEqual(
        [...new Set(events.map(({ type }) => type))],
        [
          ...['response.created', 'response.in_progress', 'response.output_item.added'],
          ...['response.content_part.added', 'response.output_text.delta', 'response.output_text.done'],
          ...['response.content_part.done', 'response.output_item.done', 'response.completed'],
        ],
      );
    });

    it('refuses with 400 what it cannot do', async () => {
      const agent = await stack().api.createAgent();
      for (const [more, param] of [
        [{ tools: [{ type: 'web_search' }] }, 'tools'],
        [{ background: true }, 'background'],
        [{ store: false }, 'store'],
        [{ text: { format: { type: 'json_object' } } }, 'text'],
        [{ input: [{ type: 'function_call_output', call_id: 'a', output: 'b' }] }, 'input.0.type'],
        [{ input: '' }, 'input'],
        [{ conversation: 'conv_1' }, 'conversation'],
        [{ conversation: unknownId, metadata: { conversation_id: unknownId } }, 'metadata.conversation_id'],
      ] as const) {
        const body = { model: agent.id, input: 'a', ...more } as never;
        const refused = await errorOf(client().responses.create(body));
        assert.deepEqual([refused.status, refused.param], [400, param]);
      }
    });
  });

  describe('errors', () => {
    it('401, 403, 404 and 409 are the SDK’s own errors, with a code of Parley', async () => {
      const { api, apiUrl, db, organizationId } = stack();
      const agent = await api.createAgent();
      const call = (by: OpenAI, model = agent.id, more: object = {}) =>
        errorOf(by.chat.completions.create({ model, messages: user('a'), ...more }));
      const seen = ({ name, status, code, param }: Awaited<ReturnType<typeof errorOf>>) => [
        ...[name, status, code, param],
      ];
      const wrong = clientOf({ apiUrl, token: 'sk-of-somebody-else' });
      assert.deepEqual(seen(await call(wrong)), ['AuthenticationError', 401, 'unauthorized', null]);
      const { token } = await createToken(db, { organizationId, name: 'reader', scopes: ['agents.view'] });
      const reader = clientOf({ apiUrl, token });
      assert.deepEqual(seen(await call(reader)), ['PermissionDeniedError', 403, 'forbidden', null]);
      for (const model of [unknownId, 'gpt-4o'])
        assert.deepEqual(seen(await call(client(), model)), ['NotFoundError', 404, 'not_found', 'model']);
      const other = { metadata: { conversation_id: unknownId } };
      assert.deepEqual(seen(await call(client(), agent.id, other)), [
        ...['NotFoundError', 404, 'not_found', 'metadata.conversation_id'],
      ]);
      await api.changeAgent(agent.id, { active: false });
      const inactive = await call(client());
      assert.deepEqual(seen(inactive), ['ConflictError', 409, 'agent_inactive', null]);
      assert.equal(inactive.headers.get('x-should-retry'), 'false');
      const embeddings = await errorOf(client().embeddings.create({ model: agent.id, input: 'a' }));
      assert.deepEqual(seen(embeddings), ['NotFoundError', 404, 'not_found', null]);
    });

    it('402 once the month’s limit is reached', async () => {
      const { db } = stack();
      const { api, token, tokenId } = await stack().stranger();
      const agent = await api.createAgent();
      await db.knex('api_tokens').where({ id: tokenId }).update({ monthly_message_limit: 0 });
      const limited = clientOf({ apiUrl: stack().apiUrl, token });
      const refused = await until('the limit', async () => {
        const call = limited.chat.completions.create({ model: agent.id, messages: user('a') });
        return await call.then(
          () => undefined,
          (error: unknown) => error as APIError,
        );
      });
      assert.deepEqual(
        [refused.status, refused.code, refused.type],
        [402, 'message_limit_reached', 'insufficient_quota'],
      );
    });

    it('a failed run is not repeated by the SDK: one message', async () => {
      const { api } = stack();
      const fail = { message: 'The shop is closed.', retryable: false };
      const agent = await api.createAgent({ model: 'scripted/default', script: [{ fail }] });
      const refused = await errorOf(ask(agent.id, user('a')));
      assert.deepEqual([refused.status, refused.code], [502, 'agent_failed']);
      assert.equal((await conversationsOf(agent.id)).length, 1);
    });
  });

  describe('repeats', () => {
    it('after a broken connection, with one Idempotency-Key: one message, one answer, whole and streamed', async () => {
      const { api, apiUrl, token } = stack();
      const script = [{ reply: 'once and for all', delay_ms: 500 }];
      const agent = await api.createAgent({ model: 'scripted/default', script });
      const { port } = new URL(apiUrl);
      const line = await startTcpProxy({ host: '127.0.0.1', port: Number(port) });
      const shaky = clientOf({ apiUrl: `http://127.0.0.1:${line.port}/v1`, token });
      const rows = () => conversationsOf(agent.id);
      const options = { headers: { 'Idempotency-Key': crypto.randomUUID() } };
      const asked = shaky.chat.completions.create({ model: agent.id, messages: user('a') }, options);
      await until('the message to be accepted', async () => (await rows()).length === 1);
      await line.cut();
      await line.restore();
      const completion = await asked;
      assert.equal(completion.choices[0]?.message.content, 'once and for all');
      const again = await client().chat.completions.create({ model: agent.id, messages: user('a') }, options);
      assert.deepEqual(again, completion);
      const [conversation, ...more] = await rows();
      assert.deepEqual(more, []);
      assert.equal((await api.settled(conversation?.id ?? '')).length, 2);
      const conflict = await errorOf(
        client().chat.completions.create({ model: agent.id, messages: user('b') }, options),
      );
      assert.deepEqual([conflict.status, conflict.code], [409, 'idempotency_conflict']);
      const streamed = { headers: { 'Idempotency-Key': crypto.randomUUID() } };
      const body = { model: agent.id, messages: user('c'), stream: true as const };
      const read = async () => {
        const chunks = [];
        for await (const chunk of await client().chat.completions.create(body, streamed)) chunks.push(chunk);
        return [chunks[0]?.id, chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')];
      };
      const first = await read();
      assert.equal(first[1], 'once and for all');
      assert.deepEqual(await read(), first);
      assert.equal((await rows()).length, 2);
      await line.close();
    });
  });

  it('reads a request in linear time and memory, whatever it holds', () => {
    const many = Array.from({ length: 300 }, () => ({
      role: 'user',
      content: [{ type: 'text', text: 'a' }],
    }));
    // Processor time of this thread: what other processes do does not count.
    const began = process.threadCpuUsage();
    assert.ok(openAiChatRequest.safeParse({ model: unknownId, messages: many }).success);
    const { user, system } = process.threadCpuUsage(began);
    assert.ok(user + system < 1_000_000, `${(user + system) / 1000} ms`);
  });
});
