/** @parley/client against the running stack. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  answer,
  callbackKey,
  Parley,
  ParleyError,
  readCallback,
  type StreamEvent,
} from '../../src/client/index.ts';
import { useSharedStack } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { apiTypesFile, writeApiTypes } from './api-types.ts';
import { startFaultyLine, type FaultyLine } from './faulty-line.ts';

const fable = 'A crow stole a piece of cheese and sat with it in a high tree where a fox saw it.';

describe('The client', () => {
  const stack = useSharedStack();
  let line: FaultyLine;
  before(async () => {
    line = await startFaultyLine(stack().apiUrl);
  });
  after(async () => {
    await line.close();
  });
  const direct = () => new Parley({ baseUrl: stack().apiUrl, token: stack().token });
  const faulty = () => new Parley({ baseUrl: line.url, token: stack().token });
  const agentSaying = async (script: object[]) => (await stack().api.createAgent({ script })).id;

  it('has the types of the document', async () => {
    const written = readFileSync(apiTypesFile, 'utf8');
    assert.ok(written === (await writeApiTypes()), 'src/client/api.ts is stale: npm run client:generate');
  });

  it('sends, asks, reads the history, and reads the callback', async () => {
    const { receiver } = stack();
    const parley = direct();
    const id = await agentSaying([{ reply: 'ok' }]);
    const webhook_url = receiver.url('/client');
    const sent = await parley.send(id, { message: 'a', webhook_url, metadata: { n: 1 } });
    assert.equal(sent.status, 'processing');
    const { conversation_id } = sent;
    const said = await parley.ask(id, { message: 'b', conversation_id });
    assert.deepEqual([said.response, said.conversation_id], ['ok', conversation_id]);
    const [request] = await receiver.waitFor('/client', 1);
    const callback = readCallback(request?.body ?? '');
    assert.ok(callback?.event === 'message.completed');
    assert.deepEqual([callback.response, callback.metadata], ['ok', { n: 1 }]);
    const messages = await Array.fromAsync(parley.messages(conversation_id));
    assert.deepEqual(messages.map(({ role, text }) => `${role}: ${text}`).toSorted(), [
      'agent: ok',
      'agent: ok',
      'user: a',
      'user: b',
    ]);
    assert.ok(messages.some((one) => one.id === callbackKey(callback)));
    for (const body of ['', '[]', '{"event":"message.completed"}', '{"event":"else","conversation_id":"x"}'])
      assert.equal(readCallback(body), undefined);
  });

  it('calls every operation by its path', async () => {
    const { api } = direct();
    const name = `Called ${crypto.randomUUID()}`;
    const { id } = await answer(api.POST('/agents', { body: { name, script: [{ reply: 'ok' }] } }));
    const path = { id };
    const changed = await answer(api.PATCH('/agents/{id}', { params: { path }, body: { active: false } }));
    assert.equal(changed.active, false);
    const listed = await answer(api.GET('/agents', { params: { query: { limit: 100 } } }));
    assert.ok(listed.data.some((one) => one.id === id));
    const channel = await answer(api.GET('/agents/{id}/channel', { params: { path } }));
    assert.equal(channel.state, 'not_connected');
    const lines = await answer(api.GET('/export', { parseAs: 'text' }));
    assert.match(lines, new RegExp(`"id":"${id}"`));
    await answer(api.DELETE('/agents/{id}', { params: { path } }));
    const { error, response } = await api.GET('/agents/{id}', { params: { path } });
    assert.deepEqual([error?.code, response.status], ['not_found', 404]);
  });

  it('throws what the API refuses, by code, with its details', async () => {
    const id = await agentSaying([{ fail: { message: 'no', retryable: false } }]);
    const caught = async (call: Promise<unknown>): Promise<ParleyError> => {
      const error: unknown = await call.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      assert.ok(error instanceof ParleyError);
      return error;
    };
    const invalid = await caught(direct().ask(id, { message: '' }));
    assert.deepEqual([invalid.status, invalid.code], [422, 'validation_failed']);
    assert.deepEqual(
      invalid.details.map(({ path }) => path),
      ['message'],
    );
    const failed = await caught(direct().ask(id, { message: 'a' }));
    assert.deepEqual([failed.status, failed.code], [502, 'agent_failed']);
    assert.match(failed.conversationId ?? '', /^[0-9a-f-]{36}$/);
    const requestId = invalid.requestId ?? assert.fail();
    const logged = await until('the refused call to be in the request log', async () => {
      const log = await answer(
        direct().api.GET('/requests', { params: { query: { request_id: requestId } } }),
      );
      return log.data[0];
    });
    assert.equal(logged.status, 422);
    const stranger = new Parley({ baseUrl: stack().apiUrl, token: 'pk_wrong' });
    assert.equal((await caught(stranger.stream(id, { message: 'a' }).next())).code, 'unauthorized');
    const nowhere = new Parley({ baseUrl: 'http://127.0.0.1:9/v1', token: 'x', tries: 2 });
    assert.equal((await caught(nowhere.ask(id, { message: 'a' }))).requestId, undefined);
    assert.equal((await caught(nowhere.ask(id, { message: 'a' }))).code, 'unreachable');
    assert.equal((await caught(nowhere.stream(id, { message: 'a' }).next())).code, 'unreachable');
  });

  it('repeats a message after 429, 503 and a lost answer under one key: it is there once', async () => {
    const id = await agentSaying([{ reply: 'ok' }]);
    const from = line.seen.length;
    line.plan({ status: 429, retryAfter: '0' }, { status: 503, retryAfter: '0' }, 'answer lost');
    const { conversation_id } = await faulty().ask(id, { message: 'once' });
    const tries = line.seen.slice(from);
    assert.equal(tries.length, 4);
    assert.equal(new Set(tries.map(({ key }) => key)).size, 1);
    assert.ok(tries[0]?.key);
    const messages = await Array.fromAsync(direct().messages(conversation_id));
    assert.deepEqual(
      messages.map(({ text }) => text),
      ['once', 'ok'],
    );
    const all = await answer(direct().api.GET('/conversations', { params: { query: { agent_id: id } } }));
    assert.equal(all.data.length, 1);
  });

  it('waits as Retry-After says, and returns an answer that asks for more than a minute', async () => {
    line.plan({ status: 429, retryAfter: '1' });
    const began = performance.now();
    await answer(faulty().api.GET('/agents'));
    assert.ok(performance.now() - began >= 1000);
    line.plan({ status: 429, retryAfter: '3600' });
    const { response } = await faulty().api.GET('/agents');
    assert.equal(response.status, 429);
  });

  it('does not repeat calls that could take effect twice', async () => {
    const from = line.seen.length;
    line.plan('answer lost');
    await assert.rejects(faulty().api.POST('/agents', { body: { name: crypto.randomUUID() } }), ParleyError);
    assert.equal(line.seen.length - from, 1);
  });

  it('yields each event of a stream once and in order, over connections that are cut', async () => {
    // Slow enough that events come one by one on a loaded machine too, so that each connection has some before it is
    // cut.
    const text = [fable, fable, fable].join(' ');
    const id = await agentSaying([{ reply: text, word_ms: 60 }]);
    const from = line.seen.length;
    // The first connection is cut before the client receives anything.
    line.plan({ cutAfterEvents: 0 }, ...[2, 3, 0, 4].map((cutAfterEvents) => ({ cutAfterEvents })));
    const events: StreamEvent[] = await Array.fromAsync(faulty().stream(id, { message: 'tell' }));
    const deltas = events.flatMap(({ event, data }) => (event === 'delta' ? [data.text] : []));
    assert.equal(deltas.join(''), text);
    assert.deepEqual(
      events.map((one) => one.id),
      ['0', ...deltas.map((_, index) => String(index + 1)), 'end'],
    );
    const last = events.at(-1);
    assert.ok(last?.event === 'completed');
    assert.equal(last.data.response, text);
    const seen = line.seen.slice(from);
    assert.deepEqual(
      seen.map(({ request }) => request.slice(0, 4)),
      ['POST', 'POST', 'GET ', 'GET ', 'GET ', 'GET '],
    );
    assert.match(seen[2]?.lastEventId ?? '', /^[01]$/);
    assert.equal(seen[0]?.key, seen[1]?.key);
    const all = await answer(direct().api.GET('/conversations', { params: { query: { agent_id: id } } }));
    assert.equal(all.data.length, 1);
  });

  it('resumes a stream that has fallen silent', async () => {
    const id = await agentSaying([{ reply: 'ok' }]);
    const from = line.seen.length;
    line.plan({ cutAfterEvents: 1 }, 'silence');
    const parley = new Parley({ baseUrl: line.url, token: stack().token, silenceMs: 1500 });
    const events = await Array.fromAsync(parley.stream(id, { message: 'a' }));
    assert.deepEqual([events[0]?.event, events.at(-1)?.event], ['accepted', 'completed']);
    assert.ok(line.seen.length - from >= 3);
  });

  it('ends a stream with the error that the call would have had', async () => {
    const id = await agentSaying([{ fail: { message: 'no', retryable: false } }]);
    const events = await Array.fromAsync(direct().stream(id, { message: 'a' }));
    const last = events.at(-1);
    assert.ok(last?.event === 'failed');
    assert.equal(last.data.code, 'agent_failed');
  });

  it('hangs up when its caller does', async () => {
    const id = await agentSaying([{ reply: fable, delay_ms: 30_000 }]);
    const hangUp = new AbortController();
    const events = direct().stream(id, { message: 'a' }, { signal: hangUp.signal });
    assert.equal((await events.next()).value?.event, 'accepted');
    const next = events.next();
    hangUp.abort(new Error('enough'));
    await assert.rejects(next, /enough/);
    await assert.rejects(direct().ask(id, { message: 'b' }, { signal: AbortSignal.timeout(100) }), {
      name: 'TimeoutError',
    });
  });
});
