/** Signed callbacks: opted in per endpoint, verified by the kept library of Standard Webhooks and by the client. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { createEncryption } from '../../../src/adapters/secrets/encryption.ts';
import type { CreatedWebhookEndpoint } from '../../../src/contract/conversations/webhook-endpoints.ts';
import { verifyCallback } from '../../../src/client/index.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { signIn } from '../../support/console-person.ts';
import type { Received } from '../../support/receiver.ts';
import { useSharedStack } from '../../support/stack.ts';
import { filesWith, tablesWith, workflowsWith } from '../../support/traces-of-text.ts';
import { until } from '../../support/until.ts';

/** Header names in lower case, as Node's HTTP server gives them. */
const headersOf = ({ rawHeaders }: Received) =>
  Object.fromEntries(rawHeaders.map(([name, value]) => [name.toLowerCase(), value]));

/** True if the kept library accepts the request. */
function accepts(secret: string, request: Received): boolean {
  try {
    new Webhook(secret).verify(request.body, headersOf(request));
    return true;
  } catch {
    return false;
  }
}

describe('Signed callbacks', () => {
  const stack = useSharedStack();

  const add = async (api: ApiClient, url: string) => {
    const answer = await api.call('POST', '/webhook-endpoints', { body: { url } });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body as CreatedWebhookEndpoint;
  };
  const rotate = async (api: ApiClient, id: string, body: object = {}) => {
    const answer = await api.call('POST', `/webhook-endpoints/${id}/rotate`, { body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body as CreatedWebhookEndpoint;
  };
  /** Sends a message whose callback goes to this path of the receiver. */
  const called = async (api: ApiClient, path: string): Promise<Received> => {
    const { receiver } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'Grüße \u{1f642}' }] });
    const seen = receiver.requestsTo(path).length;
    await api.send(agent.id, { message: 'a', webhook_url: receiver.url(path) });
    const requests = await receiver.waitFor(path, seen + 1);
    return requests[seen]!;
  };

  it('an endpoint signs what is posted to it and below it; other callbacks keep the headers of the contract', async () => {
    const { receiver } = stack();
    const { api } = await stack().stranger();
    const { secret, ...endpoint } = await add(api, receiver.url('/hooks'));
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    for (const path of ['/hooks', '/hooks/', '/hooks/shop?token=1']) {
      const request = await called(api, path);
      assert.ok(accepts(secret, request), path);
      const [delivery] = await api.deliveries({});
      assert.equal(headersOf(request)['webhook-id'], delivery?.id);
      assert.equal(delivery?.signed, true);
      const names = request.rawHeaders.map(([name]) => name.toLowerCase()).toSorted();
      assert.deepEqual(names, [
        ...['connection', 'content-length', 'content-type', 'host'],
        ...['webhook-id', 'webhook-signature', 'webhook-timestamp'],
      ]);
    }
    for (const path of ['/hooksy', '/', '/other/hooks']) {
      const names = (await called(api, path)).rawHeaders.map(([name]) => name).toSorted();
      assert.deepEqual(names, ['Connection', 'Content-Length', 'Content-Type', 'Host'], path);
    }
    const [unsigned] = await api.deliveries({});
    assert.equal(unsigned?.signed, undefined);
    const { body } = await api.call('GET', '/webhook-endpoints');
    assert.deepEqual(body, { data: [endpoint], next_cursor: null });
  });

  it('the endpoint with the longest path signs', async () => {
    const { receiver } = stack();
    const { api } = await stack().stranger();
    const whole = await add(api, receiver.url('/'));
    const shop = await add(api, receiver.url('/longest/shop'));
    const [inner, outer] = [await called(api, '/longest/shop/1'), await called(api, '/longest/1')];
    assert.deepEqual([accepts(shop.secret, inner), accepts(whole.secret, inner)], [true, false]);
    assert.deepEqual([accepts(shop.secret, outer), accepts(whole.secret, outer)], [false, true]);
  });

  it('during a rotation’s overlap both secrets verify; without an overlap, and after it, only the new one', async () => {
    const { receiver, db } = stack();
    const { api } = await stack().stranger();
    const first = await add(api, receiver.url('/rotated'));
    const second = await rotate(api, first.id, { overlap_seconds: 600 });
    assert.ok(second.previous_until !== undefined && second.rotated_at !== undefined);
    assert.notEqual(second.secret, first.secret);
    const both = await called(api, '/rotated');
    assert.equal(headersOf(both)['webhook-signature']?.split(' ').length, 2);
    assert.deepEqual([accepts(first.secret, both), accepts(second.secret, both)], [true, true]);

    const ended = new Date(Date.now() - 1000);
    await db.knex('webhook_endpoints').where({ id: first.id }).update({ previous_until: ended });
    const after = await called(api, '/rotated');
    assert.deepEqual([accepts(first.secret, after), accepts(second.secret, after)], [false, true]);

    const third = await rotate(api, first.id, { overlap_seconds: 0 });
    const now = await called(api, '/rotated');
    assert.deepEqual([accepts(second.secret, now), accepts(third.secret, now)], [false, true]);
  });

  it('the client verifies them, and refuses a changed body, another secret, an old request and one without a signature', async () => {
    const { receiver } = stack();
    const { api } = await stack().stranger();
    const { secret } = await add(api, receiver.url('/verified'));
    const request = await called(api, '/verified');
    const headers = headersOf(request);
    const verified = await verifyCallback(request.body, headers, secret);
    assert.ok(verified?.callback.event === 'message.completed');
    assert.deepEqual([verified.id, verified.callback.response], [headers['webhook-id'], 'Grüße \u{1f642}']);
    const other = `whsec_${randomBytes(32).toString('base64')}`;
    assert.ok(await verifyCallback(request.body, new Headers(headers), [other, secret]));
    const refused: [string, Parameters<typeof verifyCallback>[1], string][] = [
      [request.body.replace('Grüße', 'Gruss'), headers, secret],
      [request.body, headers, other],
      [request.body, { ...headers, 'webhook-id': 'another' }, secret],
      [request.body, { ...headers, 'webhook-timestamp': '1700000000' }, secret],
      [request.body, { ...headers, 'webhook-signature': 'v1,' }, secret],
      [request.body, { ...headers, 'webhook-signature': undefined }, secret],
    ];
    for (const given of refused) assert.equal(await verifyCallback(...given), undefined);
    const oldest = { toleranceSeconds: -1 };
    assert.equal(await verifyCallback(request.body, headers, secret, oldest), undefined);
    await assert.rejects(verifyCallback(request.body, headers, 'a secret'), TypeError);
  });

  it('the secret is shown once: sealed at rest, in no other answer, audit entry, log or workflow history', async () => {
    const { receiver, db, logs } = stack();
    const made = await stack().stranger();
    const { api } = made;
    const created = await add(api, receiver.url('/once'));
    const { secret } = await rotate(api, created.id);
    await called(api, '/once');
    const { rows } = await db.pool.query<{ row: string }>(
      'select row_to_json(e)::text as row from webhook_endpoints e where id = $1',
      [created.id],
    );
    const place = { organizationId: made.organizationId, table: 'webhook_endpoints', rowId: created.id };
    const row = JSON.parse(rows[0]?.row ?? '{}') as { secret: string; previous_secret: string };
    const encryption = createEncryption(stack().env['ENCRYPTION_KEY']);
    assert.equal(encryption.open(row.secret, { ...place, column: 'secret' }), secret);
    assert.equal(
      encryption.open(row.previous_secret, { ...place, column: 'previous_secret' }),
      created.secret,
    );
    const list = (await api.call('GET', '/webhook-endpoints')).body;
    const hidden = [secret, created.secret].map((one) => one.slice('whsec_'.length));
    assert.ok(!hidden.some((one) => JSON.stringify(list).includes(one)));
    assert.deepEqual(await tablesWith(stack(), hidden), []);
    assert.deepEqual([...filesWith(logs.api, hidden), ...filesWith(logs.worker, hidden)], []);
    const ofOrganization = `OrganizationId = '${made.organizationId}'`;
    assert.deepEqual((await workflowsWith(stack(), ofOrganization, hidden)).withText, []);
  });

  it('an endpoint whose secret was lost sends nothing until it is rotated', async () => {
    const { receiver, db } = stack();
    const { api } = await stack().stranger();
    const { id } = await add(api, receiver.url('/without-secret'));
    await db.knex('webhook_endpoints').where({ id }).update({ secret: null });
    const agent = await api.createAgent({ script: [{ reply: 'x' }] });
    const message = { message: 'a', webhook_url: receiver.url('/without-secret') };
    const { conversation_id } = await api.send(agent.id, message);
    const [failed] = await until('the outcome', async () => {
      const found = await api.deliveries({ conversation_id, status: 'failed' });
      return found.length > 0 && found;
    });
    assert.match(failed?.error ?? '', /signing secret .* was lost/);
    assert.equal(receiver.requestsTo('/without-secret').length, 0);
    const { secret } = await rotate(api, id);
    assert.ok(accepts(secret, await called(api, '/without-secret')));
  });

  it('a removed endpoint is no longer signed; its URL and every other organization’s are independent', async () => {
    const { receiver } = stack();
    const [one, other] = [await stack().stranger(), await stack().stranger()];
    const { id, secret } = await add(one.api, receiver.url('/removed'));
    const theirs = await add(other.api, receiver.url('/removed'));
    const foreign = await other.api.refused(404, 'DELETE', `/webhook-endpoints/${id}`);
    assert.equal(foreign.code, 'not_found');
    assert.ok(accepts(secret, await called(one.api, '/removed')));
    assert.equal((await one.api.call('DELETE', `/webhook-endpoints/${id}`)).status, 204);
    assert.equal(headersOf(await called(one.api, '/removed'))['webhook-signature'], undefined);
    assert.ok(accepts(theirs.secret, await called(other.api, '/removed')));
  });

  it('refuses other forms of a URL, a second one of the same place, and more than twenty, also at once', async () => {
    const { api, organizationId } = await stack().stranger();
    const post = (url: string) => api.call('POST', '/webhook-endpoints', { body: { url } });
    for (const url of [
      '',
      'x',
      'ftp://a.example',
      'https://u:p@a.example',
      'https://a.example/?q',
      'https://a.example/#f',
    ])
      assert.equal((await post(url)).status, 422, url);
    assert.equal((await post('https://A.example:443/x/')).status, 201);
    const again = await post('https://a.example/x');
    assert.deepEqual([again.status, (again.body as { code: string }).code], [409, 'conflict']);
    const many = await Promise.all(Array.from({ length: 30 }, (_, n) => post(`https://a.example/${n}`)));
    assert.deepEqual(many.map(({ status }) => status).filter((status) => status === 201).length, 19);
    const rows: unknown[] = await stack()
      .db.knex('webhook_endpoints')
      .where({ organization_id: organizationId });
    assert.equal(rows.length, 20);
  });

  it('in the console, only members with webhooks.manage manage them', async () => {
    const { call } = await signIn(stack(), ['webhooks.manage']);
    const made = await call('POST', '/webhook-endpoints', { url: 'https://shop.example' });
    assert.equal(made.status, 201);
    const reader = await signIn(stack(), ['deliveries.view']);
    assert.equal((await reader.call('GET', '/webhook-endpoints')).status, 403);
  });
});
