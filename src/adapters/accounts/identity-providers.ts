/**
 * Client of the OpenID Connect providers that the operator configures. It uses the authorization code flow with PKCE,
 * state and nonce, and checks the signature and the claims of each ID token. Its requests follow no redirect, and their
 * time and the size of their responses are limited.
 */
import * as oidc from 'openid-client';
import type { IdentityProvider } from '../../contract/accounts/identity-providers.ts';
import type { Logger } from '../../log.ts';
import type { PublicHttp } from '../http/public-http.ts';

const requestMs = 10_000;
const maxAnswerBytes = 256 * 1024;
/** Milliseconds for which a provider's published configuration is cached. Chosen. */
const keepMs = 10 * 60_000;
/** Milliseconds for which a failure to read a provider's configuration is cached. Chosen. */
const failedMs = 3000;
const clockToleranceSeconds = 30;

/** The state of a sign-in, which the browser keeps while the user is at the provider. */
export interface PendingSignIn {
  provider: string;
  state: string;
  nonce: string;
  verifier: string;
}

/**
 * A person as the provider describes them. `isVerified` is true only if the provider states that it has verified the
 * email.
 */
export interface Identity {
  issuer: string;
  subject: string;
  email: string;
  isVerified: boolean;
  name: string | undefined;
}

export type Finished =
  | { outcome: 'identity'; identity: Identity }
  /**
   * The person or the provider declined, a response of the provider is not valid for this sign-in, or the provider gave
   * no email.
   */
  | { outcome: 'refused' }
  | { outcome: 'unreachable' };

interface Known {
  configuration: Promise<oidc.Configuration>;
  until: number;
}

export class IdentityProviders {
  readonly all: readonly IdentityProvider[];
  readonly #origin: string;
  readonly #http: (provider: IdentityProvider) => PublicHttp;
  readonly #log: Logger;
  readonly #known = new Map<string, Known>();

  /**
   * @param options.origin the console's origin, to which providers redirect
   * @param options.http returns the HTTP client for a provider; the client must allow the issuer's host, even at a
   * private address
   */
  constructor(options: {
    providers: readonly IdentityProvider[];
    origin: string;
    http: (provider: IdentityProvider) => PublicHttp;
    log: Logger;
  }) {
    this.all = options.providers;
    this.#origin = options.origin;
    this.#http = options.http;
    this.#log = options.log;
  }

  /** Returns the configured provider with this id; undefined if there is none. */
  find(id: string): IdentityProvider | undefined {
    return this.all.find((one) => one.id === id);
  }

