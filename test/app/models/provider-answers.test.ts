/**
 * Answers of model servers of several makers, byte for byte: an answer, a cut one, an empty one, or an error with the
 * provider's own message. Streamed, and in one piece although a stream was requested.
 */
import assert from 'node:assert/strict';
import { ModelFault, type ModelReply, type ModelRequest } from '../../../src/adapters/models/model.ts';
import { randomBytes } from 'node:crypto';
import { createPublicHttp } from '../../../src/adapters/http/public-http.ts';
import { keyPlace, Models, type ModelChoice } from '../../../src/adapters/models/models.ts';
import { createEncryption } from '../../../src/adapters/secrets/encryption.ts';
import {
  data,
  events,
  json,
  named,
  startRawModelServer,
  type RawAnswer,
  type RawModelServer,
} from '../../support/raw-model-server.ts';

const secretOf: Record<Provider, string> = {
  custom: 'key-of-custom-3f9a',
  openai: 'sk-proj-0123456789abcdef',
  anthropic: 'sk-ant-api03-0123456789abcdef',
  google: 'AIzaSy0123456789abcdef',
};
const keys = {
  MODEL_API_KEY: secretOf.custom,
  OPENAI_API_KEY: secretOf.openai,
  ANTHROPIC_API_KEY: secretOf.anthropic,
};

type Provider = 'custom' | 'openai' | 'anthropic' | 'google';

const encryption = createEncryption(randomBytes(32).toString('base64'));
const own = { encryption, http: createPublicHttp({ allow: ['127.0.0.0/8'] }) };
const ofInstallation = (provider: Provider): ModelChoice => ({ model: `${provider}/tested`, provider: null });
type Expected =
  | { text: string; truncated: boolean }
  | { fault: string; retryable: boolean; words?: string | RegExp | undefined; retryAfterMs?: number };
type Case = [title: string, provider: Provider, answer: RawAnswer, expected: Expected];

const done = 'data: [DONE]\n\n';
const chunk = (delta: object, finish_reason: string | null = null) =>
  data({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
  });
const usage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 };
const whole = (message: object, finish_reason: string | null) =>
  json(200, {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
    usage,
  });
const streamed = (text: string, finish: string) =>
  events(chunk({ role: 'assistant', content: '' }), chunk({ content: text }), chunk({}, finish), done);
const half = [chunk({ role: 'assistant', content: '' }), chunk({ content: 'half an' })];

const claude = (...rest: string[]) =>
  events(
    named('message_start', {
      message: {
        ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-x', content: [] },
        ...{ stop_reason: null, stop_sequence: null, usage: { input_tokens: 5, output_tokens: 1 } },
      },
    }),
    ...rest,
  );
const claudeText = (text: string) => [
  named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  named('content_block_stop', { index: 0 }),
];
const claudeEnd = (stop_reason: string) => [
  named('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 9 } }),
  named('message_stop', {}),
];
const claudeError = (type: string, message: string) => ({ type: 'error', error: { type, message } });

const response = (more: object) => ({
  response: {
    ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'gpt-x', output: [] },
    ...{ incomplete_details: null, error: null, usage: null, service_tier: null, ...more },
  },
});
const openAi = (...rest: string[]) =>
  events(named('response.created', { sequence_number: 0, ...response({ status: 'in_progress' }) }), ...rest);
const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' };
const openAiText = (text: string) => [
  named('response.output_item.added', {
    sequence_number: 1,
    output_index: 0,
    item: { ...item, content: [] },
  }),
  named('response.output_text.delta', {
    ...{ sequence_number: 2, item_id: 'msg_1', output_index: 0, content_index: 0, delta: text, logprobs: [] },
  }),
  named('response.output_item.done', {
    ...{ sequence_number: 3, output_index: 0 },
    item: { ...item, content: [{ type: 'output_text', text, annotations: [], logprobs: [] }] },
  }),
];
const openAiUsage = {
  usage: {
    ...{ input_tokens: 5, output_tokens: 3, total_tokens: 8 },
    ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
  },
};
const openAiError = (message: string, type: string, code: string | null) => ({
  error: { message, type, param: null, code },
});

