/** The server of the small model, with a model that answers when a test lets it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { ChatRequest } from '../../../src/local/model/chat-request.ts';
import {
  chatServer,
  InputTooLong,
  type ChatModel,
  type Completion,
} from '../../../src/local/model/chat-server.ts';
import { languageModel } from '../../../src/adapters/models/language-model.ts';
import { modelFetch } from '../../../src/adapters/models/model-fetch.ts';
import { ModelFault, plainRequest } from '../../../src/adapters/models/model.ts';
import { providerModel } from '../../../src/adapters/models/provider-models.ts';
import { until } from '../../support/until.ts';

const apiKey = 'a key of this start';
const done: Completion = { text: 'Hello.', calls: [], promptTokens: 7, outputTokens: 2, finish: 'stop' };

type Asked = {
  request: ChatRequest;
  signal: AbortSignal;
  onText: (text: string) => void;
  answer: (completion: Completion | Error) => void;
};

describe('the server of the small model', () => {
  const asked: Asked[] = [];
  const failures: unknown[] = [];
  const model: ChatModel = {
    name: 'small',
    complete: async (request, { signal, onText }) => {
      const { promise, resolve, reject } = Promise.withResolvers<Completion>();
      const answer = (completion: Completion | Error) => {
        if (completion instanceof Error) reject(completion);
        else resolve(completion);
      };
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
      asked.push({ request, signal, onText, answer });
      return await promise;
    },
  };
  const server = chatServer({ model, apiKey, failed: (error) => failures.push(error) });
  const connections = () =>
    new Promise<number>((resolve) => {
      server.getConnections((_, count) => {
        resolve(count);
      });
    });
  let base = '';
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });
  beforeEach(() => {
    asked.length = 0;
    failures.length = 0;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const post = (body: unknown, init: RequestInit = {}) =>
    fetch(`${base}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...init,
    });
  const hello = { model: 'small', messages: [{ role: 'user', content: 'Hi' }] };
  const nth = (n: number) => until(`request ${n}`, () => asked[n]);
  const errorOf = async (response: Response) =>
    ((await response.json()) as { error: { code: string; message: string } }).error;

  it('answers with text, tool calls and usage', async () => {
    const answering = post({ ...hello, max_tokens: 9, stop: 'x' });
    const { request, answer } = await nth(0);
    assert.deepEqual([request.max_tokens, request.stop], [9, ['x']]);
    answer({ ...done, calls: [{ name: 'find', arguments: '{"id":1}' }], finish: 'tool_calls' });
    const { choices, usage } = (await (await answering).json()) as {
      choices: { message: object; finish_reason: string }[];
      usage: object;
    };
    assert.equal(choices[0]?.finish_reason, 'tool_calls');
    const { tool_calls: calls, ...message } = choices[0].message as { tool_calls: { function: object }[] };
    assert.deepEqual(message, { role: 'assistant', content: 'Hello.' });
    assert.deepEqual(calls[0]?.function, { name: 'find', arguments: '{"id":1}' });
    assert.deepEqual(usage, { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 });
  });

  it('streams each text as it comes, then the finish reason, the usage and the end', async () => {
    const answering = post({ ...hello, stream: true, stream_options: { include_usage: true } });
    const { onText, answer } = await nth(0);
    onText('Hel');
    const response = await answering;
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    onText('lo.');
    answer(done);
    const events: string[] = [];
    const stream = response
      .body!.pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream());
    for await (const { data } of stream) events.push(data);
    assert.equal(events.pop(), '[DONE]');
    const chunks = events.map(
      (data) =>
        JSON.parse(data) as {
          choices: { delta: { content?: string }; finish_reason: unknown }[];
          usage?: object;
        },
    );
    assert.deepEqual(
      chunks.map(({ choices: [choice], usage }) => choice?.delta.content ?? choice?.finish_reason ?? usage),
      ['Hel', 'lo.', 'stop', { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 }],
    );
  });

  it('refuses a wrong key, bodies that are too large, no JSON or of a wrong form, and files; the model sees none', async () => {
    const wrong = await post(hello, { headers: { authorization: 'Bearer other' } });
    assert.deepEqual([wrong.status, (await errorOf(wrong)).code], [401, 'invalid_api_key']);
    const image = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }];
    for (const [body, status, code] of [
      ['{', 400, 'invalid_json'],
      [{ messages: [] }, 400, 'invalid_request'],
      [{ messages: [{ role: 'user', content: image }] }, 400, 'invalid_request'],
      [{ messages: [{ role: 'user', content: 'x'.repeat(1024 * 1024) }] }, 413, 'request_too_large'],
    ] as const) {
      const response = await post(body);
      assert.deepEqual([response.status, (await errorOf(response)).code], [status, code]);
    }
    assert.equal(asked.length, 0);
  });

  it('makes one answer at a time, four wait in order, and further ones get a Retry-After', async () => {
    const first = post(hello);
    await nth(0);
    const others = Array.from({ length: 8 }, () => post(hello));
    const refusals: Response[] = [];
    for (const one of others)
      void one.then((response) => {
        if (response.status === 429) refusals.push(response);
      });
    await until('four refusals', () => refusals.length === 4);
    for (const { headers } of refusals) assert.ok(Number(headers.get('retry-after')) > 0);
    assert.equal(asked.length, 1);
    for (let n = 0; n < 5; n += 1) {
      (await nth(n)).answer(done);
      assert.equal(asked.length, n + 1);
    }
    const statuses = (await Promise.all([first, ...others])).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [200, 200, 200, 200, 200, 429, 429, 429, 429]);
  });

  it('ends the answer of a client that goes away, and removes one that waited', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const answered = Promise.allSettled([post(hello, { signal: first.signal })]);
    const { signal } = await nth(0);
    const waited = Promise.allSettled([post({ ...hello, max_tokens: 2 }, { signal: second.signal })]);
    await until('both connections', () => connections().then((count) => count >= 2));
    second.abort();
    first.abort();
    await until('the abort', () => signal.aborted);
    await Promise.all([answered, waited]);
    const next = post({ ...hello, max_tokens: 3 });
    const last = await until('the next', () => asked.find(({ request }) => request.max_tokens === 3));
    last.answer(done);
    assert.equal((await next).status, 200);
    assert.ok(!asked.some((one) => one.request.max_tokens === 2));
    assert.deepEqual(failures, []);
  });

  it('logs nothing of the content of a failed answer', async () => {
    const answering = post(hello);
    (await nth(0)).answer(new Error('Hi was the text'));
    const response = await answering;
    assert.equal(response.status, 500);
    assert.equal((await errorOf(response)).message, 'The model failed.');
    assert.equal(failures.length, 1);
  });

  it('gives refusals that Parley understands: too long for the context, busy', async () => {
    const own = languageModel({
      id: 'local/small',
      model: providerModel({ kind: 'compatible', baseURL: base, apiKey, fetch: modelFetch() }, 'small'),
      takesSchema: false,
      timeoutMs: 60_000,
      limits: { contextTokens: 4096, files: [] },
      secrets: [],
    });
    const request = () =>
      plainRequest({ organizationId: 'o', conversationId: 'c', signal: new AbortController().signal }, 'Hi');
    const answering = own.ask(request());
    (await nth(0)).answer(new InputTooLong('The input has 5000 tokens, which exceeds the context size.'));
    await assert.rejects(answering, (fault: unknown) => {
      assert.ok(fault instanceof ModelFault);
      assert.equal(fault.message, "The request is larger than the model's context window (400).");
      return !fault.retryable;
    });
    const good = own.ask(request());
    const { onText, answer } = await nth(1);
    onText('Hello.');
    answer(done);
    const { text, inputTokens, outputTokens } = await good;
    assert.deepEqual(
      { text, inputTokens, outputTokens },
      { text: 'Hello.', inputTokens: 7, outputTokens: 2 },
    );
  });
});
