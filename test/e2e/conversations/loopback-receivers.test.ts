/** Receivers on this machine: allowed by a click in local mode, only there, only for their organization. */
import assert from 'node:assert/strict';
import { loopbackHost } from '../../../src/domain/http/address-rules.ts';
import { isLocalMode } from '../../../src/config.ts';
import type { ResentDelivery } from '../../../src/contract/conversations/webhook-endpoints.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { signIn } from '../../support/console-person.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

describe('Receivers on this machine', () => {
  const local = useStack({ env: { SUPERVISED: 'true', CALLBACK_ALLOW: '' } });
  const deployed = useStack({ env: { CALLBACK_ALLOW: '' } });

  const ended = async (api: ApiClient, query: Record<string, string>, id?: string) =>
    await until('the outcome', async () =>
      (await api.deliveries(query)).find(
        (one) => (id === undefined || one.id === id) && !/pending|attempting/.test(one.status),
      ),
    );
  const called = async (api: ApiClient, webhook_url: string) => {
    const agent = await api.createAgent({ script: [{ reply: 'x' }] });
    const { conversation_id } = await api.send(agent.id, { message: 'a', webhook_url });
    return await ended(api, { conversation_id });
  };

  it('in local mode, a click lets callbacks and test callbacks through to one host and port, and a blocked one can be sent again', async () => {
    const { api, receiver, db, organizationId } = local();
    const { call } = await signIn(local(), ['webhooks.manage']);
    const url = receiver.url('/local');
    const blocked = await called(api, url);
    assert.equal(blocked.status, 'blocked');
    assert.deepEqual((await call('GET', '/loopback-receivers')).body, { offered: true, data: [] });
    const allowed = await call('POST', '/loopback-receivers', { url });
    assert.deepEqual(
      [allowed.status, allowed.body],
      [200, { offered: true, data: [{ host: receiver.host }] }],
    );
    const resent = (await call('POST', `/deliveries/${blocked.id}/resend`)).body as ResentDelivery;
    assert.equal((await ended(api, {}, resent.id)).status, 'delivered');
    assert.equal(receiver.requestsTo('/local').length, 1);
    const test = await api.call('POST', '/test-callbacks', { body: { url } });
    assert.equal((test.body as { outcome: string }).outcome, 'delivered');

    // Another port, another organization, and another spelling of the host stay blocked.
    const other = (await local().stranger()).api;
    assert.equal((await called(other, url)).status, 'blocked');
    for (const place of ['http://127.0.0.1:9/x', url.replace('127.0.0.1', 'localhost')])
      assert.equal((await called(api, place)).status, 'blocked', place);

    assert.equal((await call('DELETE', `/loopback-receivers/${receiver.host}`)).status, 204);
    assert.equal((await called(api, url)).status, 'blocked');
    const audited = await db
      .knex<{ id: string; organization_id: string; action: string; target: string }>('audit_log')
      .where({ organization_id: organizationId })
      .whereLike('action', 'loopback%')
      .orderBy('id');
    assert.deepEqual(
      audited.map(({ action, target }) => [action, target]),
      [
        ['loopback_receiver_allowed', receiver.host],
        ['loopback_receiver_removed', receiver.host],
      ],
    );
  });

  it('only loopback can be allowed, by a person with webhooks.manage, twenty at most', async () => {
    const { call } = await signIn(local(), ['webhooks.manage']);
    const post = (url: string) => call('POST', '/loopback-receivers', { url });
    for (const url of [
      ...['http://10.0.0.1:80/', 'http://192.168.1.1/', 'http://169.254.169.254/', 'http://[fd00::1]/'],
      ...['http://localhost.example/', 'http://db:5432/', 'http://0.0.0.0:80/', 'x', 'http://127.1:80/'],
    ])
      assert.equal((await post(url)).status, 422, url);
    const many = await Promise.all(
      Array.from({ length: 25 }, (_, n) => post(`http://localhost:${4000 + n}`)),
    );
    assert.equal(many.filter(({ status }) => status === 200).length, 20);
    const reader = await signIn(local(), ['deliveries.view']);
    assert.equal(
      (await reader.call('POST', '/loopback-receivers', { url: 'http://localhost:1' })).status,
      403,
    );
    const asToken = await local().api.call('POST', '/loopback-receivers', {
      body: { url: 'http://localhost:1' },
    });
    assert.equal(asToken.status, 404);
  });

  it('in a deploy nobody can allow one, and a row that allows one has no effect', async () => {
    const { api, receiver, db, organizationId } = deployed();
    const { call } = await signIn(deployed(), ['webhooks.manage']);
    assert.deepEqual((await call('GET', '/loopback-receivers')).body, { offered: false, data: [] });
    assert.equal((await call('POST', '/loopback-receivers', { url: receiver.url('/') })).status, 409);
    await db.knex('loopback_receivers').insert({ organization_id: organizationId, host: receiver.host });
    assert.equal((await called(api, receiver.url('/deployed'))).status, 'blocked');
    const test = await api.call('POST', '/test-callbacks', { body: { url: receiver.url('/deployed') } });
    assert.equal((test.body as { outcome: string }).outcome, 'blocked');
    assert.equal(receiver.requestsTo('/deployed').length, 0);
  });

  it('local mode takes the setting, the supervisor’s channel, and no production', () => {
    const send = Object.getOwnPropertyDescriptor(process, 'send');
    try {
      process.send = () => true;
      assert.ok(isLocalMode({ SUPERVISED: true, NODE_ENV: 'development' }));
      assert.ok(!isLocalMode({ SUPERVISED: true, NODE_ENV: 'production' }));
      assert.ok(!isLocalMode({ SUPERVISED: false, NODE_ENV: 'development' }));
      Reflect.deleteProperty(process, 'send');
      assert.ok(!isLocalMode({ SUPERVISED: true, NODE_ENV: 'development' }));
    } finally {
      if (send !== undefined) Object.defineProperty(process, 'send', send);
    }
  });

  it('hosts are named with their port', () => {
    for (const [url, host] of [
      ['http://localhost/x', 'localhost:80'],
      ['https://LOCALHOST/', 'localhost:443'],
      ['http://127.8.9.1:5000', '127.8.9.1:5000'],
      ['http://[::1]:5000/', '[::1]:5000'],
      ['http://localhost.evil.example', undefined],
    ] as const)
      assert.equal(loopbackHost(url), host, url);
  });
});