const gemini = (text: string, finishReason: string | undefined) =>
  data({
    candidates: [{ content: { role: 'model', parts: [{ text }] }, ...(finishReason && { finishReason }) }],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 3, totalTokenCount: 8 },
    modelVersion: 'gemini-x',
  });
const geminiError = (code: number, status: string, message: string) =>
  json(code, { error: { code, message, status } });

const empty = 'The model returned an empty answer.';
const unreadable = 'The model returned an answer that could not be read.';
const contextWords =
  'request (5021 tokens) exceeds the available context size (4096 tokens), try increasing it';
const llamaContext = {
  ...{ code: 400, message: contextWords, type: 'exceed_context_size_error' },
  ...{ n_prompt_tokens: 5021, n_ctx: 4096 },
};
const tooLarge = (status: number | undefined, words: string | RegExp): Expected => ({
  fault: `The request is larger than the model's context window${status === undefined ? '' : ` (${status})`}.`,
  retryable: false,
  words,
});

const cases: Case[] = [
  [
    'Gemini: an answer',
    'google',
    events(gemini('Hel', undefined), gemini('lo.', 'STOP')),
    { text: 'Hello.', truncated: false },
  ],
  [
    'Gemini: a limit reached',
    'google',
    events(gemini('Hel', 'MAX_TOKENS')),
    { text: 'Hel', truncated: true },
  ],
  [
    'Gemini: a wrong key, refused with 400',
    'google',
    geminiError(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'),
    { fault: 'The model provider refused the key (400).', retryable: false, words: /not valid/ },
  ],
  [
    'Gemini: an unknown model',
    'google',
    geminiError(404, 'NOT_FOUND', 'models/tested is not found for API version v1beta.'),
    {
      fault: 'The model provider does not have the model google/tested (404).',
      retryable: false,
      words: /not found/,
    },
  ],
  // An answer, whole or cut.
  ['llama.cpp: an answer', 'custom', streamed('Hello.', 'stop'), { text: 'Hello.', truncated: false }],
  ['llama.cpp: n_predict reached', 'custom', streamed('Hel', 'length'), { text: 'Hel', truncated: true }],
  [
    'vLLM, in one piece: max_tokens reached',
    'custom',
    whole({ content: 'Hel' }, 'length'),
    { text: 'Hel', truncated: true },
  ],
  [
    'Mistral: the window reached',
    'custom',
    streamed('Hel', 'model_length'),
    { text: 'Hel', truncated: true },
  ],
  [
    'Azure: the content filter cut in',
    'custom',
    streamed('Hel', 'content_filter'),
    { text: 'Hel', truncated: true },
  ],
  [
    'OpenAI-compatible, in one piece, without a finish reason',
    'custom',
    whole({ content: 'Hello.' }, null),
    { text: 'Hello.', truncated: false },
  ],
  [
    'OpenAI: a refusal is an answer',
    'custom',
    events(chunk({ role: 'assistant', refusal: 'I cannot.' }), chunk({}, 'stop'), done),
    { text: 'I cannot.', truncated: false },
  ],
  [
    'Anthropic: an answer',
    'anthropic',
    claude(...claudeText('Hello.'), ...claudeEnd('end_turn')),
    { text: 'Hello.', truncated: false },
  ],
  [
    'Anthropic: max_tokens reached',
    'anthropic',
    claude(...claudeText('Hel'), ...claudeEnd('max_tokens')),
    { text: 'Hel', truncated: true },
  ],
  [
    'Anthropic: the window reached',
    'anthropic',
    claude(...claudeText('Hel'), ...claudeEnd('model_context_window_exceeded')),
    { text: 'Hel', truncated: true },
  ],
  [
    'OpenAI: an answer',
    'openai',
    openAi(
      ...openAiText('Hello.'),
      named('response.completed', {
        sequence_number: 4,
        ...response({ status: 'completed', ...openAiUsage }),
      }),
    ),
    { text: 'Hello.', truncated: false },
  ],
  [
    'OpenAI: max_output_tokens reached',
    'openai',
    openAi(
      ...openAiText('Hel'),
      named('response.incomplete', {
        sequence_number: 4,
        ...response({
          status: 'incomplete',
          incomplete_details: { reason: 'max_output_tokens' },
          ...openAiUsage,
        }),
      }),
    ),
    { text: 'Hel', truncated: true },
  ],

  // Nothing at all.
  [
    'llama.cpp: nothing',
    'custom',
    streamed('', 'stop'),
    { fault: empty, retryable: true, words: 'finish reason: stop' },
  ],
  [
    'Ollama: nothing, the model was only loaded',
    'custom',
    streamed('', 'load'),
    { fault: empty, retryable: true, words: 'finish reason: load' },
  ],
  [
    'Ollama, in one piece: content null',
    'custom',
    whole({ content: null }, 'stop'),
    { fault: empty, retryable: true, words: 'finish reason: stop' },
  ],
  [
    'vLLM: all tokens went into reasoning',
    'custom',
    events(chunk({ role: 'assistant', reasoning_content: 'Let me think' }), chunk({}, 'length'), done),
    { fault: empty, retryable: true, words: 'finish reason: length' },
  ],
  [
    'Anthropic: an empty turn',
    'anthropic',
    claude(...claudeEnd('end_turn')),
    { fault: empty, retryable: true, words: 'finish reason: end_turn' },
  ],
  [
    'OpenAI: an empty response',
    'openai',
    openAi(
      named('response.completed', {
        sequence_number: 1,
        ...response({ status: 'completed', ...openAiUsage }),
      }),
    ),
    { fault: empty, retryable: true, words: 'finish reason: stop' },
  ],

  // Half an answer is none.
  [
    'Ollama: the stream ends without a finish reason',
    'custom',
    events(...half),
    { fault: unreadable, retryable: true, words: /without a finish reason/ },
  ],
  [
    'vLLM: the request was aborted',
    'custom',
    streamed('half an', 'abort'),
    { fault: 'The model broke off its answer.', retryable: true, words: 'finish reason: abort' },
  ],
  [
    'DeepSeek: out of resources',
    'custom',
    streamed('half an', 'insufficient_system_resource'),
    {
      fault: 'The model broke off its answer.',
      retryable: true,
      words: 'finish reason: insufficient_system_resource',
    },
  ],
  [
    'Anthropic: the stream ends in the middle',
    'anthropic',
    claude(...claudeText('half an')),
    { fault: 'The model broke off its answer.', retryable: true },
  ],
  [
    'OpenAI: the stream ends in the middle',
    'openai',
    openAi(...openAiText('half an')),
    { fault: 'The model broke off its answer.', retryable: true },
  ],

  // Errors by status.
  [
    'llama.cpp: the window is too small',
    'custom',
    json(400, { error: llamaContext }),
    tooLarge(400, contextWords),
  ],
  [
    'vLLM: the window is too small',
    'custom',
    json(400, {
      object: 'error',
      message: "This model's maximum context length is 4096 tokens. However, you requested 5021 tokens.",
      type: 'BadRequestError',
      param: null,
      code: 400,
    }),
    tooLarge(400, /maximum context length is 4096/),
  ],
  [
    'OpenAI: the window is too small',
    'openai',
    json(
      400,
      openAiError(
        'Your input exceeds the context window of this model.',
        'invalid_request_error',
        'context_length_exceeded',
      ),
    ),
    tooLarge(400, /exceeds the context window/),
  ],
  [
    'Anthropic: the window is too small',
    'anthropic',
    json(400, claudeError('invalid_request_error', 'prompt is too long: 208310 tokens > 200000 maximum')),
    tooLarge(400, /208310 tokens/),
  ],
  [
    'LM Studio: an error that is a text',
    'custom',
    json(400, {
      error: 'The number of tokens to keep from the initial prompt is greater than the context length.',
    }),
    tooLarge(400, /tokens to keep/),
  ],
  [
    'Ollama: the model is not there',
    'custom',
    json(404, openAiError('model "tested" not found, try pulling it first', 'not_found_error', null)),
    {
      fault: 'The model provider does not have the model custom/tested (404).',
      retryable: false,
      words: /try pulling it first/,
    },
  ],
  [
    'vLLM: the model is not there',
    'custom',
    json(404, {
      object: 'error',
      message: 'The model `tested` does not exist.',
      type: 'NotFoundError',
      param: null,
      code: 404,
    }),
    {
      fault: 'The model provider does not have the model custom/tested (404).',
      retryable: false,
      words: /does not exist/,
    },
  ],
  [
    'OpenAI: the model is not for this project',
    'openai',
    json(
      403,
      openAiError(
        'Project `proj_x` does not have access to model `tested`',
        'invalid_request_error',
        'model_not_found',
      ),
    ),
    {
      fault: 'The model provider does not have the model openai/tested (403).',
      retryable: false,
      words: /does not have access/,
    },
  ],
  [
    'Anthropic: the model is not there',
    'anthropic',
    json(404, claudeError('not_found_error', 'model: tested')),
    {
      fault: 'The model provider does not have the model anthropic/tested (404).',
      retryable: false,
      words: 'model: tested',
    },
  ],
  [
    'a wrong path: 404 as text',
    'custom',
    { status: 404, type: 'text/plain', chunks: ['404 page not found'] },
    { fault: 'The model provider refused the request (404).', retryable: false, words: '404 page not found' },
  ],
  [
    'a proxy’s page',
    'custom',
    { status: 502, type: 'text/html', chunks: ['<html><head><title>502</title></head></html>'] },
    { fault: 'The model provider failed (502).', retryable: true, words: /^(Bad Gateway)?$/ },
  ],
  [
    'FastAPI: detail',
    'custom',
    json(422, { detail: [{ loc: ['body'], msg: 'field required' }] }),
    { fault: 'The model provider refused the request (422).', retryable: false, words: /field required/ },
  ],
  [
    'Google: an array',
    'custom',
    json(400, [{ error: { code: 400, message: 'Please pass a valid role.', status: 'INVALID_ARGUMENT' } }]),
    {
      fault: 'The model provider refused the request (400).',
      retryable: false,
      words: 'Please pass a valid role.',
    },
  ],
  [
    'OpenAI: the quota is used up',
    'openai',
    json(
      429,
      openAiError(
        'You exceeded your current quota, please check your plan and billing details.',
        'insufficient_quota',
        'insufficient_quota',
      ),
    ),
    {
      fault: 'The quota or credit at the model provider is used up (429).',
      retryable: false,
      words: /plan and billing/,
    },
  ],
  [
    'Anthropic: no credit',
    'anthropic',
    json(
      400,
      claudeError('invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
    ),
    {
      fault: 'The quota or credit at the model provider is used up (400).',
      retryable: false,
      words: /credit balance/,
    },
  ],
  [
    'OpenRouter: no credit',
    'custom',
    json(402, { error: { message: 'Insufficient credits', code: 402 } }),
    {
      fault: 'The quota or credit at the model provider is used up (402).',
      retryable: false,
      words: 'Insufficient credits',
    },
  ],
  [
    'OpenAI: a rate limit, in milliseconds',
    'openai',
    json(429, openAiError('Rate limit reached for gpt-x', 'requests', 'rate_limit_exceeded'), {
      'retry-after-ms': '1500',
      'retry-after': '2',
    }),
    {
      fault: 'The model provider limits the rate (429).',
      retryable: true,
      retryAfterMs: 1500,
      words: /Rate limit reached/,
    },
  ],
  [
    'Anthropic: overloaded',
    'anthropic',
    json(529, claudeError('overloaded_error', 'Overloaded')),
    { fault: 'The model provider failed (529).', retryable: true, words: 'Overloaded' },
  ],
  [
    'Anthropic: too large',
    'anthropic',
    json(413, claudeError('request_too_large', 'Request exceeds the maximum size')),
    {
      fault: 'The request is larger than the model provider accepts (413).',
      retryable: false,
      words: /maximum size/,
    },
  ],
  [
    'llama.cpp: still loading',
    'custom',
    json(503, { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } }),
    { fault: 'The model provider failed (503).', retryable: true, words: 'Loading model' },
  ],
  [
    'NIM: a status with an event',
    'custom',
    {
      status: 429,
      type: 'text/event-stream',
      chunks: [
        data({ object: 'error', message: 'LoRA cache full', type: 'Too Many Requests', code: 429 }),
        done,
      ],
    },
    { fault: 'The model provider limits the rate (429).', retryable: true, words: 'LoRA cache full' },
  ],

  // Keys are never kept.
  [
    'OpenAI: the key is wrong',
    'openai',
    json(
      401,
      openAiError(
        'Incorrect API key provided: sk-proj-********cdef. You can find your API key at https://platform.openai.com.',
        'invalid_request_error',
        'invalid_api_key',
      ),
    ),
    {
      fault: 'The model provider refused the key (401).',
      retryable: false,
      words: 'Incorrect API key provided: [key] You can find your API key at https://platform.openai.com.',
    },
  ],
  [
    'a server that repeats the key',
    'custom',
    json(401, { error: { message: 'Unauthorized: Bearer key-of-custom-3f9a is unknown' } }),
    {
      fault: 'The model provider refused the key (401).',
      retryable: false,
      words: 'Unauthorized: Bearer [key] is unknown',
    },
  ],
  [
    'a server that repeats the key within a text',
    'custom',
    json(400, { error: { message: 'x(key-of-custom-3f9a)y' } }),
    { fault: 'The model provider refused the request (400).', retryable: false, words: 'x([key])y' },
  ],
  [
    'a long error is cut',
    'custom',
    json(400, { error: { message: 'word '.repeat(100_000) } }),
    {
      fault: 'The model provider refused the request (400).',
      retryable: false,
      words: /^(word ){50,200}(wo)?[^ ]{0,4}…$/,
    },
  ],
  [
    'what Postgres cannot keep is left out',
    'custom',
    json(400, { error: { message: 'a\u0000b\ud800\n\n c' } }),
    { fault: 'The model provider refused the request (400).', retryable: false, words: 'ab\ufffd c' },
  ],

  // Errors with status 200.
  [
    'llama.cpp: an error in the stream',
    'custom',
    events(...half, data({ error: llamaContext }), done),
    tooLarge(400, contextWords),
  ],
  [
    'llama.cpp of 2025: an error line in the stream',
    'custom',
    events(...half, `error: ${JSON.stringify(llamaContext)}\n\n`, done),
    tooLarge(400, contextWords),
  ],
  [
    'vLLM: an error in the stream',
    'custom',
    events(
      ...half,
      data({
        error: {
          message: 'EngineCore encountered an issue',
          type: 'InternalServerError',
          param: null,
          code: 500,
        },
      }),
      done,
    ),
    { fault: 'The model provider failed (500).', retryable: true, words: 'EngineCore encountered an issue' },
  ],
  [
    'vLLM of 2024: an error in the stream',
    'custom',
    events(
      data({ object: 'error', message: 'Internal', type: 'InternalServerError', param: null, code: 500 }),
      done,
    ),
    { fault: 'The model provider failed (500).', retryable: true, words: 'Internal' },
  ],
  [
    'an error in the stream that is a text',
    'custom',
    events(...half, data({ error: 'model runner has unexpectedly stopped' })),
    { fault: 'The model provider failed.', retryable: true, words: 'model runner has unexpectedly stopped' },
  ],
  [
    'an error in the stream without a code',
    'custom',
    events(data({ error: { message: 'went wrong' } })),
    { fault: 'The model provider failed.', retryable: true, words: 'went wrong' },
  ],
  [
    'OpenRouter: an error beside the choices',
    'custom',
    events(
      ...half,
      data({
        id: 'g',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'm',
        error: { code: 502, message: 'Provider disconnected' },
        choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
      }),
      done,
    ),
    { fault: 'The model provider failed (502).', retryable: true, words: 'Provider disconnected' },
  ],
  [
    'OpenRouter, in one piece: an error with status 200',
    'custom',
    json(200, { error: { code: 429, message: 'Rate limited upstream' } }),
    { fault: 'The model provider limits the rate (429).', retryable: true, words: 'Rate limited upstream' },
  ],
  [
    'in one piece: an error with status 200, pretty-printed',
    'custom',
    { status: 200, type: 'application/json', chunks: [JSON.stringify({ error: llamaContext }, null, 2)] },
    tooLarge(400, contextWords),
  ],
  [
    'Anthropic: overloaded, as the first event',
    'anthropic',
    events(named('error', { error: { type: 'overloaded_error', message: 'Overloaded' } })),
    { fault: 'The model provider failed (529).', retryable: true, words: 'Overloaded' },
  ],
  [
    'Anthropic: overloaded, in the middle',
    'anthropic',
    claude(
      ...claudeText('half an'),
      named('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
    ),
    { fault: 'The model provider failed (529).', retryable: true, words: 'Overloaded' },
  ],
  [
    'OpenAI: the quota is used up, in the stream',
    'openai',
    openAi(
      named('error', {
        sequence_number: 1,
        code: 'insufficient_quota',
        message: 'You exceeded your current quota',
        param: null,
      }),
    ),
    {
      fault: 'The quota or credit at the model provider is used up (429).',
      retryable: false,
      words: 'You exceeded your current quota',
    },
  ],
  [
    'OpenAI: the response failed',
    'openai',
    openAi(
      ...openAiText('half an'),
      named('response.failed', {
        sequence_number: 4,
        ...response({
          status: 'failed',
          error: { code: 'server_error', message: 'The server had an error' },
        }),
      }),
    ),
    { fault: 'The model provider failed (500).', retryable: true, words: 'The server had an error' },
  ],
  [
    'a JSON answer of another form',
    'custom',
    json(200, { answer: 'something else' }),
    { fault: unreadable, retryable: true, words: /something else/ },
  ],
  [
    'a page with status 200',
    'custom',
    { status: 200, type: 'text/html', chunks: ['<html></html>'] },
    { fault: unreadable, retryable: true },
  ],
];

const tools = [
  {
    name: 'LOOK_UP',
    description: 'Looks something up.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  },
];

function request(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    agent: { id: 'a', name: 'A', instructions: 'Be brief.', script: null },
    organizationId: 'o',
    conversationId: 'c',
    kind: 'message',
    input: 'hello',
    history: () => Promise.resolve([]),
    attachments: () => Promise.resolve([]),
    steps: [],
    tools: [],
    transfers: [],
    mayHandOver: false,
    lastStep: false,
    signal: new AbortController().signal,
    ...more,
  };
}

const ways = ['of the installation', 'of an organization'] as const;
for (const way of ways)
  describe(`The answer of a model server ${way}`, () => {
    let server: RawModelServer;
    let models: Models;
    const kept = { OPENAI_BASE_URL: '', ANTHROPIC_BASE_URL: '' };

    before(async () => {
      server = await startRawModelServer();
      for (const name of ['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL'] as const) {
        kept[name] = process.env[name] ?? '';
        process.env[name] = `${server.origin}/v1`;
      }
      models = new Models(
        {
          ...keys,
          MODEL_BASE_URL: `${server.origin}/v1`,
          // No whole number of milliseconds in floating point.
          MODEL_TIMEOUT_SECONDS: 4.001,
          MODEL_CONTEXT_TOKENS: 8000,
          MODEL_FILES: [],
        },
        own,
        () => Promise.resolve(1),
      );
    });
    after(async () => {
      for (const [name, value] of Object.entries(kept)) {
        if (value === '') Reflect.deleteProperty(process.env, name);
        else process.env[name] = value;
      }
      await server.close();
    });

    /** Sealed for its row, as in the database. */
    const ofOrganization = (provider: Provider): ModelChoice => {
      const row = { id: crypto.randomUUID(), organization_id: 'o' };
      const api_key = encryption.seal(secretOf[provider], keyPlace(row));
      const kind = provider === 'custom' ? 'compatible' : provider;
      return {
        model: `${provider}/tested`,
        provider: { id: row.id, kind, base_url: `${server.origin}/v1`, api_key },
      };
    };
    const choice = way === 'of the installation' ? ofInstallation : ofOrganization;

    const ask = async (
      provider: Provider,
      answer: RawAnswer,
      more: Partial<ModelRequest> = {},
    ): Promise<ModelReply | ModelFault> => {
      server.answer(answer);
      try {
        return await models.find(choice(provider), 'o').ask(request(more));
      } catch (error) {
        if (error instanceof ModelFault) return error;
        throw error;
      }
    };

    for (const [title, provider, answer, expected] of cases) {
      // The environment sets up no Gemini.
      if (provider === 'google' && way === 'of the installation') continue;
      it(title, async () => {
        const said: string[] = [];
        const reply = await ask(provider, answer, { onText: (piece) => said.push(piece) });
        if ('text' in expected) {
          assert.ok(
            !(reply instanceof ModelFault),
            reply instanceof ModelFault ? `${reply.message} ${reply.providerMessage ?? ''}` : '',
          );
          assert.deepEqual({ text: reply.text, truncated: reply.truncated }, expected);
          assert.equal(said.join(''), expected.text);
          return;
        }
        assert.ok(reply instanceof ModelFault, JSON.stringify(reply));
        const { message, retryable, providerMessage, retryAfterMs } = reply;
        assert.deepEqual({ message, retryable }, { message: expected.fault, retryable: expected.retryable });
        if (expected.words instanceof RegExp) assert.match(providerMessage ?? '', expected.words);
        else if (expected.words !== undefined) assert.equal(providerMessage, expected.words);
        if (expected.retryAfterMs !== undefined) assert.equal(retryAfterMs, expected.retryAfterMs);
        for (const key of Object.values(secretOf)) assert.ok(!(providerMessage ?? '').includes(key));
        assert.ok((providerMessage ?? '').length <= 501);
      });
    }

    it('that cannot be reached is reported by its code, without an address', async () => {
      if (way === 'of an organization') {
        const closed = ofOrganization('custom');
        if (closed.provider !== null) closed.provider.base_url = 'http://127.0.0.1:9/v1';
        await assert.rejects(models.find(closed, 'o').ask(request()), {
          message: 'The model could not be reached: connection refused.',
          retryable: true,
        });
        return;
      }
      const closed = await startRawModelServer();
      await closed.close();
      const settings = { MODEL_TIMEOUT_SECONDS: 5, MODEL_CONTEXT_TOKENS: 8000, MODEL_FILES: [] };
      const gone = new Models({ ...settings, MODEL_BASE_URL: `${closed.origin}/v1` }, own, () =>
        Promise.resolve(1),
      );
      await assert.rejects(gone.find(ofInstallation('custom'), 'o').ask(request()), {
        message: 'The model could not be reached.',
        providerMessage: 'ECONNREFUSED',
        retryable: true,
      });
    });

    const calling = {
      role: 'assistant',
      content: null,
      tool_calls: [
        { index: 0, id: 'call_1', type: 'function', function: { name: 'LOOK_UP', arguments: '{}' } },
      ],
    };
    for (const [title, provider, answer] of [
      ['Ollama, streamed', 'custom', events(chunk(calling), chunk({}, 'tool_calls'), done)],
      ['vLLM, in one piece', 'custom', whole(calling, 'tool_calls')],
      [
        'Anthropic',
        'anthropic',
        claude(
          named('content_block_start', {
            index: 0,
            content_block: { type: 'tool_use', id: 'toolu_1', name: 'LOOK_UP', input: {} },
          }),
          named('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json: '{}' } }),
          named('content_block_stop', { index: 0 }),
          ...claudeEnd('tool_use'),
        ),
      ],
    ] as const) {
      it(`that calls a tool although tool_choice was none ends with the sentence for it: ${title}`, async () => {
        const reply = await ask(provider, answer, { tools, lastStep: true });
        assert.ok(reply instanceof ModelFault, JSON.stringify(reply));
        assert.deepEqual(
          { message: reply.message, retryable: reply.retryable },
          { message: 'The agent did not come to an end within 12 steps.', retryable: false },
        );
        const { body } = server.requests.at(-1) ?? {};
        const choice = body?.['tool_choice'];
        assert.deepEqual(choice, provider === 'anthropic' ? { type: 'none' } : 'none');
      });
    }
  });
