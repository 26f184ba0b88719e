/** Each way in which a provider fails: the number of requests, the answer to the caller, the history. */
import assert from 'node:assert/strict';
import type { Callback } from '../../../src/contract/conversations/callback.ts';
import { streamOf } from '../../support/model-completion.ts';
import type { ModelBehaviour, ModelCall } from '../../support/model-server.ts';
import { useModelStack } from '../../support/model-stack.ts';
import { until } from '../../support/until.ts';

type Outcome = { error: string } | { response: string };
type Case = {
  title: string;
  behaviours: ModelBehaviour[];
  asked: number;
  outcome: Outcome;
  also?: (calls: ModelCall[]) => Promise<void> | void;
};

const good = { kind: 'stream', text: 'in the end' } as const;
const answered = { response: 'in the end' };
const status = (code: number, headers = {}) => ({ kind: 'status', status: code, headers }) as const;
const stream = (body: string) =>
  ({ kind: 'status', status: 200, headers: { 'content-type': 'text/event-stream' }, body }) as const;
const gaps = (calls: ModelCall[]) => calls.slice(1).map(({ at }, index) => at - (calls[index]?.at ?? 0));

const unreadable = { error: 'The model returned an answer that could not be read.' };
const cases: Case[] = [
  {
    title: '429 with Retry-After is waited for, then the answer is taken',
    behaviours: [status(429, { 'retry-after': '3' }), good],
    asked: 2,
    outcome: answered,
    also: (calls) => {
      assert.ok((gaps(calls)[0] ?? 0) >= 2900, `asked again after ${gaps(calls)[0]} ms`);
    },
  },
  {
    title: '429 three times fails the run',
    behaviours: [status(429, { 'retry-after': '0' })],
    asked: 3,
    outcome: { error: 'The model provider limits the rate (429).' },
  },
  {
    title: '500 twice, then an answer; after 1 s and 2 s',
    behaviours: [status(500), status(503), good],
    asked: 3,
    outcome: answered,
    also: (calls) => {
      const [first = 0, second = 0] = gaps(calls);
      assert.ok(first >= 950 && second >= 1950, `${first} ms, ${second} ms`);
    },
  },
  {
    title: '500 three times fails the run',
    behaviours: [status(500)],
    asked: 3,
    outcome: { error: 'The model provider failed (500).' },
  },
  {
    title: '401 fails it at once',
    behaviours: [status(401)],
    asked: 1,
    outcome: { error: 'The model provider refused the key (401).' },
  },
  {
    title: '400 fails it at once',
    behaviours: [status(400)],
    asked: 1,
    outcome: { error: 'The model provider refused the request (400).' },
  },
  {
    title: 'a redirect is not followed',
    behaviours: [status(307, { location: '/v1/chat/completions' })],
    asked: 3,
    outcome: { error: 'The model could not be reached.' },
  },
  { title: 'an HTML page with status 200', behaviours: [{ kind: 'html' }], asked: 3, outcome: unreadable },
  {
    title: 'a JSON answer of another form',
    behaviours: [{ kind: 'status', status: 200, body: '{"answer": "secret detail"}' }],
    asked: 3,
    outcome: unreadable,
  },
  {
    title: 'an error within the stream',
    behaviours: [stream('data: {"error":{"message":"secret detail"}}\n\n')],
    asked: 3,
    outcome: { error: 'The model provider failed.' },
  },
  {
    title: 'an error with a known code within the stream fails it at once',
    behaviours: [
      stream('data: {"error":{"code":"context_length_exceeded","message":"request (5021 tokens)"}}\n\n'),
    ],
    asked: 1,
    outcome: { error: "The request is larger than the model's context window." },
  },
  {
    title: 'an empty answer is asked for again',
    behaviours: [{ kind: 'stream', text: ' \n' }, good],
    asked: 2,
    outcome: answered,
  },
  {
    title: 'an answer that is always empty fails the run',
    behaviours: [{ kind: 'stream', text: '' }],
    asked: 3,
    outcome: { error: 'The model returned an empty answer.' },
  },
  {
    title: 'all tokens spent before the answer: no answer either',
    behaviours: [{ kind: 'whole', text: '', finish: 'length' }],
    asked: 3,
    outcome: { error: 'The model returned an empty answer.' },
  },
  {
    title: 'a used-up quota is not asked again',
    behaviours: [
      {
        kind: 'status',
        status: 429,
        body: '{"error":{"code":"insufficient_quota","type":"insufficient_quota","message":"no"}}',
      },
    ],
    asked: 1,
    outcome: { error: 'The quota or credit at the model provider is used up (429).' },
  },
  {
    title: 'a stream that is reset half way is no answer',
    behaviours: [{ kind: 'cut', text: 'half an' }, good],
    asked: 2,
    outcome: answered,
  },
  {
    title: 'a stream that ends half way is no answer',
    behaviours: [{ kind: 'cut', text: 'half an', politely: true }, good],
    asked: 2,
    outcome: answered,
  },
  {
    title: 'a stream that is always reset fails the run',
    behaviours: [{ kind: 'cut', text: 'half an' }],
    asked: 3,
    outcome: unreadable,
  },
  {
    title: 'a provider that hangs is left after the time limit, three times',
    behaviours: [{ kind: 'hang' }],
    asked: 3,
    outcome: { error: 'The model did not answer in time.' },
    also: async (calls) => {
      await until('the provider to see each call end', () => calls.every(({ hungUp }) => hungUp));
    },
  },
  {
    title: 'an answer without end is cut off',
    behaviours: [
      stream(
        streamOf({ model: 'm', text: '' })
          .join('')
          .padEnd(9 * 1024 * 1024, ': more\n'),
      ),
    ],
    asked: 3,
    outcome: unreadable,
  },
];

