/** Metadata comes back as it was written: nothing on its way reads it as JavaScript's numbers and objects. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { JsonText, keepField, stringify } from '../../../src/contract/text.ts';
import { until } from '../../support/until.ts';
import { useSharedStack } from '../../support/stack.ts';

const written =
  '{"order":9007199254740993,"less":-9223372036854775808,"price":1.0,"huge":1e400,"zero":-0,' +
  '"__proto__":{"admin":true},"constructor":{"prototype":{"a":1}},"10":1,"2":[2,"$& $1"],"":"\\u00e9\\ud800 \\"} :,"}';
const spaced = written.replaceAll(/,"(?=\w+":)/g, ' ,\n\t"').replace('"order":', '"order" : ');

describe('Metadata', () => {
  const stack = useSharedStack();

  async function raw(path: string, body?: string, headers: Record<string, string> = {}): Promise<string> {
    const answer = await fetch(`${stack().apiUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${stack().token}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body }),
    });
    assert.ok(answer.ok, `${path} ${answer.status} ${await answer.clone().text()}`);
    return await answer.text();
  }

  it('is the same text in the callback, the history and the export', async () => {
    const { api, receiver } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const url = receiver.url('/exact-metadata');
    const body = `{"metadata":{"first":1},"message":"a","webhook_url":"${url}","met\\u0061data": ${spaced}}`;
    const { conversation_id } = JSON.parse(await raw(`/chat/${agent.id}`, body)) as {
      conversation_id: string;
    };
    await until('the callback', () => receiver.requestsTo('/exact-metadata').length === 1);
    const places = {
      callback: receiver.requestsTo('/exact-metadata')[0]?.body ?? '',
      history: await raw(`/conversations/${conversation_id}/messages`),
      export: await raw('/export'),
    };
    for (const [name, text] of Object.entries(places))
      assert.ok(text.includes(`"metadata":${written}`), `${name}: ${text}`);
  });

  it('is the same text in a synchronous answer, its repeat and a stream', async () => {
    const agent = await stack().api.createAgent({ script: [{ reply: 'ok' }] });
    const body = `{"message":"a","sync":true,"metadata":${spaced}}`;
    const key = { 'idempotency-key': crypto.randomUUID() };
    const first = await raw(`/chat/${agent.id}`, body, key);
    assert.ok(first.includes(`"metadata":${written}`), first);
    assert.equal(await raw(`/chat/${agent.id}`, body, key), first);
    const stream = await raw(`/chat/${agent.id}`, body, { accept: 'text/event-stream' });
    assert.ok(stream.includes(`"metadata":${written}`), stream);
  });

  it('a prototype key anywhere else is still refused', async () => {
    const { api } = stack();
    const agent = await api.createAgent();
    for (const body of [
      '{"message":"a","__proto__":{}}',
      '{"message":"a","contact":{"id":"a","__proto__":{}}}',
    ])
      assert.equal((await api.refused(400, 'POST', `/chat/${agent.id}`, { body })).code, 'invalid_json');
  });

  it('any JSON within any JSON stays as it is', () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), fc.integer({ min: 0, max: 4 }), (inner, beside, indent) => {
        const value: unknown = JSON.parse(inner);
        const text = JSON.stringify(
          { beside: JSON.parse(beside) as unknown, kept: value, last: '"kept":1' },
          null,
          indent,
        );
        const read = keepField(text, JSON.parse(text), 'kept') as { kept: JsonText };
        assert.equal(read.kept.text, JSON.stringify(value));
        assert.equal(stringify(read), JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 500, seed: 16 },
    );
  });
});
