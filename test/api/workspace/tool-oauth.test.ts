/** OAuth 2.0 connections: a person allows or denies, tokens are renewed once, and a lost access is reported. */
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import {
  toolConnection,
  toolConnectionList,
  type ToolConnection,
} from '../../../src/contract/workspace/tools.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { makePerson, signIn, signInAs } from '../../support/console-person.ts';
import { useDocsStack } from '../../support/docs-stack.ts';
import { startOwnProcess } from '../../support/own-process.ts';

const path = '/tools/docs/connections';

describe('OAuth 2.0 connections', () => {
  // A second worker starts in one of them.
  const docs = useDocsStack();

  const start = async (api: ApiClient): Promise<ToolConnection & { authorization_url: string }> => {
    const answer = await api.call('POST', path, { body: { auth: 'OAUTH2' } });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    const made = toolConnection.parse(answer.body);
    assert.ok(made.authorization_url);
    return { ...made, authorization_url: made.authorization_url };
  };
  /** Goes to the callback as the browser would. @returns the outcome that the redirect gives the console */
  const comeBack = async (location: string, cookie = ''): Promise<string | null> => {
    const { search } = new URL(location);
    const answer = await fetch(`${docs().stack.apiUrl}/tools/docs/oauth/callback${search}`, {
      redirect: 'manual',
      headers: { cookie },
    });
    assert.equal(answer.status, 303);
    const target = new URL(answer.headers.get('location') ?? '', 'http://console');
    assert.equal(target.pathname, '/admin/tools');
    return target.searchParams.get('connection');
  };
  const list = async (api: ApiClient) => toolConnectionList.parse((await api.call('GET', path)).body).data;
  const approve = (url: string) =>
    docs().emulator.decide(url, 'approve', { pages: [docs().emulator.ids.home] });
  const connected = async (api: ApiClient) => {
    const pending = await start(api);
    assert.equal(await comeBack(await approve(pending.authorization_url)), 'connected');
    return pending;
  };
  /** The access tokens that the integration's people have been given. */
  const grantedTokens = () => {
    const { tokens, bots } = docs().emulator.snapshot();
    return [...tokens].filter(([, bot]) => bots.get(bot)?.client != null).map(([token]) => token);
  };
  const run = (api: ApiClient, action: string, input: object) =>
    api.call('POST', `/tools/docs/actions/${action}`, { body: { input } });

  it('approve: the user is asked without scopes, and the workspace is connected', async () => {
    const { emulator, stack } = docs();
    const { api } = await stack.stranger();
    const pending = await start(api);
    assert.equal(pending.status, 'pending');
    const url = new URL(pending.authorization_url);
    assert.equal(`${url.origin}${url.pathname}`, `${emulator.url}/v1/oauth/authorize`);
    assert.deepEqual([...url.searchParams.keys()].sort(), [
      'client_id',
      'owner',
      'redirect_uri',
      'response_type',
      'state',
    ]);
    assert.equal(await comeBack(await approve(pending.authorization_url)), 'connected');
    const [row] = await list(api);
    assert.deepEqual(
      [row?.id, row?.status, row?.auth, row?.workspace_name, row?.integration_name],
      [pending.id, 'connected', 'OAUTH2', 'Emulated workspace', 'Parley'],
    );
    const { body } = await run(api, 'DOCS_RETRIEVE_PAGE', { page_id: emulator.ids.home });
    assert.equal((body as { successful: boolean }).successful, true);
  });

  it('deny: nothing is left of the attempt', async () => {
    const { api } = await docs().stack.stranger();
    const pending = await start(api);
    const back = await docs().emulator.decide(pending.authorization_url, 'deny');
    assert.equal(await comeBack(back), 'denied');
    assert.deepEqual(await list(api), []);
  });

  it('a state that is wrong, used or too old connects nothing and exchanges no code', async () => {
    const { emulator, stack } = docs();
    const { api } = await stack.stranger();
    const first = await start(api);
    const back = new URL(await approve(first.authorization_url));
    const wrong = new URL(back);
    wrong.searchParams.set('state', 'x'.repeat(43));
    const none = new URL(back);
    none.searchParams.delete('state');
    for (const each of [wrong, none]) assert.equal(await comeBack(each.href), 'expired');
    assert.equal(emulator.count('POST', '/v1/oauth/token'), 0);
    assert.equal(await comeBack(back.href), 'connected');
    assert.equal(await comeBack(back.href), 'expired');
    const late = await start(api);
    const lateBack = await approve(late.authorization_url);
    await stack.db
      .knex('tool_connections')
      .where({ id: late.id })
      .update({ state_expires_at: new Date(0) });
    assert.equal(await comeBack(lateBack), 'expired');
    assert.equal(emulator.count('POST', '/v1/oauth/token'), 1);
    assert.equal((await list(api)).filter(({ status }) => status === 'connected').length, 1);
  });

  it('an expired code and an unresponsive workspace leave no connection', async () => {
    const { emulator, stack } = docs();
    const { api } = await stack.stranger();
    const back = await approve((await start(api)).authorization_url);
    emulator.advance(11 * 60_000);
    assert.equal(await comeBack(back), 'failed');
    const again = await approve((await start(api)).authorization_url);
    emulator.faults.add({ path: '/v1/oauth/token', fault: { kind: 'bad-gateway' } });
    assert.equal(await comeBack(again), 'failed');
    assert.deepEqual(await list(api), []);
  });

  it('authorizing again keeps one connection for the same integration and person', async () => {
    const { api } = await docs().stack.stranger();
    const first = await connected(api);
    await connected(api);
    assert.deepEqual(
      (await list(api)).map(({ id, status }) => [id, status]),
      [[first.id, 'connected']],
    );
  });

  it('rotation while 10 actions run at once on two workers: one refresh, and all succeed', async () => {
    const { emulator, stack } = docs();
    const { api } = await stack.stranger();
    await connected(api);
    const second = await startOwnProcess('worker', stack.env, join(tmpdir(), 'parley-second-worker.log'));
    try {
      for (const token of grantedTokens()) emulator.forgetToken(token);
      const before = emulator.count('POST', '/v1/oauth/token');
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => run(api, 'DOCS_RETRIEVE_PAGE', { page_id: emulator.ids.home })),
      );
      for (const { body } of answers) assert.equal((body as { successful: boolean }).successful, true);
      assert.equal(emulator.count('POST', '/v1/oauth/token') - before, 1);
    } finally {
      await second.kill();
    }
  });

  it('a token that only one page refuses is not renewed', async () => {
    const { emulator, stack } = docs();
    const { api } = await stack.stranger();
    await connected(api);
    const before = emulator.count('POST', '/v1/oauth/token');
    emulator.faults.add({
      ...{ path: `/v1/pages/${emulator.ids.home}`, times: 100 },
      fault: { kind: 'error', status: 401, code: 'unauthorized', message: 'API token is invalid.' },
    });
    const { body } = await run(api, 'DOCS_RETRIEVE_PAGE', { page_id: emulator.ids.home });
    assert.match((body as { error: string }).error, /^NOT_AUTHORIZED \(HTTP 401\).*connection itself works/);
    assert.equal(emulator.count('POST', '/v1/oauth/token'), before);
    assert.equal((await list(api))[0]?.status, 'connected');
  });

  for (const [title, fault] of [
    [
      'the workspace refuses to renew',
      { kind: 'error', status: 400, code: 'invalid_grant', message: 'gone' },
    ],
    ['the answer of the renewal is lost', { kind: 'lost-answer' }],
  ] as const) {
    it(`${title}: the action fails with NOT_AUTHORIZED, and the connection must be made again`, async () => {
      const { emulator, stack } = docs();
      const { api } = await stack.stranger();
      await connected(api);
      for (const token of grantedTokens()) emulator.forgetToken(token);
      emulator.faults.add({ path: '/v1/oauth/token', fault });
      const { body } = await run(api, 'DOCS_RETRIEVE_PAGE', { page_id: emulator.ids.home });
      assert.match((body as { error: string }).error, /^NOT_AUTHORIZED \(HTTP 401\)/);
      assert.equal((await list(api))[0]?.status, 'needs_reconnect');
      assert.equal((await run(api, 'DOCS_GET_ABOUT_ME', {})).status, 409);
      await connected(api);
      assert.deepEqual(
        (await list(api)).map(({ status }) => status),
        ['connected'],
      );
      assert.equal((await run(api, 'DOCS_GET_ABOUT_ME', {})).status, 200);
    });
  }

  it('a proxy that answers a renewal instead of the workspace does not break the connection', async () => {
    const { emulator, stack } = docs();
    const { api } = await stack.stranger();
    await connected(api);
    for (const token of grantedTokens()) emulator.forgetToken(token);
    emulator.faults.add({ path: '/v1/oauth/token', fault: { kind: 'proxy-page', status: 403 } });
    const { body } = await run(api, 'DOCS_RETRIEVE_PAGE', { page_id: emulator.ids.home });
    assert.match((body as { error: string }).error, /^UPSTREAM \(HTTP 403\): HTTP 403 came from a proxy/);
    assert.equal((await list(api))[0]?.status, 'connected');
    const again = await run(api, 'DOCS_RETRIEVE_PAGE', { page_id: emulator.ids.home });
    assert.equal((again.body as { successful: boolean }).successful, true);
  });

  it('a connection started in the console completes only in the same user’s browser', async () => {
    const { stack } = docs();
    const { api, organizationId } = await stack.stranger();
    const other = await stack.stranger();
    const [{ cookies: mine }, { cookies: theirs }] = [
      await signIn({ ...stack, organizationId }),
      await signIn({ ...stack, organizationId: other.organizationId }),
    ];
    const answer = await fetch(new URL('/console/api/tools/docs/connections', stack.apiUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: mine },
      body: JSON.stringify({ auth: 'OAUTH2' }),
    });
    assert.equal(answer.status, 201);
    const { authorization_url = '' } = toolConnection.parse(await answer.json());
    const back = await approve(authorization_url);
    const me = await stack.db
      .knex<{ user_id: string; organization_id: string }>('console_members')
      .where({ organization_id: organizationId })
      .first();
    const state = new URL(back).searchParams.get('state') ?? '';
    for (const cookie of ['', theirs])
      for (const tried of [state, `${state}/${me?.user_id}`, `${me?.user_id} ${state}`]) {
        const url = new URL(back);
        url.searchParams.set('state', tried);
        assert.equal(await comeBack(url.href, cookie), 'expired', tried);
      }
    assert.deepEqual(
      (await list(api)).map(({ status }) => status),
      ['pending'],
    );
    assert.equal(await comeBack(back, mine), 'connected');
    assert.deepEqual(
      (await list(api)).map(({ status }) => status),
      ['connected'],
    );
    assert.deepEqual(await list(other.api), []);
  });

  for (const [title, lose] of [
    ['is no longer a member', (member: Knex.QueryBuilder) => member.delete()],
    ['lost the capability', (member: Knex.QueryBuilder) => member.update({ role: 'a role that is gone' })],
  ] as const) {
    it(`a person who ${title} while they were at the workspace connects nothing`, async () => {
      const { emulator, stack } = docs();
      const { api, organizationId } = await stack.stranger();
      const person = await makePerson({ ...stack, organizationId });
      const { call, cookies } = await signInAs(stack, person);
      const answer = await call('POST', '/tools/docs/connections', { auth: 'OAUTH2' });
      const back = await approve(toolConnection.parse(answer.body).authorization_url ?? '');
      const exchanged = emulator.count('POST', '/v1/oauth/token');
      const user = stack.db.knex('console_users').where({ email: person.email }).select('id');
      await lose(stack.db.knex('console_members').whereIn('user_id', user));
      assert.equal(await comeBack(back, cookies), 'not_allowed');
      assert.equal(emulator.count('POST', '/v1/oauth/token'), exchanged);
      assert.deepEqual(await list(api), []);
    });
  }

  it('disconnecting revokes the tokens at the workspace', async () => {
    const { emulator, stack } = docs();
    const { api } = await stack.stranger();
    const { id } = await connected(api);
    assert.equal(grantedTokens().length, 1);
    assert.equal((await api.call('DELETE', `${path}/${id}`)).status, 204);
    assert.equal(grantedTokens().length, 0);
    assert.equal(emulator.count('POST', '/v1/oauth/revoke'), 1);
    assert.deepEqual(await list(api), []);
  });
});
