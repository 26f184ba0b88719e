/** Test callbacks: one sample to a URL, by the rules of real callbacks. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { verifyCallback } from '../../../src/client/index.ts';
import type {
  CreatedWebhookEndpoint,
  TestCallback,
} from '../../../src/contract/conversations/webhook-endpoints.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

describe('A test callback', () => {
  const stack = useStack({
    env: { ENCRYPTION_KEY: randomBytes(32).toString('base64'), CALLBACK_TIMEOUT_SECONDS: '5' },
  });
  const tested = async (api: ApiClient, url: string): Promise<TestCallback> => {
    const answer = await api.call('POST', '/test-callbacks', { body: { url } });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body as TestCallback;
  };

  it('is sent once, and shows status, time, headers and the beginning of the answer', async () => {
    const { receiver, db } = stack();
    const { api, organizationId } = await stack().stranger();
    receiver.behave('/tested', { status: 418, headers: { 'x-tea': 'pot' }, body: 'x'.repeat(5000) });
    const result = await tested(api, receiver.url('/tested'));
    assert.deepEqual(
      [result.outcome, result.http_status, result.signed, result.response_body?.length],
      ['failed', 418, false, 1000],
    );
    assert.equal(result.error, 'the receiver answered 418');
    assert.ok(result.duration_ms !== undefined && result.duration_ms >= 0);
    assert.deepEqual(
      result.headers?.find(({ name }) => name === 'x-tea'),
      { name: 'x-tea', value: 'pot' },
    );
    const [request, ...more] = receiver.requestsTo('/tested');
    assert.deepEqual([more, request?.body], [[], result.request_body]);
    const [payload] = await receiver.callbacks('/tested', 1);
    assert.ok(payload?.event === 'message.completed');
    assert.deepEqual(payload.metadata, { test: true });
    assert.ok(request?.rawHeaders.some(([name, value]) => name === 'parley-test' && value === 'true'));
    const audited = await db
      .knex<{ id: string; organization_id: string; action: string; target: string }>('audit_log')
      .where({ organization_id: organizationId, action: 'test_callback_sent' });
    assert.deepEqual(
      audited.map(({ target }) => target),
      [receiver.url('')],
    );
    assert.deepEqual(await api.deliveries({}), []);
  });

  it('is signed if the URL belongs to an endpoint', async () => {
    const { receiver } = stack();
    const { api } = await stack().stranger();
    const { body } = await api.call('POST', '/webhook-endpoints', { body: { url: receiver.url('/signed') } });
    const result = await tested(api, receiver.url('/signed/x'));
    assert.deepEqual([result.outcome, result.signed], ['delivered', true]);
    const [request] = receiver.requestsTo('/signed/x');
    const verified = await verifyCallback(
      request?.body ?? '',
      new Headers(request?.rawHeaders),
      (body as CreatedWebhookEndpoint).secret,
    );
    assert.equal(verified?.id, result.id);
  });

  it('never reaches a private address, follows no redirect, and ends in time', async () => {
    const { receiver, apiUrl } = stack();
    const { api } = await stack().stranger();
    for (const [url, error] of [
      ['http://169.254.169.254/latest', 'private_address'],
      [apiUrl, 'private_address'],
      ['http://localhost:5000/x', 'internal_name'],
    ] as const) {
      const result = await tested(api, url);
      assert.deepEqual(
        [result.outcome, result.error, result.duration_ms],
        ['blocked', error, undefined],
        url,
      );
    }
    for (const url of ['ftp://example.com', 'x'])
      assert.equal((await api.call('POST', '/test-callbacks', { body: { url } })).status, 422, url);
    receiver.behave('/redirects', { status: 307, headers: { location: receiver.url('/elsewhere') } });
    assert.equal((await tested(api, receiver.url('/redirects'))).outcome, 'failed');
    assert.equal(receiver.requestsTo('/elsewhere').length, 0);
    receiver.behave('/silent', { hang: true });
    const silent = await tested(api, receiver.url('/silent'));
    assert.deepEqual([silent.outcome, silent.error], ['failed', 'no answer in time']);
  });

  it('is limited: two at once and twenty a minute of an organization, and not another’s', async () => {
    const { receiver } = stack();
    const { api } = await stack().stranger();
    const post = (path: string) => api.call('POST', '/test-callbacks', { body: { url: receiver.url(path) } });
    // Answers once the others are refused: one that comes after the answer finds room again.
    const answered = Promise.withResolvers<undefined>();
    receiver.behave('/slow', { until: answered.promise });
    let refusedAtOnce = 0;
    const atOnce = Array.from({ length: 6 }, async () => {
      const { status } = await post('/slow');
      if (status === 429) refusedAtOnce += 1;
      return status;
    });
    await until('four to be refused', () => refusedAtOnce === 4);
    answered.resolve(undefined);
    assert.deepEqual((await Promise.all(atOnce)).sort(), [200, 200, 429, 429, 429, 429]);
    let allowed = 0;
    for (let n = 0; n < 20; n += 1) if ((await post('/limited')).status === 200) allowed += 1;
    assert.equal(allowed, 14);
    assert.equal(receiver.requestsTo('/limited').length, 14);
    const refused = await post('/limited');
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal(
      (await tested((await stack().stranger()).api, receiver.url('/limited'))).outcome,
      'delivered',
    );
  });
});
