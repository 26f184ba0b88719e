/** An MCP server that demands OAuth 2.1, and its authorization server: a real one by oidc-provider, on loopback. */
import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { startMcpToolServer, type McpToolServer } from './mcp-tool-server.ts';

export interface McpOAuthServer {
  shop: McpToolServer;
  issuer: string;
  /** How often each refresh token was used. */
  uses: Map<string, number>;
  /** Every token and client secret that it gave out. */
  secrets: Set<string>;
  /** Form fields of each request to the token endpoint. */
  tokenRequests: Record<string, string>[];
  /** How many accesses were revoked. */
  revocations: () => number;
  /** How many clients have registered themselves. */
  registrations: () => number;
  /** Lifetime of an access token in seconds, as the authorization server says. The MCP server accepts it for an hour. */
  lifetime: number;
  /** True if a renewal gives a new refresh token, and ends the old one. */
  rotates: boolean;
  /** True if the person denies access. */
  denies: boolean;
  /** True if no refresh tokens are given. */
  givesNoRefresh: boolean;
  /** Awaited before the response of a token request leaves, once its work is done. */
  beforeTokens: (grantType: string) => Promise<void> | void;
  /** Answers instead of the authorization server. */
  instead: ((...of: Parameters<RequestListener>) => boolean) | undefined;
  /** Makes the access tokens that were given out invalid at the MCP server. */
  forgetAccess: () => void;
  /** Makes every refresh token invalid. */
  forgetRefresh: () => void;
  /** Registers `typedClient`, as a person would by hand. */
  allowTyped: (redirectUri: string) => void;
  /** Goes through the authorization server's pages as a browser would. @returns where it sends the browser back */
  visit: (url: string) => Promise<string>;
  close: () => Promise<void>;
}

/** For as long as no test takes. */
const acceptedMs = 3_600_000;

/** A client for people who register one by hand. */
export const typedClient = { client_id: 'parley-by-hand', client_secret: 'secret-of-the-typed-client' };

/** @param options.registers false if clients cannot register themselves */
export async function startMcpOAuthServer({ registers = true } = {}): Promise<McpOAuthServer> {
  const shop = await startMcpToolServer();
  let handle: RequestListener | undefined;
  const http = createServer((request, response) => {
    if (made.instead?.(request, response) === true) return;
    handle?.(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const access = new Map<string, number>();
  let clients = 0;
  let revoked = 0;

  shop.before = ({ url = '', headers }, response) => {
    if (url === '/.well-known/oauth-protected-resource/mcp') {
      const about = { resource: shop.url, authorization_servers: [issuer], scopes_supported: ['tools'] };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(about));
      return true;
    }
    const token = headers.authorization?.replace(/^Bearer /, '') ?? '';
    if ((access.get(token) ?? 0) > Date.now()) return false;
    const metadata = new URL('/.well-known/oauth-protected-resource/mcp', shop.url).href;
    response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end();
    return true;
  };

  const known: object[] = [];
  const newProvider = () => {
    const provider = new Provider(issuer, {
      clients: known as [],
      cookies: { keys: ['a key of this test'] },
      scopes: ['offline_access', 'tools'],
      responseTypes: ['code'],
      pkce: { required: () => true },
      features: {
        devInteractions: { enabled: false },
        revocation: { enabled: true },
        registration: { enabled: registers },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_, resource) => {
            assert.equal(resource, shop.url);
            return {
              ...{ scope: 'tools', audience: resource },
              ...{ accessTokenFormat: 'opaque' as const, accessTokenTTL: made.lifetime },
            };
          },
          useGrantedResource: () => true,
        },
      },
      issueRefreshToken: () => !made.givesNoRefresh,
      rotateRefreshToken: () => made.rotates,
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    });
    provider.on('grant.revoked', () => {
      revoked += 1;
    });
    provider.use(async (ctx, next) => {
      if (ctx.path.startsWith('/interaction/')) {
        const { prompt, params } = await provider.interactionDetails(ctx.req, ctx.res);
        const answer = async () => {
          if (made.denies) return { error: 'access_denied' };
          if (prompt.name === 'login') return { login: { accountId: 'ana' } };
          const grant = new provider.Grant({ accountId: 'ana', clientId: String(params['client_id']) });
          grant.addOIDCScope('offline_access tools');
          grant.addResourceScope(shop.url, 'tools');
          return { consent: { grantId: await grant.save() } };
        };
        await provider.interactionFinished(ctx.req, ctx.res, await answer());
        ctx.respond = false;
        return;
      }
      await next();
      const body = ctx.body as Record<string, unknown> | undefined;
      if (ctx.path === '/reg' && ctx.status === 201) {
        clients += 1;
        if (typeof body?.['client_secret'] === 'string') made.secrets.add(body['client_secret']);
      }
      if (ctx.path !== '/token') return;
      const { params: asked } = ctx['oidc'] as { params: Record<string, string> };
      made.tokenRequests.push({ ...asked });
      const { grant_type = '', refresh_token: used } = asked;
      if (used !== undefined) made.uses.set(used, (made.uses.get(used) ?? 0) + 1);
      const { access_token: token, refresh_token: refresh } = body ?? {};
      if (typeof token === 'string') access.set(token, Date.now() + acceptedMs);
      for (const secret of [token, refresh]) if (typeof secret === 'string') made.secrets.add(secret);
      await made.beforeTokens(grant_type);
    });
    const callback = provider.callback();
    return (...of: Parameters<RequestListener>) => void callback(...of);
  };

  const visit = async (url: string) => {
    const jar = new Map<string, string>();
    let at = url;
    for (let hop = 0; hop < 12; hop += 1) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
      for (const one of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
        jar.set(name, value);
      }
      const location = answer.headers.get('location');
      assert.ok(location !== null, `${answer.status} at ${at}: ${await answer.text()}`);
      const next = new URL(location, at);
      if (next.origin !== issuer) return next.href;
      at = next.href;
    }
    throw new Error('the authorization server does not send the browser back');
  };

  const made: McpOAuthServer = {
    ...{ shop, issuer, visit },
    uses: new Map(),
    secrets: new Set(),
    tokenRequests: [],
    revocations: () => revoked,
    registrations: () => clients,
    lifetime: 3600,
    rotates: true,
    denies: false,
    givesNoRefresh: false,
    beforeTokens: () => undefined,
    instead: undefined,
    forgetAccess: () => {
      access.clear();
    },
    forgetRefresh: () => {
      handle = newProvider();
    },
    allowTyped: (redirectUri) => {
      known.push({
        ...typedClient,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
      });
      handle = newProvider();
    },
    close: async () => {
      http.closeAllConnections();
      await Promise.all([new Promise((resolve) => http.close(resolve)), shop.close()]);
    },
  };
  handle = newProvider();
  return made;
}
