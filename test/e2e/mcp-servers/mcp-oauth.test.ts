/** Sign-ins at MCP servers: a person allows access, tokens are renewed once, and a lost access is shown. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { McpServer } from '../../../src/contract/mcp-servers/mcp-servers.ts';
import { makePerson, signIn, signInAs, type ConsoleCaller } from '../../support/console-person.ts';
import { startMcpOAuthServer, typedClient, type McpOAuthServer } from '../../support/mcp-oauth-server.ts';
import {
  addServer,
  begin,
  begun,
  chooseRefund,
  comeBack,
  readTools,
  runRefund,
  signInAt,
  statusOf,
} from '../../support/mcp-sign-in.ts';
import { startOwnProcess } from '../../support/own-process.ts';
import { startStack, type Stack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const needsPerson = /An administrator must sign in at this MCP server again/;

describe('Sign-ins at MCP servers', () => {
  let stack: Stack;
  let oauth: McpOAuthServer;
  before(async () => {
    stack = await startStack({
      workers: 1,
      env: { ENCRYPTION_KEY: randomBytes(32).toString('base64'), TOOL_ALLOW: '127.0.0.1' },
    });
  });
  after(async () => {
    await stack.stop();
  });
  beforeEach(async () => {
    oauth = await startMcpOAuthServer();
  });
  afterEach(async () => {
    await oauth.close();
  });

  /** An organization with the server, and its administrator in a session. */
  const arrive = async (more: object = {}) => {
    const { api, organizationId } = await stack.stranger();
    const caller = await signIn({ ...stack, organizationId });
    return { api, organizationId, caller, server: await addServer(api, oauth.shop.url, more) };
  };
  const signedIn = async (more: object = {}) => {
    const found = await arrive(more);
    await signInAt(oauth, found.caller, found.server);
    await chooseRefund(found.api, found.server);
    return found;
  };
  const renewals = () =>
    oauth.tokenRequests.filter(({ grant_type }) => grant_type === 'refresh_token').length;
  const expire = async (server: McpServer, seconds = -1) => {
    await stack.db
      .knex('mcp_sign_ins')
      .where({ server_id: server.id, status: 'completed' })
      .update({ access_expires_at: new Date(Date.now() + seconds * 1000) });
  };
  const codeOf = ({ status, body }: { status: number; body: unknown }) => [
    status,
    (body as { code?: string }).code,
  ];

  it('a person signs in with PKCE at the server that the metadata names, and an agent uses the token', async () => {
    const { api, caller, server } = await arrive();
    assert.equal(server.status, 'needs_sign_in');
    const refused = await readTools(api, server);
    assert.deepEqual(codeOf(refused), [422, 'invalid_credentials']);
    assert.match(JSON.stringify(refused.body), needsPerson);
    const url = new URL(await begun(caller, server));
    assert.equal(url.origin, oauth.issuer);
    const callback = `${stack.apiUrl}/tools/mcp/${server.id}/callback`;
    const { redirect_uri, code_challenge_method, resource, scope } = Object.fromEntries(url.searchParams);
    assert.deepEqual(
      { redirect_uri, code_challenge_method, resource, scope },
      {
        ...{ redirect_uri: callback, code_challenge_method: 'S256', resource: oauth.shop.url },
        scope: 'tools offline_access',
      },
    );
    assert.equal(await comeBack(await oauth.visit(url.href), caller.cookies), 'signed_in');
    assert.equal(await statusOf(api, server), 'connected');
    await chooseRefund(api, server);
    const script = [
      { on: 'tool_result', when: '(.*)', reply: 'read: $1' },
      { when: 'pay', tool: { action: 'mcp_shop_refund', input: { id: '1' } } },
    ];
    const agent = await api.createAgent({ tools: ['mcp_shop_refund'], script });
    const { response } = await api.ask(agent.id, { message: 'pay it back' });
    assert.equal(response, 'read: refunded');
    assert.equal(oauth.tokenRequests.length, 1);
    const { code_verifier, redirect_uri: exchanged } = oauth.tokenRequests[0] ?? {};
    assert.ok(code_verifier !== undefined && code_verifier.length >= 43);
    assert.equal(exchanged, callback);
  });

  it('the removal of a server revokes its tokens at the authorization server, and waits for no answer', async () => {
    const { api, server } = await signedIn();
    assert.equal((await api.call('DELETE', `/tools/mcp/${server.id}`)).status, 204);
    await until('the access to be revoked', () => oauth.revocations() === 1);

    const second = await signedIn();
    const held: (() => void)[] = [];
    oauth.instead = ({ url = '' }, response) => {
      if (!url.endsWith('/revocation')) return false;
      held.push(() => response.writeHead(503).end());
      return true;
    };
    assert.equal((await second.api.call('DELETE', `/tools/mcp/${second.server.id}`)).status, 204);
    await until('the request to arrive', () => held.length === 1);
    assert.equal((await second.api.call('GET', `/tools/mcp/${second.server.id}`)).status, 404);
    for (const answer of held) answer();
    assert.equal(oauth.revocations(), 1);
  });

  it('a server that was added without credentials asks for a sign-in, and is signed in at', async () => {
    const { api, caller, server } = await arrive({ auth: 'none' });
    const asked = await readTools(api, server);
    assert.deepEqual(codeOf(asked), [422, 'invalid_credentials']);
    assert.match(JSON.stringify(asked.body), /asks you to sign in/);
    await signInAt(oauth, caller, server);
    assert.equal((await readTools(api, server)).status, 200);
  });

  it('a server with a header keeps it', async () => {
    const header = { name: 'Authorization', value: 'Bearer a-key' };
    const { caller, server } = await arrive({ auth: 'header', header });
    assert.deepEqual(codeOf(await begin(caller, server)), [409, 'invalid_state']);
  });

  it('a typed client is sent to the authorization server that its administrator names alone, and is kept', async () => {
    await oauth.close();
    oauth = await startMcpOAuthServer({ registers: false });
    const { api, caller, server } = await arrive();
    const missing = await begin(caller, server);
    assert.deepEqual(codeOf(missing), [422, 'validation_failed']);
    assert.match(JSON.stringify(missing.body), /registers no clients itself.*\/callback/);
    const callback = `${stack.apiUrl}/tools/mcp/${server.id}/callback`;
    oauth.allowTyped(callback);
    const elsewhere = await begin(caller, server, { ...typedClient, issuer: 'https://auth.example.com' });
    assert.deepEqual(codeOf(elsewhere), [422, 'validation_failed']);
    for (const incomplete of [{ client_id: 'x' }, { client_secret: 'x' }, { issuer: oauth.issuer }])
      assert.equal((await begin(caller, server, incomplete)).status, 422, JSON.stringify(incomplete));
    await signInAt(oauth, caller, server, { ...typedClient, issuer: `${oauth.issuer}/` });
    const { body } = await api.call('GET', `/tools/mcp/${server.id}`);
    const { client_id, issuer } = body as McpServer;
    assert.deepEqual([client_id, issuer], [typedClient.client_id, oauth.issuer]);
    await signInAt(oauth, caller, server, { client_id, issuer });
    assert.equal((await readTools(api, server)).status, 200);
  });

  it('an expired token is renewed before the call, one that the server forgot after it, each once', async () => {
    const { api, server } = await signedIn();
    await expire(server, 20);
    assert.equal((await runRefund(api, server)).outcome, 'succeeded');
    assert.equal(renewals(), 1);
    assert.equal((await runRefund(api, server)).outcome, 'succeeded');
    assert.equal(renewals(), 1);
    oauth.forgetAccess();
    assert.equal((await runRefund(api, server)).outcome, 'succeeded');
    assert.equal(renewals(), 2);
    assert.ok([...oauth.uses.values()].every((count) => count === 1));
  });

  it('a token without a known expiry and a refresh token that stays are used until the server refuses them', async () => {
    oauth.rotates = false;
    const { api, server } = await signedIn();
    for (const _ of [1, 2]) {
      await expire(server);
      assert.equal((await runRefund(api, server)).outcome, 'succeeded');
    }
    assert.deepEqual([...oauth.uses.values()], [2]);
    await stack.db.knex('mcp_sign_ins').where({ server_id: server.id }).update({ access_expires_at: null });
    assert.equal((await runRefund(api, server)).outcome, 'succeeded');
    assert.equal(renewals(), 2);
  });

  it('tokens that live for a second are renewed once for each call, and the call is made', async () => {
    oauth.lifetime = 1;
    const { api, server } = await signedIn();
    const before = renewals();
    assert.equal((await runRefund(api, server)).outcome, 'succeeded');
    assert.equal(renewals(), before + 1);
  });

  it('rotation while 12 calls run at once on two workers: one renewal, and each call succeeds', async () => {
    const { api, server } = await signedIn();
    const second = await startOwnProcess('worker', stack.env, join(tmpdir(), 'parley-second-mcp-worker.log'));
    try {
      for (const how of ['expired', 'forgotten'] as const) {
        const before = renewals();
        if (how === 'expired') await expire(server);
        else oauth.forgetAccess();
        oauth.beforeTokens = async () => {
          // Until each of them has found the token expired, or refused.
          await until('the calls to arrive', async () => {
            const { rows } = await stack.db.pool.query<{ count: string }>(
              "select count(*) from tool_executions where status = 'pending' and mcp_tool_id is not null",
            );
            return Number(rows[0]?.count) === 12;
          });
        };
        const results = await Promise.all(Array.from({ length: 12 }, () => runRefund(api, server)));
        assert.deepEqual(new Set(results.map(({ outcome }) => outcome)), new Set(['succeeded']));
        assert.equal(renewals() - before, 1, how);
      }
      assert.ok([...oauth.uses.values()].every((count) => count === 1));
    } finally {
      await second.kill();
    }
  });

  it('a refused refresh token needs a sign-in: the API, the model and the reading of tools show it, until it is made', async () => {
    const { api, caller, server } = await signedIn();
    await expire(server);
    oauth.forgetRefresh();
    const result = await runRefund(api, server);
    assert.equal(result.outcome, 'failed');
    assert.match(result.text, needsPerson);
    assert.equal(await statusOf(api, server), 'needs_sign_in');
    const asked = renewals();
    assert.match((await runRefund(api, server)).text, needsPerson);
    assert.deepEqual(codeOf(await readTools(api, server)), [422, 'invalid_credentials']);
    assert.equal(renewals(), asked, 'a refused refresh token is not sent again');
    const { rows } = await stack.db.pool.query(
      'select access_token, refresh_token from mcp_sign_ins where server_id = $1',
      [server.id],
    );
    assert.deepEqual(rows, [{ access_token: null, refresh_token: null }]);
    await signInAt(oauth, caller, server);
    assert.equal(await statusOf(api, server), 'connected');
    assert.equal((await runRefund(api, server)).outcome, 'succeeded');
  });

  it('a token that expires without a refresh token, and a new one that the server refuses, need a sign-in', async () => {
    oauth.givesNoRefresh = true;
    const short = await signedIn();
    await expire(short.server, 20);
    assert.equal((await runRefund(short.api, short.server)).outcome, 'succeeded');
    await expire(short.server);
    assert.match((await runRefund(short.api, short.server)).text, needsPerson);
    assert.equal(await statusOf(short.api, short.server), 'needs_sign_in');
    oauth.givesNoRefresh = false;
    const refused = await signedIn();
    oauth.shop.before = (_, response) => {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      return true;
    };
    const before = renewals();
    assert.match((await runRefund(refused.api, refused.server)).text, needsPerson);
    assert.equal(renewals(), before + 1);
    assert.equal(await statusOf(refused.api, refused.server), 'needs_sign_in');
  });

  for (const [fault, answer] of [
    ['an outage', [503, 'text/plain', 'down']],
    ['a proxy’s page', [403, 'text/html', '<html>']],
  ] as const)
    it(`${fault} of the token endpoint fails the call, and the next one renews the token`, async () => {
      const { api, server } = await signedIn();
      await expire(server);
      oauth.instead = ({ url }, response) => {
        if (url !== '/token') return false;
        response.writeHead(answer[0], { 'content-type': answer[1] }).end(answer[2]);
        return true;
      };
      const result = await runRefund(api, server);
      assert.equal(result.outcome, 'failed');
      assert.match(result.text, /The call was not sent: its access could not be renewed/);
      assert.equal(await statusOf(api, server), 'connected');
      oauth.instead = undefined;
      assert.equal((await runRefund(api, server)).outcome, 'succeeded');
    });

  it('a token endpoint that repeats its request in an error discloses no secret', async () => {
    const { api, server } = await signedIn();
    await expire(server);
    oauth.instead = (request, response) => {
      if (request.url !== '/token') return false;
      void text(request).then((body) => {
        const { authorization = '' } = request.headers;
        const refresh = new URLSearchParams(body).get('refresh_token') ?? '';
        response.writeHead(503, { 'content-type': 'text/plain' }).end(`${refresh} ${authorization}`);
      });
      return true;
    };
    const { text: shown } = await runRefund(api, server);
    assert.match(shown, /\[secret\]/);
    for (const secret of oauth.secrets) assert.ok(!shown.includes(secret), 'the secret is in the result');
  });

  it('a response of 200 with an error in its body is a refusal', async () => {
    const { api, server } = await signedIn();
    await expire(server);
    oauth.instead = ({ url }, response) => {
      if (url !== '/token') return false;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"error":"bad_refresh_token"}');
      return true;
    };
    assert.match((await runRefund(api, server)).text, needsPerson);
  });

  for (const rotates of [true, false])
    it(`kill -9 between the response and its storage: ${rotates ? 'a refresh token that works once needs a sign-in' : 'a refresh token that stays is used again, and nobody notices'}`, async () => {
      const { api, server, organizationId } = await signedIn();
      oauth.rotates = rotates;
      await expire(server);
      let isHeld = false;
      oauth.beforeTokens = async () => {
        if (isHeld) return;
        isHeld = true;
        await new Promise(() => undefined);
      };
      const body = { name: 'mcp_shop_refund', input: { id: '1' } };
      const running = api.call('POST', `/tools/mcp/${server.id}/run`, { body });
      await until('the renewal', () => isHeld);
      await stack.worker.kill();
      await stack.worker.start();
      const ended = await until(
        'the end of the call',
        async () =>
          await stack.db
            .knex<{ organization_id: string; status: string; error: string | null }>('tool_executions')
            .where({ organization_id: organizationId })
            .whereNot({ status: 'pending' })
            .first(),
      );
      await running;
      if (rotates) {
        assert.match(ended.error ?? '', needsPerson);
        assert.equal(await statusOf(api, server), 'needs_sign_in');
      } else {
        assert.equal(ended.status, 'succeeded', ended.error ?? '');
        assert.equal(await statusOf(api, server), 'connected');
      }
      assert.deepEqual([...oauth.uses.values()], [2]);
      const { rows } = await stack.db.pool.query('select renewal_id from mcp_sign_ins where server_id = $1', [
        server.id,
      ]);
      assert.deepEqual(rows, [{ renewal_id: null }]);
    });

  it('a response that arrives after its claim was taken over is not stored', async () => {
    const { api, server } = await signedIn();
    await expire(server);
    const { rows: before } = await stack.db.pool.query(
      'select access_token, refresh_token from mcp_sign_ins where server_id = $1',
      [server.id],
    );
    const other = crypto.randomUUID();
    let claims = 0;
    oauth.beforeTokens = async () => {
      claims += 1;
      if (claims > 1) return;
      await stack.db
        .knex('mcp_sign_ins')
        .where({ server_id: server.id })
        .update({ renewal_id: other, renewal_began_at: new Date(Date.now() - 3_600_000) });
    };
    const result = await runRefund(api, server);
    // The late response was not stored: the refresh token is used again, and this server refuses that.
    assert.match(result.text, needsPerson);
    const { rows } = await stack.db.pool.query(
      'select access_token, refresh_token from mcp_sign_ins where server_id = $1',
      [server.id],
    );
    assert.notDeepEqual(rows, before);
    assert.deepEqual(rows, [{ access_token: null, refresh_token: null }]);
  });

  describe('the state', () => {
    it('works once, for ten minutes, in the session and at the server that it was made for', async () => {
      const { api, organizationId, caller, server } = await arrive();
      const other = await addServer(api, oauth.shop.url, { name: 'other' });
      const person = await makePerson({ ...stack, organizationId });
      const sessions = [await signInAs(stack, person), await signInAs(stack, person)];
      const stranger = await arrive();
      const [mine, second] = sessions as [ConsoleCaller, ConsoleCaller];
      const back = new URL(await oauth.visit(await begun(mine, server)));
      const changed = (change: (url: URL) => void) => {
        const url = new URL(back);
        change(url);
        return url.href;
      };
      const tries: [string, string, string][] = [
        ['no session', back.href, ''],
        ['another session of the same person', back.href, second.cookies],
        ['another administrator', back.href, caller.cookies],
        ['another organization', back.href, stranger.caller.cookies],
        [
          'another server',
          changed((url) => (url.pathname = url.pathname.replace(server.id, other.id))),
          mine.cookies,
        ],
        [
          'another state',
          changed(({ searchParams }) => {
            searchParams.set('state', 'x'.repeat(43));
          }),
          mine.cookies,
        ],
        [
          'two states',
          changed(({ searchParams }) => {
            searchParams.append('state', 'x');
          }),
          mine.cookies,
        ],
        [
          'no state',
          changed(({ searchParams }) => {
            searchParams.delete('state');
          }),
          mine.cookies,
        ],
      ];
      for (const [what, url, cookies] of tries) assert.equal(await comeBack(url, cookies), 'expired', what);
      assert.deepEqual(oauth.tokenRequests, []);
      assert.equal(await comeBack(back.href, mine.cookies), 'signed_in');
      assert.equal(await comeBack(back.href, mine.cookies), 'expired');
      assert.equal(oauth.tokenRequests.length, 1);
      const late = await oauth.visit(await begun(mine, server));
      await stack.db
        .knex('mcp_sign_ins')
        .where({ server_id: server.id, status: 'pending' })
        .update({ state_expires_at: new Date() });
      assert.equal(await comeBack(late, mine.cookies), 'expired');
      const replaced = await oauth.visit(await begun(mine, server));
      await begun(mine, server);
      assert.equal(await comeBack(replaced, mine.cookies), 'expired');
      assert.equal(oauth.tokenRequests.length, 1);
      assert.equal(await statusOf(api, server), 'connected', 'the earlier access stays');
    });

    for (const [what, change] of [
      [
        'of another issuer',
        ({ searchParams }: URL) => {
          searchParams.set('iss', 'https://honest.example.com');
        },
      ],
      [
        'without the issuer that it promises',
        ({ searchParams }: URL) => {
          searchParams.delete('iss');
        },
      ],
    ] as const)
      it(`a response ${what} is refused, and its code is sent nowhere`, async () => {
        const { api, caller, server } = await arrive();
        const back = new URL(await oauth.visit(await begun(caller, server)));
        assert.equal(back.searchParams.get('iss'), oauth.issuer);
        change(back);
        assert.equal(await comeBack(back.href, caller.cookies), 'failed');
        assert.deepEqual(oauth.tokenRequests, []);
        assert.equal(await statusOf(api, server), 'needs_sign_in');
      });

    it('a person who denies access, or lost the capability meanwhile, signs in at nothing', async () => {
      const { api, organizationId, caller, server } = await arrive();
      oauth.denies = true;
      const denied = await oauth.visit(await begun(caller, server));
      assert.equal(await comeBack(denied, caller.cookies), 'denied');
      oauth.denies = false;
      const person = await makePerson({ ...stack, organizationId });
      const leaver = await signInAs(stack, person);
      const back = await oauth.visit(await begun(leaver, server));
      const user = stack.db.knex('console_users').where({ email: person.email }).select('id');
      await stack.db.knex('console_members').whereIn('user_id', user).update({ role: 'a role that is gone' });
      assert.equal(await comeBack(back, leaver.cookies), 'not_allowed');
      assert.deepEqual(oauth.tokenRequests, []);
      assert.equal(await statusOf(api, server), 'needs_sign_in');
      assert.deepEqual(await stack.db.knex('mcp_sign_ins').where({ server_id: server.id }), []);
    });
  });

  it('no secret is in an answer, a log or a table, and a removed server leaves no row', async () => {
    const { api, caller, server, organizationId } = await signedIn();
    await expire(server);
    await runRefund(api, server);
    const url = new URL(await begun(caller, server));
    const secrets = [...oauth.secrets, url.searchParams.get('state') ?? ''];
    assert.ok(secrets.length >= 6 && secrets.every((one) => one.length >= 20));
    const answers = [
      await api.call('GET', '/tools/mcp'),
      await caller.call('GET', '/tools/mcp'),
      await readTools(api, server),
      await caller.call('GET', '/audit'),
    ];
    const { pool } = stack.db;
    const { rows: tables } = await pool.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    const dumped = await Promise.all(
      tables.map(async ({ name }) => JSON.stringify((await pool.query(`select * from ${name}`)).rows)),
    );
    const logs = [stack.logs.api, stack.logs.worker].map((file) => readFileSync(file, 'utf8'));
    const everywhere = [...answers.map((one) => JSON.stringify(one.body)), ...dumped, ...logs].join('\n');
    assert.ok(everywhere.includes(oauth.issuer), 'the issuer, which is no secret, is found');
    for (const secret of secrets) assert.ok(!everywhere.includes(secret), secret);
    assert.match(JSON.stringify(answers[3]?.body), /mcp_signed_in/);
    assert.equal(
      (await api.call('PUT', `/tools/mcp/${server.id}/tools`, { body: { tools: [] } })).status,
      200,
    );
    assert.equal((await api.call('DELETE', `/tools/mcp/${server.id}`)).status, 204);
    assert.deepEqual(await stack.db.knex('mcp_sign_ins').where({ organization_id: organizationId }), []);
  });
});
