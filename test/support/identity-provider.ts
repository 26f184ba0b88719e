/** A real OpenID Connect provider on this machine that signs in every visitor as `person`. */
import assert from 'node:assert/strict';
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type KeyObject,
} from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export type StatedPerson = {
  sub: string;
  email: string;
  email_verified: unknown;
  name?: string;
};

export type TestIdentityProvider = {
  issuer: string;
  /** For the setting OIDC_PROVIDERS. */
  setting: (more?: object) => object;
  /** The person who is signed in there. */
  person: StatedPerson;
  /** Changes an ID token before it is sent: its claims, its algorithm, or the key that signs it. */
  tamper:
    | ((claims: Record<string, unknown>) => { claims?: object; alg?: 'none' | 'HS256'; key?: KeyObject })
    | undefined;
  /** Answers instead of the provider. */
  instead: RequestListener | undefined;
  /** Registers the console of this origin. */
  register: (consoleOrigin: string) => void;
  /** Goes through the provider's pages as a browser would. @returns the query with which it sends the browser back */
  visit: (url: string) => Promise<string>;
  stop: () => Promise<void>;
};

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

/** @param options.emailAt where the email is stated: in the ID token, or at the userinfo endpoint only */
export async function startIdentityProvider(
  id: string,
  { emailAt = 'id_token' }: { emailAt?: 'id_token' | 'userinfo' } = {},
): Promise<TestIdentityProvider> {
  const key = newKey();
  const jwk = { ...key.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' };
  let handle: RequestListener | undefined;
  const server = createServer((request, response) => {
    const answer = made.instead ?? handle;
    if (answer === undefined) response.writeHead(503).end();
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { client_id: `parley-${id}`, client_secret: `secret-of-${id}-at-the-provider` };

  const register = (consoleOrigin: string) => {
    const provider = new Provider(issuer, {
      clients: [{ ...client, redirect_uris: [`${consoleOrigin}/sign-in/${id}`] }],
      jwks: { keys: [jwk] },
      cookies: { keys: ['a key of this test'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      conformIdTokenClaims: emailAt === 'userinfo',
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => true },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...made.person, sub }) }),
      // Nobody is asked for consent.
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({
          clientId: oidc.client!.clientId,
          accountId: oidc.session!.accountId!,
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    provider.use(async (ctx, next) => {
      if (ctx.path.startsWith('/interaction/')) {
        await provider.interactionFinished(ctx.req, ctx.res, { login: { accountId: made.person.sub } });
        ctx.respond = false;
        return;
      }
      await next();
      const body = ctx.body as { id_token?: string } | undefined;
      if (made.tamper !== undefined && body?.id_token !== undefined)
        ctx.body = { ...body, id_token: tampered(body.id_token, key, made.tamper) };
    });
    const callback = provider.callback();
    handle = (request, response) => void callback(request, response);
  };

  const visit = async (url: string) => {
    const jar = new Map<string, string>();
    let at = url;
    for (let hop = 0; hop < 10; hop += 1) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
      for (const one of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
        jar.set(name, value);
      }
      const location = answer.headers.get('location');
      assert.ok(location !== null, `${answer.status} at ${at}: ${await answer.text()}`);
      const next = new URL(location, at);
      if (next.origin !== issuer) return next.search.slice(1);
      at = next.href;
    }
    throw new Error('the provider does not send the browser back');
  };

  const made: TestIdentityProvider = {
    issuer,
    setting: (more = {}) => ({
      ...{ id, label: `Provider ${id}`, issuer, ...client, email_domains: ['example.com'] },
      ...more,
    }),
    person: { sub: 'nobody', email: 'nobody@example.com', email_verified: true },
    tamper: undefined,
    instead: undefined,
    register,
    visit,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return made;
}

function tampered(
  token: string,
  key: KeyObject,
  tamper: NonNullable<TestIdentityProvider['tamper']>,
): string {
  const [header = '', payload = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  const changed = tamper(claims);
  const next = Buffer.from(JSON.stringify({ ...claims, ...changed.claims })).toString('base64url');
  if (changed.alg !== undefined) {
    const signed = `${Buffer.from(JSON.stringify({ alg: changed.alg, kid: 'one' })).toString('base64url')}.${next}`;
    if (changed.alg === 'none') return `${signed}.`;
    // With the key that everybody knows.
    const known = createPublicKey(key).export({ format: 'pem', type: 'spki' });
    return `${signed}.${createHmac('sha256', known).update(signed).digest('base64url')}`;
  }
  const signature = sign(
    'sha256',
    Buffer.from(`${header}.${next}`),
    changed.key ?? createPrivateKey(key.export({ format: 'pem', type: 'pkcs8' })),
  );
  return `${header}.${next}.${signature.toString('base64url')}`;
}

/** A key that is not the provider's. */
export const foreignKey = newKey;
