/** OAuth of MCP, step by step: what it promises, and what somebody tries who must not get in. */
import assert from 'node:assert/strict';
import { allCapabilities } from '../../../src/contract/accounts/capabilities.ts';
import { signIn, type ConsoleCaller } from '../../support/console-person.ts';
import { OAuthSteps } from '../../support/mcp-oauth-client.ts';
import { until } from '../../support/until.ts';
import { useSharedStack, useStack } from '../../support/stack.ts';

describe('OAuth of /v1/mcp', () => {
  const stack = useSharedStack();
  const newSteps = () => new OAuthSteps(stack().apiUrl);

  async function granted(member?: ConsoleCaller): Promise<{
    steps: OAuthSteps;
    member: ConsoleCaller;
    access: string;
    refresh: string;
    code: string;
  }> {
    const steps = newSteps();
    await steps.register();
    const who = member ?? (await signIn(stack()));
    const code = await steps.code(who, stack().organizationId);
    const { status, body } = await steps.exchange(code);
    assert.equal(status, 200, JSON.stringify(body));
    return {
      steps,
      member: who,
      access: String(body['access_token']),
      refresh: String(body['refresh_token']),
      code,
    };
  }

  const refusedGrant = async (answer: ReturnType<OAuthSteps['token']>, error = 'invalid_grant') => {
    const { status, body } = await answer;
    assert.deepEqual([status, body['error']], [400, error], JSON.stringify(body));
  };

  it('401 names the metadata of the resource, which names the authorization server, which names the rest', async () => {
    const steps = newSteps();
    const { origin } = steps;
    const metadataUrl = `${origin}/.well-known/oauth-protected-resource/v1/mcp`;
    const without = await steps.use(undefined);
    assert.equal(without.status, 401);
    assert.equal(without.headers.get('www-authenticate'), `Bearer resource_metadata="${metadataUrl}"`);
    const wrong = await steps.use('pk_wrong');
    const challenge = `Bearer error="invalid_token", resource_metadata="${metadataUrl}"`;
    assert.equal(wrong.headers.get('www-authenticate'), challenge);
    for (const address of [metadataUrl, `${origin}/.well-known/oauth-protected-resource`]) {
      const resource = (await (await fetch(address)).json()) as Record<string, unknown>;
      assert.deepEqual(resource['authorization_servers'], [origin]);
      assert.equal(resource['resource'], `${origin}/v1/mcp`);
    }
    const server = await fetch(`${origin}/.well-known/oauth-authorization-server`);
    assert.partialDeepStrictEqual(await server.json(), {
      issuer: origin,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    });
    const elsewhere = await fetch(`${origin}/v1/agents`);
    assert.equal(elsewhere.headers.get('www-authenticate'), 'Bearer');
  });

  it('a member consents, the code is exchanged for tokens, which open only /v1/mcp; API tokens still work', async () => {
    const { steps, access } = await granted();
    assert.equal((await steps.use(access)).status, 200);
    const elsewhere = await stack().api.call('GET', '/agents', { token: access });
    assert.equal(elsewhere.status, 401);
    assert.equal((await steps.use(stack().token)).status, 200);
  });

  it('refreshes: the new tokens work; a refresh token used twice revokes all of them', async () => {
    const { steps, access, refresh } = await granted();
    const { body } = await steps.refresh(refresh);
    assert.equal((await steps.use(String(body['access_token']))).status, 200);
    await until('the old access token to end', async () => (await steps.use(access)).status === 401);
    await refusedGrant(steps.refresh(refresh));
    await until(
      'the grant to end',
      async () => (await steps.use(String(body['access_token']))).status === 401,
    );
    await refusedGrant(steps.refresh(String(body['refresh_token'])));
  });

  it('an access token ends after an hour, and a refresh token 30 days after it was issued', async () => {
    const { steps, access, refresh } = await granted();
    const { knex } = stack().db;
    const grants = () =>
      knex('mcp_grants').where({ organization_id: stack().organizationId }).orderBy('expires_at', 'desc');
    const later = (column: string, hours: number) =>
      grants().update({ [column]: knex.raw(`?? + ? * interval '1 hour'`, [column, hours]) });
    const [grant] = await grants().select<{ access_expires_at: Date; expires_at: Date }[]>();
    const hoursTo = (at?: Date) => Math.round(((at?.getTime() ?? 0) - Date.now()) / 360_000) / 10;
    assert.deepEqual([hoursTo(grant?.access_expires_at), hoursTo(grant?.expires_at)], [1, 30 * 24]);
    await later('access_expires_at', -1);
    await until('the access token to end', async () => (await steps.use(access)).status === 401);
    await later('expires_at', -29.9 * 24);
    const { body } = await steps.refresh(refresh);
    const [renewed] = await grants().select<{ expires_at: Date }[]>();
    assert.equal(hoursTo(renewed?.expires_at), 30 * 24);
    await later('expires_at', -30 * 24);
    await refusedGrant(steps.refresh(String(body['refresh_token'])));
  });

  it('revokes by either token, only for its own client', async () => {
    for (const kind of ['access', 'refresh'] as const) {
      const one = await granted();
      const stranger = newSteps();
      await stranger.register();
      assert.equal((await stranger.revoke(one[kind])).status, 200);
      assert.equal((await one.steps.use(one.access)).status, 200);
      assert.equal((await one.steps.revoke(one[kind])).status, 200);
      await until('the token to end', async () => (await one.steps.use(one.access)).status === 401);
      await refusedGrant(one.steps.refresh(one.refresh));
    }
  });

  it('a code used twice revokes the tokens that it was exchanged for', async () => {
    const { steps, access, code } = await granted();
    await refusedGrant(steps.exchange(code));
    await until('the token to end', async () => (await steps.use(access)).status === 401);
  });

  it('of 20 concurrent exchanges of one code, at most one gets tokens', async () => {
    const steps = newSteps();
    await steps.register();
    const code = await steps.code(await signIn(stack()), stack().organizationId);
    const answers = await Promise.all(Array.from({ length: 20 }, () => steps.exchange(code)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  });

  it('refuses a wrong verifier, none, another redirect_uri, another client, another audience', async () => {
    const steps = newSteps();
    await steps.register();
    const code = await steps.code(await signIn(stack()), stack().organizationId);
    await refusedGrant(steps.exchange(code, { code_verifier: 'x'.repeat(43) }));
    await refusedGrant(steps.exchange(code, { redirect_uri: 'http://127.0.0.1:33418/other' }));
    await refusedGrant(steps.exchange(code, { resource: 'https://other.example/mcp' }), 'invalid_target');
    const { code_verifier: _, ...bare } = { grant_type: 'authorization_code', code, code_verifier: '' };
    await refusedGrant(steps.token(bare), 'invalid_request');
    const other = newSteps();
    await other.register();
    await refusedGrant(other.exchange(code, { code_verifier: steps.verifier }));
    await refusedGrant(steps.exchange('made-up'));
    await refusedGrant(steps.token({ grant_type: 'password', code }), 'unsupported_grant_type');
    await refusedGrant(steps.exchange(code, { client_id: 'x' }), 'invalid_client');
    assert.equal((await steps.exchange(code)).status, 200);
  });

  it('a token whose audience is another resource is refused', async () => {
    const { steps, access } = await granted();
    const { db, organizationId } = stack();
    await db
      .knex('mcp_grants')
      .where({ organization_id: organizationId })
      .update({ resource: 'https://x.example/mcp' });
    await until('the token to be refused', async () => (await steps.use(access)).status === 401);
  });

  it('an authorization request with an unknown client or redirect_uri is refused without a redirect', async () => {
    const steps = newSteps();
    await steps.register();
    for (const change of [
      { redirect_uri: 'https://evil.example/callback' },
      { redirect_uri: 'http://127.0.0.1:33418/callback/../other' },
      { redirect_uri: 'http://localhost:33418/callback' },
      { client_id: '01890000-0000-7000-8000-000000000000' },
      { client_id: 'no uuid' },
    ]) {
      const { status, headers } = await steps.authorize(change);
      assert.deepEqual([status, headers.get('location')], [400, null], JSON.stringify(change));
    }
    // All other mistakes are the client's, so the redirect reports them to it.
    for (const [change, error] of [
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge: '' }, 'invalid_request'],
      [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
      [{ response_type: 'token' }, 'invalid_request'],
    ] as const) {
      const { headers } = await steps.authorize(change);
      const to = new URL(headers.get('location') ?? '');
      assert.equal(to.origin, 'http://127.0.0.1:33418', JSON.stringify(change));
      assert.equal(to.searchParams.get('error'), error, JSON.stringify(change));
      assert.equal(to.searchParams.get('code'), null);
    }
    const { headers } = await steps.authorize({ redirect_uri: 'http://127.0.0.1:40000/callback' });
    assert.match(headers.get('location') ?? '', /\/connect-mcp\?/);
  });

  it('the console issues no code for an unregistered redirect_uri, client or resource', async () => {
    const steps = newSteps();
    await steps.register();
    const member = await signIn(stack());
    const { organizationId } = stack();
    for (const [status, change] of [
      [422, { redirect_uri: 'https://evil.example/callback' }],
      [422, { redirect_uri: 'javascript:alert(1)' }],
      [404, { client_id: '01890000-0000-7000-8000-000000000000' }],
      [422, { resource: 'https://other.example/mcp' }],
      [422, { code_challenge: 'short' }],
      [409, { organization_id: '01890000-0000-7000-8000-000000000000' }],
    ] as const)
      assert.equal(
        (await steps.consent(member, organizationId, change)).status,
        status,
        JSON.stringify(change),
      );
    const { body } = await steps.consent(member, organizationId, { allow: false });
    const refused = new URL(String(body['redirect_to'])).searchParams;
    assert.deepEqual(
      [refused.get('error'), refused.get('code'), refused.get('state'), refused.get('iss')],
      ['access_denied', null, 's', steps.origin],
    );
  });

  it('a member who may not create API tokens may not consent; losing that capability, or the membership, ends the grant', async () => {
    const { db, organizationId } = stack();
    const steps = newSteps();
    await steps.register();
    const weak = await signIn(
      stack(),
      allCapabilities.filter((one) => one !== 'tokens.create'),
    );
    assert.equal((await steps.consent(weak, organizationId)).status, 403);

    const userOf = async () => {
      const [row] = await db
        .knex<{ user_id: string }>('mcp_grants')
        .where('organization_id', organizationId)
        .orderBy('id', 'desc');
      return { organization_id: organizationId, user_id: row?.user_id ?? '' };
    };
    const {
      access,
      refresh,
      steps: theirs,
      member,
    } = await granted(await signIn(stack(), ['tokens.create', 'tools.manage']));
    assert.equal((await theirs.use(access)).status, 200);
    await db.knex('console_roles').where({ organization_id: organizationId }).update({ permission: '{}' });
    await until('the token to be refused', async () => (await theirs.use(access)).status === 401);
    const permission = '{"tokens":["create"],"tools":["manage"]}';
    await db.knex('console_roles').where({ organization_id: organizationId }).update({ permission });
    await until('the token to work again', async () => (await theirs.use(access)).status === 200);

    await db
      .knex('console_members')
      .where(await userOf())
      .delete();
    await until('the token to be refused', async () => (await theirs.use(access)).status === 401);
    const { body } = await theirs.refresh(refresh);
    assert.equal((await theirs.use(String(body['access_token']))).status, 401, 'nor does a refresh help');
    assert.equal((await theirs.consent(member, organizationId)).status, 401);
  });

  it('a token sees only the organization of its consent, and other organizations do not see its grant', async () => {
    const { access, steps } = await granted();
    const other = await stack().stranger();
    const theirAdministrator = await signIn({
      db: stack().db,
      apiUrl: stack().apiUrl,
      organizationId: other.organizationId,
    });
    const { body } = await theirAdministrator.call('GET', '/mcp-grants');
    assert.deepEqual(body, { data: [] });
    const [grant] = await stack()
      .db.knex<{ id: string }>('mcp_grants')
      .where('organization_id', stack().organizationId)
      .orderBy('id', 'desc');
    assert.equal((await theirAdministrator.call('DELETE', `/mcp-grants/${grant?.id ?? ''}`)).status, 404);
    assert.equal((await steps.use(access)).status, 200);
    assert.equal((await steps.consent(theirAdministrator, stack().organizationId)).status, 409);
  });

  it('an administrator sees the connected clients and can remove them', async () => {
    const { access, steps, member } = await granted();
    await steps.use(access);
    const { body } = await member.call('GET', '/mcp-grants');
    const [grant] = (body as { data: { id: string; client_name: string; last_used_at: string | null }[] })
      .data;
    assert.equal(grant?.client_name, 'A program');
    assert.notEqual(grant.last_used_at, null);
    assert.equal((await member.call('DELETE', `/mcp-grants/${grant.id}`)).status, 204);
    await until('the token to be refused', async () => (await steps.use(access)).status === 401);
    const audit = await member.call('GET', '/audit');
    assert.match(JSON.stringify(audit.body), /mcp_client_removed.*mcp_client_allowed/);
  });

  it('stores only hashes of codes and tokens', async () => {
    const { access, refresh, code } = await granted();
    const rows = await stack().db.knex('mcp_grants').where({ organization_id: stack().organizationId });
    const kept = JSON.stringify(rows);
    for (const secret of [access, refresh, code]) assert.ok(!kept.includes(secret));
  });

  it('limits registrations by address, number and bytes; no client gets a secret', async () => {
    const steps = newSteps();
    const many = Array.from({ length: 11 }, (_, n) => `https://client.example/${n}`);
    for (const redirect_uris of [
      [],
      many,
      ['http://client.example/callback'],
      ['javascript:alert(1)'],
      ['JavaScript:alert(1)'],
      ['data:text/html,x'],
      ['file:///etc/passwd'],
      ['blob:https://client.example/x'],
      ['https://client.example/#fragment'],
      ['https://user:pass@client.example/'],
      [`https://client.example/${'x'.repeat(600)}`],
      ['not a url'],
    ]) {
      const { status, body } = await steps.register({ redirect_uris });
      assert.deepEqual(
        [status, body['error']],
        [400, 'invalid_client_metadata'],
        JSON.stringify(redirect_uris),
      );
    }
    assert.equal(
      (await steps.register({ client_uri: `https://x.example/${'x'.repeat(20_000)}` })).status,
      413,
    );
    const { status, body } = await steps.register({
      client_name: `A\u202E\n<b>${'n'.repeat(300)}`,
      token_endpoint_auth_method: 'client_secret_post',
      redirect_uris: ['cursor://anysphere.cursor/callback', 'https://client.example/callback'],
    });
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal(body['client_secret'], undefined);
    assert.equal(body['token_endpoint_auth_method'], 'none');
    assert.match(String(body['client_name']), /^A <b>n{1,100}$/);
  });

  it('keeps at most 1,000 clients without a consent, and every one with a consent', async () => {
    const { steps, access } = await granted();
    const { db } = stack();
    await db.knex.raw(
      `insert into mcp_clients (id, name, redirect_uris, created_at)
         select gen_random_uuid(), 'x', '{https://x.example/}', now() + interval '1 second' from generate_series(1, 1500)`,
    );
    await newSteps().register();
    const [{ unused }] = (
      await db.knex.raw<{ rows: [{ unused: number }] }>(
        'select count(*)::integer as unused from mcp_clients where not consented',
      )
    ).rows;
    assert.equal(unused, 1000);
    assert.equal((await steps.use(access)).status, 200);
    await db.knex('mcp_clients').where({ name: 'x' }).delete();
  });

  it('a member keeps at most 20 consents; the one that was unused for longest makes room', async () => {
    const first = await granted();
    for (let n = 0; n < 20; n++) await first.steps.code(first.member, stack().organizationId);
    await until('the first to be refused', async () => (await first.steps.use(first.access)).status === 401);
  });
});

describe('Registrations of one address', () => {
  const stack = useStack();

  it('429 with Retry-After after 100 within an hour; tokens and consents still work', async () => {
    const steps = new OAuthSteps(stack().apiUrl);
    const statuses = new Map<number, number>();
    for (let n = 0; n < 105; n++) {
      const { status, headers } = await new OAuthSteps(stack().apiUrl).register();
      if (n === 0) await steps.register();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 429) assert.ok(Number(headers.get('retry-after')) > 0);
    }
    assert.deepEqual(Object.fromEntries(statuses), { 201: 99, 429: 6 });
    const code = await steps.code(await signIn(stack()), stack().organizationId);
    assert.equal((await steps.exchange(code)).status, 200);
  });
});