  /**
   * Begins a sign-in.
   * @returns the URL of the provider's page, and the state that the browser must keep; undefined if the provider's
   * configuration cannot be read
   */
  async begin(provider: IdentityProvider): Promise<{ url: string; pending: PendingSignIn } | undefined> {
    const configuration = await this.#configurationOf(provider);
    if (configuration === undefined) return undefined;
    const pending = {
      provider: provider.id,
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
    };
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#redirectUri(provider),
      scope: 'openid email profile',
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, pending };
  }

  /**
   * Completes a sign-in: exchanges the code in the provider's redirect for the person's identity. The code works once.
   * @param parameters the query of the redirect
   * @returns `unreachable` if the provider's configuration cannot be read, the provider cannot be called, or its answer
   * is late, cut off or too large; see `Finished` for the other outcomes
   */
  async finish(provider: IdentityProvider, pending: PendingSignIn, parameters: string): Promise<Finished> {
    const configuration = await this.#configurationOf(provider);
    if (configuration === undefined) return { outcome: 'unreachable' };
    const url = new URL(this.#redirectUri(provider));
    url.search = parameters;
    try {
      const tokens = await oidc.authorizationCodeGrant(configuration, url, {
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        pkceCodeVerifier: pending.verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) return { outcome: 'refused' };
      const { sub: subject } = claims;
      // Many providers return the email only from the userinfo endpoint.
      const stated =
        claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
          ? await oidc.fetchUserInfo(configuration, tokens.access_token, subject)
          : claims;
      const { email, name } = stated;
      if (typeof email !== 'string') return { outcome: 'refused' };
      const identity = {
        issuer: provider.issuer,
        subject,
        email,
        isVerified: stated.email_verified === true,
        name: typeof name === 'string' ? name : undefined,
      };
      return { outcome: 'identity', identity };
    } catch (error) {
      const isUnreachable = causesOf(error).some((one) => one instanceof Unreachable);
      this.#logFailure(provider, error);
      return { outcome: isUnreachable ? 'unreachable' : 'refused' };
    }
  }

  /**
   * Returns the URI to which the provider redirects. Each provider has its own path, so that one provider's code is not
   * accepted as another's.
   */
  #redirectUri({ id }: IdentityProvider): string {
    return `${this.#origin}/sign-in/${id}`;
  }

  /** Logs only error codes, because messages may quote text from the provider or from an unauthenticated caller. */
  #logFailure({ id }: IdentityProvider, error: unknown): void {
    const codes = causesOf(error).flatMap((one) =>
      one instanceof Unreachable
        ? [one.message]
        : one instanceof Error && 'code' in one && typeof one.code === 'string'
          ? [one.code]
          : [],
    );
    this.#log.warn({ provider: id, codes }, 'a sign-in at an identity provider failed');
  }

  async #configurationOf(provider: IdentityProvider): Promise<oidc.Configuration | undefined> {
    let known = this.#known.get(provider.id);
    if (known === undefined || known.until <= Date.now()) {
      known = { configuration: this.#discover(provider), until: Date.now() + keepMs };
      this.#known.set(provider.id, known);
    }
    try {
      return await known.configuration;
    } catch (error) {
      if (known.until > Date.now() + failedMs) {
        known.until = Date.now() + failedMs;
        this.#logFailure(provider, error);
      }
      return undefined;
    }
  }

  async #discover(provider: IdentityProvider): Promise<oidc.Configuration> {
    const { issuer, client_id, client_secret } = provider;
    const fetch = this.#fetchFor(provider);
    // The settings accept an http: issuer only on this machine. The library marks this function as deprecated only to
    // draw attention to its use.
    // oxlint-disable-next-line typescript/no-deprecated -- see above
    const { allowInsecureRequests } = oidc;
    const insecure = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
    const found = await oidc.discovery(new URL(issuer), client_id, undefined, undefined, {
      [oidc.customFetch]: fetch,
      timeout: requestMs / 1000,
      execute: insecure,
    });
    const server = found.serverMetadata();
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_basic')
      ? oidc.ClientSecretBasic
      : oidc.ClientSecretPost;
    const configuration = new oidc.Configuration(
      server,
      client_id,
      { [oidc.clockTolerance]: clockToleranceSeconds },
      authenticate(client_secret),
    );
    configuration[oidc.customFetch] = fetch;
    configuration.timeout = requestMs / 1000;
    // oxlint-disable-next-line typescript/no-deprecated -- as above
    for (const allow of insecure) allow(configuration);
    // By default, the library does not check the signature of an ID token that comes directly from the provider.
    oidc.enableNonRepudiationChecks(configuration);
    return configuration;
  }

  /**
   * Creates the `fetch` of the OpenID library.
   * @throws Unreachable, from the `fetch`, if the provider does not answer, or its answer is cut or too large
   */
  #fetchFor(provider: IdentityProvider): oidc.CustomFetch {
    const http = this.#http(provider);
    return async (url, { method, headers, body, signal }) => {
      const sent = await http.request({
        url,
        method: method === 'POST' ? 'POST' : 'GET',
        headers,
        ...(body != null && { body: await new Response(body).text() }),
        maxBytes: maxAnswerBytes,
        timeoutMs: requestMs,
        ...(signal && { signal }),
      });
      if (sent.outcome !== 'answered') throw new Unreachable(sent.reason);
      if (!sent.bodyComplete) throw new Unreachable(sent.truncated ? 'answer_too_large' : 'answer_cut');
      const type = sent.headers['content-type'];
      const isBodiless = [204, 205, 304].includes(sent.status);
      return new Response(isBodiless ? null : new Uint8Array(sent.body), {
        status: sent.status >= 200 && sent.status <= 599 ? sent.status : 502,
        headers: { ...(type !== undefined && { 'content-type': type }) },
      });
    };
  }
}

/** Thrown if the provider cannot be called or does not answer in time, or its answer is cut off or too large. */
class Unreachable extends Error {}

function causesOf(error: unknown): unknown[] {
  return error instanceof Error && error.cause !== undefined ? [error, ...causesOf(error.cause)] : [error];
}
