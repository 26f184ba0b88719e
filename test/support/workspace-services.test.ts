/** The emulator behaves as the Notion API does: search, comments, uploads, OAuth, faults, rate limit. */
import assert from 'node:assert/strict';
import { Client } from '@notionhq/client';
import { caller, paragraph, title, words, workbench } from './workspace/caller.ts';
import { startWorkspaceEmulator, type WorkspaceEmulator } from './workspace/emulator.ts';
import { asArray, asObject, asString, type Json, type JsonObject } from './workspace/json.ts';

describe('workspace emulator: services', () => {
  let emulator: WorkspaceEmulator;
  let bench: ReturnType<typeof workbench>;

  before(async () => {
    emulator = await startWorkspaceEmulator();
    bench = workbench(emulator.url, emulator.tokens.main, emulator.ids.home);
  });
  after(() => emulator.stop());
  beforeEach(() => {
    emulator.reset();
  });

  const ids = (reply: { body: JsonObject }) =>
    asArray(reply.body['results']).map((each) => asString(asObject(each)['id']));

  it('9 search: by title over what is shared, by kind, after the index delay', async () => {
    const { source } = await bench.newTable({});
    const page = await bench.newPage('Table of contents');
    const search = (body: JsonObject) => bench.ask('POST', '/v1/search', body);
    assert.deepEqual(ids(await search({ query: 'table' })).sort(), [source, page].sort());
    assert.deepEqual(
      ids(await search({ query: 'TABLE', filter: { property: 'object', value: 'data_source' } })),
      [source],
    );
    const refused = await search({ filter: { property: 'object', value: 'database' } });
    assert.equal(
      refused.body['message'],
      'body failed validation: body.filter.value should be `"page"` or `"data_source"`, instead was `"database"`.',
    );
    assert.deepEqual(ids(await search({ query: 'Not shared' })), []);
    emulator.settings.searchDelayMs = 60_000;
    const late = await bench.newPage('Late');
    assert.deepEqual(ids(await search({ query: 'Late' })), []);
    emulator.advance(60_000);
    assert.deepEqual(ids(await search({ query: 'Late' })), [late]);
  });

  it('9 comments and users: threads on a page, oldest first; guests are not listed', async () => {
    const page = await bench.newPage('Talk');
    const one = await bench.ask('POST', '/v1/comments', {
      parent: { page_id: page },
      rich_text: words('one'),
    });
    const thread = one.body['discussion_id'] ?? null;
    const two = await bench.ask('POST', '/v1/comments', { discussion_id: thread, rich_text: words('two') });
    assert.deepEqual(ids(await bench.ask('GET', `/v1/comments?block_id=${page}`)), [
      one.body['id'],
      two.body['id'],
    ]);
    assert.equal(
      (await bench.ask('GET', `/v1/comments/${asString(two.body['id'])}`)).body['discussion_id'],
      thread,
    );
    const users = ids(await bench.ask('GET', '/v1/users'));
    assert.ok(users.includes(emulator.ids.member) && !users.includes(emulator.ids.guest));
    assert.ok(!users.includes(emulator.ids.otherPerson));
    assert.equal(
      (await bench.ask('GET', '/v1/users?start_cursor=bogus')).body['message'],
      'The start_cursor provided is invalid: bogus',
    );
    assert.match(
      asString((await bench.ask('GET', `/v1/users/${emulator.ids.otherPerson}`)).body['message']),
      /^Could not find user with ID/,
    );
  });

  it('10 uploads: single part is sent, attached, served, and then does not expire', async () => {
    const client = new Client({
      auth: emulator.tokens.main,
      baseUrl: emulator.url,
      notionVersion: '2025-09-03',
      retry: false,
    });
    const upload = await client.fileUploads.create({ filename: 'a.txt' });
    assert.equal(upload.status, 'pending');
    const data = new Blob(['contents'], { type: 'text/plain' });
    const sent = await client.fileUploads.send({
      file_upload_id: upload.id,
      file: { filename: 'a.txt', data },
    });
    assert.deepEqual([sent.status, sent.content_length], ['uploaded', 8]);
    const page = await bench.newPage('Files');
    const file = { type: 'file_upload', file_upload: { id: upload.id } };
    const block = asObject(asArray((await bench.append(page, [{ file }])).body['results'])[0]);
    const address = asString(asObject(asObject(block['file'])['file'])['url']);
    assert.equal(await (await fetch(address)).text(), 'contents');
    emulator.advance(2 * 3_600_000);
    assert.deepEqual((await bench.ask('GET', `/v1/file_uploads/${upload.id}`)).body['expiry_time'], null);
    assert.equal((await fetch(address)).status, 403, 'a signed address expires');
  });

  it('10 uploads: parts and their completion on a paid plan, an import, expiry by the clock', async () => {
    const paid = caller(emulator.url, emulator.tokens.other);
    const many = { mode: 'multi_part', filename: 'a.txt', number_of_parts: 2 };
    assert.equal((await bench.ask('POST', '/v1/file_uploads', many)).status, 400, 'not on the free plan');
    const upload = asString((await paid('POST', '/v1/file_uploads', many)).body['id']);
    const send = async (part: string, bytes: number) => {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(bytes)], { type: 'text/plain' }), 'a.txt');
      form.set('part_number', part);
      const headers = { authorization: `Bearer ${emulator.tokens.other}`, 'notion-version': '2025-09-03' };
      return (
        await fetch(`${emulator.url}/v1/file_uploads/${upload}/send`, { method: 'POST', headers, body: form })
      ).status;
    };
    assert.equal(await send('1', 10), 400, 'only the last part may be small');
    assert.equal(await send('1', 5 * 1_048_576), 200);
    assert.equal((await paid('POST', `/v1/file_uploads/${upload}/complete`)).status, 400);
    assert.equal(await send('2', 10), 200);
    assert.equal((await paid('POST', `/v1/file_uploads/${upload}/complete`)).body['status'], 'uploaded');
    const link = { mode: 'external_url', filename: 'b.png', external_url: 'https://example.com/b.png' };
    emulator.settings.importMs = 5000;
    for (const [url, status] of [
      [link.external_url, 'uploaded'],
      ['https://example.com/missing', 'failed'],
    ]) {
      const made = (await bench.ask('POST', '/v1/file_uploads', { ...link, external_url: url ?? '' })).body;
      const read = async () =>
        (await bench.ask('GET', `/v1/file_uploads/${asString(made['id'])}`)).body['status'];
      assert.deepEqual([made['status'], await read()], ['pending', 'pending']);
      emulator.advance(5000);
      assert.equal(await read(), status);
    }
    const open = asString((await bench.ask('POST', '/v1/file_uploads', { filename: 'c.txt' })).body['id']);
    emulator.advance(3_600_000);
    assert.equal((await bench.ask('GET', `/v1/file_uploads/${open}`)).body['status'], 'expired');
  });

  it('11 OAuth: approve and deny keep the state; a code works once; refresh rotates; revoke ends', async () => {
    const { clientId, clientSecret, redirectUris } = emulator.oauth;
    const redirect_uri = redirectUris[0] ?? '';
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri,
      response_type: 'code',
      owner: 'user',
      state: 's1',
    });
    const address = `${emulator.url}/v1/oauth/authorize?${query.toString()}`;
    assert.match(await (await fetch(address)).text(), /Allow access/);
    assert.equal(
      (await fetch(address.replace(encodeURIComponent(redirect_uri), 'http%3A%2F%2Fevil'))).status,
      400,
    );
    const denied = new URL(await emulator.decide(address, 'deny'));
    assert.deepEqual(
      [denied.searchParams.get('error'), denied.searchParams.get('state')],
      ['access_denied', 's1'],
    );
    const code = new URL(await emulator.decide(address, 'approve')).searchParams.get('code') ?? '';
    const post = async (path: string, body: JsonObject, secret = clientSecret) => {
      const authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
      const headers = { authorization, 'content-type': 'application/json' };
      const answer = await fetch(`${emulator.url}/v1/oauth/${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return { status: answer.status, body: asObject((await answer.json()) as Json) };
    };
    const exchange = { grant_type: 'authorization_code', code, redirect_uri };
    assert.deepEqual((await post('token', exchange, 'wrong')).body['error'], 'invalid_client');
    assert.equal(
      (await post('token', { ...exchange, redirect_uri: 'http://other' })).body['error'],
      'invalid_grant',
    );
    const pair = await post('token', exchange);
    assert.equal(pair.status, 200);
    assert.equal((await post('token', exchange)).body['error'], 'invalid_grant');
    const old = asString(pair.body['access_token']);
    assert.equal((await caller(emulator.url, old)('GET', `/v1/pages/${emulator.ids.home}`)).status, 200);
    const refresh = { grant_type: 'refresh_token', refresh_token: pair.body['refresh_token'] ?? '' };
    const next = await post('token', refresh);
    assert.deepEqual([next.status, next.body['bot_id']], [200, pair.body['bot_id']]);
    assert.equal((await post('token', refresh)).body['error'], 'invalid_grant', 'the old pair is dead');
    assert.equal((await caller(emulator.url, old)('GET', '/v1/users/me')).status, 401);
    const token = next.body['access_token'] ?? '';
    assert.equal((await post('introspect', { token })).body['active'], true);
    await post('revoke', { token });
    assert.equal((await post('introspect', { token })).body['active'], false);
    const late = new URL(await emulator.decide(address, 'approve')).searchParams.get('code') ?? '';
    emulator.advance(600_000);
    assert.equal(
      (await post('token', { ...exchange, code: late })).body['error'],
      'invalid_grant',
      'a code expires',
    );
    assert.ok(
      !JSON.stringify(emulator.requests).includes(asString(pair.body['refresh_token'])),
      'no secret is recorded',
    );
  });

  it('12 faults: a lost answer has written, a reset has not, and every request is counted', async () => {
    const page = await bench.newPage('Faults');
    const path = `/v1/blocks/${page}/children`;
    const append = () => bench.append(page, [paragraph('x')]);
    const lost = emulator.faults.add({ method: 'PATCH', path, fault: { kind: 'lost-answer' } });
    await assert.rejects(append);
    assert.deepEqual([lost.hits, emulator.outline(page).length], [1, 1]);
    emulator.faults.add({ method: 'PATCH', path: /children$/, skip: 1, fault: { kind: 'reset' } });
    assert.equal((await append()).status, 200);
    await assert.rejects(append);
    assert.equal(emulator.outline(page).length, 2);
    assert.equal(emulator.count('PATCH', path), 3);
    const records = emulator.requests.filter((each) => each.path === path);
    assert.deepEqual(
      records.map((each) => [each.status, each.fault]),
      [
        [null, 'lost-answer'],
        [200, null],
        [null, 'reset'],
      ],
    );
    assert.equal(JSON.stringify(emulator.requests).includes(emulator.tokens.main), false);
  });

  it('12 faults: conflict, rate limit, overload, gateway pages, hang, slow and broken JSON look as they do outside', async () => {
    const create = () =>
      bench.ask('POST', '/v1/pages', {
        parent: { page_id: emulator.ids.home },
        properties: { title: title('x') },
      });
    const count = () => emulator.outline(emulator.ids.home).length;
    const conflict = 'Conflict occurred while saving. Please try again.';
    emulator.faults.add({ path: '/v1/pages', fault: { kind: 'conflict' } });
    assert.deepEqual([(await create()).body['message'], count()], [conflict, 0]);
    emulator.faults.add({ path: '/v1/pages', fault: { kind: 'rate-limited', retryAfter: 90 } });
    const limited = await create();
    assert.deepEqual(
      [limited.status, limited.headers.get('retry-after'), limited.body['code']],
      [429, '90', 'rate_limited'],
    );
    emulator.faults.add({ path: '/v1/pages', fault: { kind: 'overloaded', retryAfter: 7 } });
    const busy = await create();
    assert.deepEqual([busy.status, busy.headers.get('retry-after')], [529, '7']);
    emulator.faults.add({ path: '/v1/pages', fault: { kind: 'unavailable', committed: true } });
    assert.deepEqual([(await create()).status, count()], [503, 1]);
    for (const kind of ['bad-gateway', 'cut-json'] as const) {
      emulator.faults.add({ path: '/v1/pages', fault: { kind, committed: true } });
      await assert.rejects(create, SyntaxError);
    }
    assert.equal(count(), 3);
    emulator.faults.add({ path: '/v1/pages', fault: { kind: 'wrong-json', body: { object: 'page' } } });
    assert.equal((await create()).body['id'], undefined);
    emulator.faults.add({ path: '/v1/pages', fault: { kind: 'slow', ms: 30 } });
    assert.equal((await create()).status, 200);
    emulator.faults.add({ path: '/v1/users/me', fault: { kind: 'hang' } });
    await assert.rejects(fetch(`${emulator.url}/v1/users/me`, { signal: AbortSignal.timeout(50) }), {
      name: 'TimeoutError',
    });
    assert.equal(count(), 4);
  });

  it('13 rate limiter: a burst passes, then 429 with Retry-After until the clock moves on, per connection', async () => {
    const still = await startWorkspaceEmulator({
      now: () => 1_800_000_000_000,
      settings: { rateLimit: { perSecond: 3, burst: 5 } },
    });
    try {
      const ask = () => caller(still.url, still.tokens.main)('GET', '/v1/users/me');
      const statuses: number[] = [];
      for (let index = 0; index < 5; index += 1) statuses.push((await ask()).status);
      assert.deepEqual(statuses, [200, 200, 200, 200, 200]);
      const refused = await ask();
      assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1']);
      assert.deepEqual(refused.body['additional_data'], {
        rate_limit_reason: 'public_api_request_rate_limit',
      });
      assert.equal((await caller(still.url, still.tokens.other)('GET', '/v1/users/me')).status, 200);
      still.advance(1000);
      assert.equal((await ask()).status, 200);
    } finally {
      await still.stop();
    }
  });
});