describe('A language model that fails', () => {
  const stack = useModelStack();

  it('is left after the time limit of its agent, if that has one', async () => {
    const { api, model } = stack();
    const ask = async (model_timeout_seconds: number) => {
      const message = `too slow for ${model_timeout_seconds} s`;
      model.answer(message, { kind: 'hang' });
      const agent = await api.createAgent({ model_timeout_seconds });
      const { status } = await api.call('POST', `/chat/${agent.id}`, { body: { message, sync: true } });
      assert.equal(status, 502);
      const calls = model.callsFor(message);
      assert.equal(calls.length, 3);
      await until('the provider to see each call end', () => calls.every(({ hungUp }) => hungUp));
      return calls.map(({ at, endedAt = NaN }) => endedAt - at);
    };
    const [short, long] = await Promise.all([ask(1), ask(10)]);
    // The installation's limit is 8 s. Other work of the machine delays the start of a call and its end, but hardly of
    // all three.
    assert.ok(Math.min(...short) < 7500, short.join());
    assert.ok(Math.max(...long) > 8500, long.join());
  });

  const conversations = new Map<string, string>();
  const path = (title: string) => `/model-failure/${cases.findIndex((one) => one.title === title)}`;
  const metadata = { order: 7 };

  // All at once: most of their time is waiting.
  before(async () => {
    const { api, model, receiver } = stack();
    const agent = await api.createAgent();
    for (const { title, behaviours } of cases) {
      model.answer(title, ...behaviours);
      const body = { message: title, webhook_url: receiver.url(path(title)), metadata };
      conversations.set(title, (await api.send(agent.id, body)).conversation_id);
    }
  });

  for (const { title, asked, outcome, also } of cases) {
    it(title, async () => {
      const { api, model, receiver } = stack();
      const conversation_id = conversations.get(title) ?? '';
      const [callback, ...more] = await receiver.callbacks(path(title), 1);
      assert.deepEqual(more, []);
      assert.equal(model.callsFor(title).length, asked);
      await also?.(model.callsFor(title));
      const [input, answer, ...others] = await api.settled(conversation_id, 0);
      assert.ok(input?.role === 'user');
      assert.deepEqual(others, []);
      if ('response' in outcome) {
        assert.deepEqual([input.status, answer?.text], ['answered', outcome.response]);
        assert.ok(callback?.event === 'message.completed' && callback.response === outcome.response);
        return;
      }
      assert.deepEqual([input.status, answer], ['failed', undefined]);
      assert.deepEqual(callback, {
        event: 'message.error',
        agent_id: callback?.agent_id,
        conversation_id,
        error: outcome.error,
        metadata,
        timestamp: callback?.timestamp,
      } satisfies Record<Exclude<keyof Extract<Callback, { event: 'message.error' }>, 'code'>, unknown>);
      const [delivery, ...again] = await until('the delivery’s end', async () => {
        const all = await api.deliveries({ conversation_id });
        return all[0]?.status === 'attempting' ? undefined : all;
      });
      assert.deepEqual([delivery?.event, delivery?.status, again], ['message.error', 'delivered', []]);
    });
  }

  it('answers a sync caller 502, without the provider’s message', async () => {
    const { api, model } = stack();
    const agent = await api.createAgent();
    model.answer('sync failure', status(401));
    const body = await api.refused(502, 'POST', `/chat/${agent.id}`, {
      body: { message: 'sync failure', sync: true },
    });
    assert.deepEqual(body, {
      error: 'The model provider refused the key (401).',
      code: 'agent_failed',
      conversation_id: body.conversation_id,
    });
  });

  it('leaves the conversation usable: the next message is answered', async () => {
    const { api, model } = stack();
    const agent = await api.createAgent();
    model.answer('fails once', status(400));
    const { conversation_id } = await api.send(agent.id, { message: 'fails once' });
    const answer = await api.ask(agent.id, { message: 'and now?', conversation_id });
    assert.equal(answer.response, 'echo: and now?');
  });
});
