/**
 * MCP servers and authorization servers that lie, are slow, huge or redirect: nothing secret leaves, and the reason is
 * given.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiClient } from '../../support/api-client.ts';
import { signIn, type ConsoleCaller } from '../../support/console-person.ts';
import { addServer, begin, begun, comeBack } from '../../support/mcp-sign-in.ts';
import { startStack, type Stack } from '../../support/stack.ts';

interface Hostile {
  origin: string;
  /** Responses by path: JSON, or a function that answers. */
  paths: Record<string, object | ((request: IncomingMessage, response: ServerResponse) => void)>;
  /** Paths of the requests that arrived, and what they carried. */
  requests: { path: string; authorization: string | undefined; body: string }[];
}

describe('Hostile authorization of MCP servers', () => {
  let stack: Stack;
  let api: ApiClient;
  let caller: ConsoleCaller;
  const servers: Server[] = [];
  let names = 0;
  before(async () => {
    stack = await startStack({
      workers: 0,
      env: { ENCRYPTION_KEY: randomBytes(32).toString('base64'), TOOL_ALLOW: '127.0.0.1' },
    });
    caller = await signIn(stack);
  });
  after(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await stack.stop();
  });
  beforeEach(async () => {
    const stranger = await stack.stranger();
    api = stranger.api;
    caller = await signIn({ ...stack, organizationId: stranger.organizationId });
  });

  async function serving(): Promise<Hostile> {
    const found: Hostile = { origin: '', paths: {}, requests: [] };
    const server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const [path = ''] = (request.url ?? '').split('?');
        const { authorization } = request.headers;
        found.requests.push({ path, authorization, body: Buffer.concat(pieces).toString() });
        const answer = found.paths[path];
        if (typeof answer === 'function') answer(request, response);
        else if (answer === undefined) response.writeHead(path === '/mcp' ? 401 : 404).end();
        else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      });
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    found.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return found;
  }

  const about = '/.well-known/oauth-protected-resource/mcp';
  const metadataPath = '/.well-known/oauth-authorization-server';
  const metadataOf = (origin: string) => ({
    ...{ issuer: origin, authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token` },
    ...{ registration_endpoint: `${origin}/register`, response_types_supported: ['code'] },
    code_challenge_methods_supported: ['S256'],
  });
  /** An MCP server and its authorization server that work, up to the exchange of the code. */
  async function working() {
    const mcp = await serving();
    const auth = await serving();
    mcp.paths[about] = { resource: `${mcp.origin}/mcp`, authorization_servers: [auth.origin] };
    auth.paths[metadataPath] = metadataOf(auth.origin);
    auth.paths['/register'] = { client_id: 'a-client', redirect_uris: ['https://parley.example/'] };
    names += 1;
    return { mcp, auth, server: await addServer(api, `${mcp.origin}/mcp`, { name: `s${names}` }) };
  }
  const refused = async (server: { id: string }, why: RegExp, body: object = {}) => {
    const { status, body: said } = await begin(caller, server, body);
    assert.equal(status, 502, JSON.stringify(said));
    assert.match((said as { error: string }).error, /^The sign-in could not begin: /);
    assert.match((said as { error: string }).error, why);
    assert.deepEqual(await stack.db.knex('mcp_sign_ins').where({ server_id: server.id }), []);
  };

  it('the unchanged servers work, so that the changes below cause the failures', async () => {
    const { server, auth } = await working();
    const url = new URL(await begun(caller, server));
    assert.equal(`${url.origin}${url.pathname}`, `${auth.origin}/authorize`);
  });

  for (const [what, change, why] of [
    [
      'metadata of another MCP server',
      ({ mcp }) => (mcp.paths[about] = { resource: 'https://bank.example/mcp' }),
      /metadata of another server/,
    ],
    [
      'metadata at another host',
      ({ mcp, auth }) => {
        const header = `Bearer resource_metadata="${auth.origin}${about}"`;
        mcp.paths['/mcp'] = (_, response) => response.writeHead(401, { 'www-authenticate': header }).end();
      },
      /names metadata at another host/,
    ],
    [
      'an authorization server in a private network',
      ({ mcp }) => {
        const authorization_servers = ['https://10.0.0.1'];
        mcp.paths[about] = { resource: `${mcp.origin}/mcp`, authorization_servers };
      },
      /10\.0\.0\.1 is a private address/,
    ],
    [
      'a metadata service',
      ({ mcp }) => {
        const authorization_servers = ['http://169.254.169.254/latest'];
        mcp.paths[about] = { resource: `${mcp.origin}/mcp`, authorization_servers };
      },
      /169\.254\.169\.254 is a private address/,
    ],
    [
      'metadata in the name of another issuer',
      ({ auth }) =>
        (auth.paths[metadataPath] = { ...metadataOf(auth.origin), issuer: 'https://honest.example' }),
      /metadata of another issuer/,
    ],
    [
      'the pages of one server with the tokens of another',
      ({ auth }) =>
        (auth.paths[metadataPath] = {
          ...metadataOf(auth.origin),
          authorization_endpoint: 'https://honest.example/authorize',
        }),
      /at different hosts/,
    ],
    [
      'a token endpoint without TLS at a public host',
      ({ auth }) =>
        (auth.paths[metadataPath] = {
          ...metadataOf(auth.origin),
          token_endpoint: 'http://tokens.example.com/',
        }),
      /is not https/,
    ],
    [
      'a page in a private network',
      ({ auth }) =>
        (auth.paths[metadataPath] = {
          ...metadataOf(auth.origin),
          authorization_response_iss_parameter_supported: true,
          authorization_endpoint: 'https://192.168.1.1/authorize',
        }),
      /192\.168\.1\.1 is a private address/,
    ],
    [
      'a page that is a script',
      ({ auth }) =>
        (auth.paths[metadataPath] = {
          ...metadataOf(auth.origin),
          authorization_endpoint: 'javascript:alert(1)',
        }),
      /is not one of OAuth/,
    ],
    [
      'no PKCE',
      ({ auth }) =>
        (auth.paths[metadataPath] = {
          ...metadataOf(auth.origin),
          code_challenge_methods_supported: ['plain'],
        }),
      /does not support PKCE/,
    ],
    [
      'no metadata',
      ({ auth }) => (auth.paths[metadataPath] = (_, response) => response.writeHead(404).end()),
      /publishes no metadata/,
    ],
    [
      'a registration in a private network',
      ({ auth }) =>
        (auth.paths[metadataPath] = {
          ...metadataOf(auth.origin),
          registration_endpoint: 'https://10.0.0.1/register',
        }),
      /10\.0\.0\.1 is a private address/,
    ],
    [
      'a refused registration',
      ({ auth }) => {
        auth.paths['/register'] = (_, response) =>
          response.writeHead(400).end('{"error":"invalid_redirect_uri","error_description":"not yours"}');
      },
      /answered 400: not yours/,
    ],
    [
      'a client with a line break',
      ({ auth }) => (auth.paths['/register'] = { client_id: 'a\r\nb: c', redirect_uris: [] }),
      /is not one of OAuth/,
    ],
    [
      'a scope that is too long',
      ({ mcp }) => {
        const about_ = mcp.paths[about] as object;
        mcp.paths[about] = { ...about_, scopes_supported: Array.from({ length: 5000 }, (_, n) => `s${n}`) };
      },
      /a scope that is too long/,
    ],
  ] satisfies [string, (of: { mcp: Hostile; auth: Hostile }) => unknown, RegExp][])
    it(`${what}: refused with the reason`, async () => {
      const found = await working();
      change(found);
      await refused(found.server, why);
    });

  it('a server without TLS at a public host gets no token', async () => {
    const { status, body } = await begin(caller, await addServer(api, 'http://mcp.example.com/mcp'));
    assert.equal(status, 409, JSON.stringify(body));
    assert.match(JSON.stringify(body), /is not https/);
  });

  for (const [place, path] of [
    ['the metadata of the MCP server', about],
    ['the metadata of the authorization server', metadataPath],
    ['the registration', '/register'],
  ] as const) {
    const owner = (found: { mcp: Hostile; auth: Hostile }) => (path === about ? found.mcp : found.auth);
    it(`${place} redirects: no redirect is followed, also not within the host`, async () => {
      const found = await working();
      const inside = await serving();
      for (const location of [`${inside.origin}/`, '/elsewhere']) {
        owner(found).paths[path] = (_, response) => response.writeHead(307, { location }).end();
        await refused(found.server, /a redirect, which Parley does not follow/);
      }
      assert.deepEqual(inside.requests, []);
      assert.ok(owner(found).requests.every(({ path: asked }) => asked !== '/elsewhere'));
    });

    it(`${place} is huge, compressed, cut off, slow or no JSON: refused in bounded time`, async () => {
      const found = await working();
      const { paths } = owner(found);
      const json = { 'content-type': 'application/json' };
      paths[path] = (_, response) => response.writeHead(200, json).end(`"${'x'.repeat(2e6)}"`);
      await refused(found.server, /too large/);
      paths[path] = (_, response) =>
        response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end('x');
      await refused(found.server, /compressed/);
      paths[path] = (_, response) => {
        response.writeHead(200, { ...json, 'content-length': '1000' }).write('{');
        setImmediate(() => response.destroy());
      };
      await refused(found.server, /broke off|connection was lost/);
      paths[path] = (_, response) => response.writeHead(200, json).end('{"a":');
      await refused(found.server, /is not one of OAuth/);
      const began = Date.now();
      paths[path] = (_, response) => {
        response.writeHead(200, json);
        const timer = setInterval(() => response.write(' '), 100);
        response.on('close', () => {
          clearInterval(timer);
        });
      };
      await refused(found.server, /in time|broke off/);
      assert.ok(Date.now() - began < 25_000);
    });
  }

  it('the token endpoint redirects, lies, or gives tokens that would break a header: nothing is stored, nothing follows', async () => {
    const { mcp, auth, server } = await working();
    const inside = await serving();
    const answers: [string, (response: ServerResponse) => void][] = [
      ['a redirect', (response) => response.writeHead(307, { location: inside.origin }).end()],
      ['no tokens', (response) => response.writeHead(200).end('{}')],
      ['another type', (response) => response.writeHead(200).end('{"access_token":"a","token_type":"mac"}')],
      [
        'a line break',
        (response) => response.writeHead(200).end('{"access_token":"a\\r\\nb: c","token_type":"Bearer"}'),
      ],
      [
        'too long',
        (response) =>
          response.writeHead(200).end(`{"access_token":"${'a'.repeat(9000)}","token_type":"Bearer"}`),
      ],
      ['refused', (response) => response.writeHead(400).end('{"error":"invalid_grant"}')],
    ];
    for (const [what, answer] of answers) {
      auth.paths['/token'] = (_, response) => {
        answer(response);
      };
      const state = new URL(await begun(caller, server)).searchParams.get('state') ?? '';
      const back = `${stack.apiUrl}/tools/mcp/${server.id}/callback?code=the-code&state=${state}`;
      assert.equal(await comeBack(back, caller.cookies), 'failed', what);
      assert.deepEqual(await stack.db.knex('mcp_sign_ins').where({ server_id: server.id }), [], what);
    }
    assert.deepEqual(inside.requests, []);
    assert.equal(auth.requests.filter(({ path }) => path === '/token').length, answers.length);
    assert.ok(mcp.requests.every(({ body }) => !body.includes('the-code')));
  });

  it('an MCP server that names another authorization server later gets nothing of a typed client’s secret', async () => {
    const { mcp, auth, server } = await working();
    const thief = await serving();
    const secret = 'secret-of-a-typed-client';
    const typed = { client_id: 'mine', client_secret: secret, issuer: auth.origin };
    await begun(caller, server, typed);
    thief.paths[metadataPath] = metadataOf(thief.origin);
    mcp.paths[about] = { resource: `${mcp.origin}/mcp`, authorization_servers: [thief.origin] };
    const { status, body } = await begin(caller, server, typed);
    assert.equal(status, 422, JSON.stringify(body));
    assert.match(JSON.stringify(body), /is not the one that the server names/);
    assert.ok(!JSON.stringify([...thief.requests, ...mcp.requests]).includes(secret));
  });

  it('one organization’s hanging servers hold two sign-ins, and no other organization waits', async () => {
    const { mcp, server } = await working();
    mcp.paths[about] = () => undefined;
    const hanging = [begin(caller, server), begin(caller, server), begin(caller, server)];
    const first = await Promise.race(hanging);
    assert.equal(first.status, 503);
    const neighbour = await stack.stranger();
    api = neighbour.api;
    caller = await signIn({ ...stack, organizationId: neighbour.organizationId });
    const own = await working();
    let ended = 0;
    const over = hanging.map((one) =>
      one.finally(() => {
        ended += 1;
      }),
    );
    await begun(caller, own.server);
    assert.equal(ended, 1, 'the refused one; the neighbour waited for none of the others');
    await Promise.all(over);
  });
});
