/**
 * OAuth 2.1 client for MCP servers, with the functions of the official SDK: finds the authorization server of an MCP
 * server, registers Parley there, and exchanges codes and refresh tokens for tokens. Neither server is trusted. Every
 * request goes through the client for supplied URLs, with limits on bytes and time, and follows no redirect.
 */
import {
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  exchangeAuthorization,
  refreshAuthorization,
  registerClient,
  selectClientAuthMethod,
  startAuthorization,
} from '@modelcontextprotocol/sdk/client/auth.js';
import {
  OAuthError,
  TemporarilyUnavailableError,
  TooManyRequestsError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { checkResourceAllowed } from '@modelcontextprotocol/sdk/shared/auth-utils.js';
import type { AuthorizationServerMetadata } from '@modelcontextprotocol/sdk/shared/auth.js';
import { z } from 'zod';
import { authorizationProblem, isOwnMetadata } from '../../domain/mcp-servers/judge-authorization.ts';
import { withoutSecrets } from '../../domain/http-tools/read-answer.ts';
import { guardedFetch } from '../http/guarded-fetch.ts';
import type { PublicHttp } from '../http/public-http.ts';
import { faultOf, McpFault, usableResponse, type McpChallenge } from './mcp-session.ts';

/**
 * Maximum total milliseconds of the requests of one step: a discovery, registration, exchange, renewal or revocation.
 * Chosen.
 */
export const oauthStepMs = 10_000;
/** Maximum bytes of one response. Chosen: metadata of large providers has about 10 KiB. */
const maxResponseBytes = 256 * 1024;
/** Maximum characters of a scope that is requested. Chosen. */
const maxScopeChars = 2000;
/** Maximum characters of an authorization server's error that are kept. Chosen. */
const maxErrorChars = 300;
/**
 * Maximum seconds for which a token counts as valid. A server may send any number, and a very large one would give no
 * valid date. Chosen: a year.
 */
const maxLifetimeSeconds = 366 * 86_400;

const visible = (maxChars: number) =>
  z
    .string()
    .max(maxChars)
    .regex(/^[\x21-\x7e]+$/);
const tokenResponse = z.object({
  access_token: visible(8192),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.number().nonnegative().optional(),
  refresh_token: visible(8192).optional(),
});
const registration = z.object({
  client_id: visible(2000),
  client_secret: visible(4096).optional(),
  token_endpoint_auth_method: z.string().max(100).optional(),
});
/**
 * The metadata field in which an authorization server promises to name itself in each authorization response (RFC
 * 9207). The SDK does not validate this field.
 */
const issuerPromise = z.looseObject({
  authorization_response_iss_parameter_supported: z.boolean().optional().catch(undefined),
});

/**
 * Thrown if the authorization server answers with a permanent OAuth error, or if a server answers with JSON that lacks
 * what OAuth requires. The same request would fail again. Temporary errors, and responses that have no form of OAuth,
 * throw McpFault.
 */
export class OAuthRefusal extends Error {
  override readonly name = 'OAuthRefusal';
}

export interface OAuthParts {
  http: PublicHttp;
  organizationId: string;
}

/** An authorization server whose metadata was found and validated. */
export interface FoundAuthorization {
  metadata: AuthorizationServerMetadata;
  /** The resource for which tokens are requested; undefined if the MCP server publishes no metadata (RFC 9728). */
  resource: string | undefined;
  scope: string | undefined;
  /** True if the authorization response must contain the issuer. */
  namesIssuer: boolean;
}

export interface OAuthClient {
  id: string;
  secret: string | undefined;
  auth: 'client_secret_basic' | 'client_secret_post' | 'none';
}

/** The token endpoint of a sign-in, as it was pinned when the sign-in began. */
export interface TokenEndpoint {
  issuer: string;
  url: string;
  resource: string | undefined;
  client: OAuthClient;
}

export interface OAuthGrant {
  accessToken: string;
  /** Undefined if neither this response nor an earlier one contained a refresh token. */
  refreshToken: string | undefined;
  /** Undefined if the server's response contains no lifetime. */
  expiresAt: Date | undefined;
}

/** True if secrets may be sent to the address: it is https, or an exception of the operator may cover it. */
export const isSafeForSecrets = (http: PublicHttp, url: string): boolean =>
  url.startsWith('https:') || http.mayBeException(url);

/**
 * Finds the authorization server of an MCP server: by the server's metadata (RFC 9728), otherwise at the server's own
 * host. Sends no secret.
 * @param challenge the sign-in details in the MCP server's 401; undefined if the server sent no 401 that asks for a
 * bearer token
 * @throws McpFault if a server cannot be reached, or if its metadata must not be used; OAuthRefusal if its metadata
 * lacks required fields
 */
export async function discoverAuthorization(
  parts: OAuthParts,
  url: string,
  challenge: McpChallenge | undefined,
): Promise<FoundAuthorization> {
  const { http } = parts;
  return await step(parts, async (fetchFn, lastStatus) => {
    const { resourceMetadataUrl } = challenge ?? {};
    if (resourceMetadataUrl !== undefined && !isOwnMetadata(url, resourceMetadataUrl))
      throw refused('the server names metadata at another host');
    const about = await discoverOAuthProtectedResourceMetadata(
      url,
      resourceMetadataUrl && { resourceMetadataUrl },
      fetchFn,
    ).catch((error: unknown) => {
      // Any 4xx means that there is no metadata: some servers answer 404, others answer 401 to every request without a
      // token.
      const status = lastStatus();
      if (!(error instanceof McpFault) && status >= 400 && status < 500) return undefined;
      throw error;
    });
    if (
      about !== undefined &&
      !checkResourceAllowed({ requestedResource: url, configuredResource: about.resource })
    )
      throw refused('the server publishes metadata of another server');
    const issuer = about?.authorization_servers?.[0] ?? new URL('/', url).href;
    const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn });
    if (metadata === undefined) throw refused('its authorization server publishes no metadata');
    const namesIssuer = issuerPromise.parse(metadata).authorization_response_iss_parameter_supported === true;
    const problem = authorizationProblem(issuer, metadata, {
      namesItself: namesIssuer,
      isSafe: (one) => isSafeForSecrets(http, one),
    });
    if (problem !== undefined) throw refused(problem);
    if (!metadata.response_types_supported.includes('code'))
      throw refused('its authorization server does not support authorization codes');
    // The browser is sent to this page, so the page must not be in a private network that the operator does not allow.
    const page = await http.prepare(metadata.authorization_endpoint, parts.organizationId);
    if (page.kind === 'blocked')
      throw faultOf(
        { kind: 'blocked', reason: page.reason, url: metadata.authorization_endpoint },
        metadata.authorization_endpoint,
      );
    return {
      metadata,
      resource: about?.resource,
      namesIssuer,
      scope: scopeFor(challenge?.scope ?? about?.scopes_supported?.join(' '), metadata),
    };
  });
}

/**
 * @returns the scope to request; undefined if it is empty. Contains `offline_access` if the authorization server
 * supports that, because it may give refresh tokens only with this scope.
 * @throws McpFault if the scope is too long, or has characters other than printable ASCII
 */
function scopeFor(
  needed: string | undefined,
  { scopes_supported }: AuthorizationServerMetadata,
): string | undefined {
  const offline = 'offline_access';
  const scopes = new Set(needed?.split(' ').filter((one) => one !== ''));
  if (scopes_supported?.includes(offline) === true) scopes.add(offline);
  const scope = [...scopes].join(' ');
  if (scope.length > maxScopeChars || !/^[\x20-\x7e]*$/.test(scope))
    throw refused('the server asks for a scope that is too long or cannot be read');
  return scope === '' ? undefined : scope;
}

/**
 * Registers Parley as a client (RFC 7591). Not idempotent: each call registers another client.
 * @returns the client; undefined if the authorization server registers no clients
 * @throws McpFault if the authorization server cannot be reached, or answers with a temporary error, a redirect or a
 * response that cannot be read; OAuthRefusal if it refuses, or its response contains no usable client
 */
export async function registerParley(
  parts: OAuthParts,
  { metadata, scope }: FoundAuthorization,
  redirectUri: string,
): Promise<OAuthClient | undefined> {
  if (metadata.registration_endpoint === undefined) return undefined;
  const supported = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const preferred = ['client_secret_basic', 'client_secret_post'].find((one) => supported.includes(one));
  const made = await step(parts, async (fetchFn) =>
    registration.parse(
      await registerClient(metadata.issuer, {
        metadata,
        fetchFn,
        ...(scope !== undefined && { scope }),
        clientMetadata: {
          client_name: 'Parley',
          redirect_uris: [redirectUri],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: preferred ?? 'none',
        },
      }),
    ),
  );
  return clientFor(metadata, made);
}

/** Chooses the client authentication method for the token endpoint. @returns the client with this method */
export function clientFor(
  { token_endpoint_auth_methods_supported = [] }: AuthorizationServerMetadata,
  registered: z.infer<typeof registration>,
): OAuthClient {
  const { client_id: id, client_secret: secret, token_endpoint_auth_method: method } = registered;
  const information = {
    client_id: id,
    redirect_uris: [],
    ...(secret !== undefined && { client_secret: secret }),
    ...(method !== undefined && { token_endpoint_auth_method: method }),
  };
  return { id, secret, auth: selectClientAuthMethod(information, token_endpoint_auth_methods_supported) };
}

/** @returns the address of the page where a person allows access, and the PKCE verifier that the exchange needs */
export async function authorizationPage(
  { metadata, scope, resource }: FoundAuthorization,
  client: Pick<OAuthClient, 'id'>,
  { redirectUri, state }: { redirectUri: string; state: string },
): Promise<{ url: string; codeVerifier: string }> {
  const { authorizationUrl, codeVerifier } = await startAuthorization(metadata.issuer, {
    metadata,
    state,
    redirectUrl: redirectUri,
    clientInformation: { client_id: client.id },
    ...(scope !== undefined && { scope }),
    ...(resource !== undefined && { resource }),
  });
  return { url: authorizationUrl.href, codeVerifier };
}

/**
 * Exchanges an authorization code for tokens. The code can be exchanged once.
 * @throws McpFault if the authorization server cannot be reached, or answers with a temporary error, a redirect or a
 * response that cannot be read; OAuthRefusal if it refuses, or its response has no usable tokens
 */
export async function exchangeCode(
  parts: OAuthParts,
  endpoint: TokenEndpoint,
  given: { code: string; codeVerifier: string; redirectUri: string },
): Promise<OAuthGrant> {
  const secrets = [given.code, given.codeVerifier, ...secretsOf(endpoint.client)];
  return await granted(parts, secrets, async (fetchFn) => {
    const { code: authorizationCode, codeVerifier, redirectUri } = given;
    return await exchangeAuthorization(endpoint.issuer, {
      ...requestTo(endpoint),
      fetchFn,
      authorizationCode,
      codeVerifier,
      redirectUri,
    });
  });
}

/**
 * Exchanges a refresh token for new tokens. The refresh token may be used up even if the response is lost.
 * @throws McpFault if the authorization server cannot be reached, or answers with a temporary error, a redirect or a
 * response that cannot be read; OAuthRefusal if it refuses, or its response has no usable tokens
 */
export async function renewTokens(
  parts: OAuthParts,
  endpoint: TokenEndpoint,
  refreshToken: string,
): Promise<OAuthGrant> {
  return await granted(parts, [refreshToken, ...secretsOf(endpoint.client)], async (fetchFn) =>
    refreshAuthorization(endpoint.issuer, { ...requestTo(endpoint), fetchFn, refreshToken }),
  );
}

const revocation = z.object({ revocation_endpoint: z.url().max(2048).optional() });

/**
 * Asks the authorization server to revoke a token (RFC 7009). Sends the token only to a revocation endpoint in the
 * server's metadata that is safe for secrets, and is at the host of the issuer or of the pinned token endpoint.
 * Idempotent.
 * @param hint the kind of the token
 * @returns true if the server confirmed the revocation; false if its metadata names no such endpoint
 * @throws McpFault if the server cannot be reached, does not answer within `oauthStepMs`, refuses, or sends a response
 * that cannot be read; OAuthRefusal if its metadata lacks required fields or has invalid ones
 */
export async function revokeToken(
  parts: OAuthParts,
  { issuer, url, client }: TokenEndpoint,
  { token, hint }: { token: string; hint: 'access_token' | 'refresh_token' },
): Promise<boolean> {
  const secrets = [token, ...secretsOf(client)];
  return await step(
    parts,
    async (fetchFn) => {
      const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn });
      const to = revocation.parse(metadata ?? {}).revocation_endpoint;
      const hosts = [issuer, url].map((one) => new URL(one).host);
      if (to === undefined || !hosts.includes(new URL(to).host) || !isSafeForSecrets(parts.http, to))
        return false;
      const body = new URLSearchParams({ token, token_type_hint: hint });
      const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
      if (client.auth === 'client_secret_basic')
        headers['authorization'] = `Basic ${basicCredentials(client)}`;
      else {
        body.set('client_id', client.id);
        if (client.secret !== undefined && client.auth === 'client_secret_post')
          body.set('client_secret', client.secret);
      }
      const response = await fetchFn(to, { method: 'POST', body, headers });
      await response.body?.cancel();
      if (!response.ok) throw refused(`its authorization server answered ${response.status}`);
      return true;
    },
    secrets,
  );
}

/** @returns the client's secret, as plain text and as encoded in the Authorization header; `[]` for a public client */
function secretsOf(client: OAuthClient): string[] {
  return client.secret === undefined ? [] : [client.secret, basicCredentials(client)];
}

/**
 * @returns the credentials of HTTP Basic authentication. Not percent-encoded as RFC 6749, section 2.3.1 demands, because
 * the MCP SDK does not encode them when it requests tokens
 */
function basicCredentials({ id, secret = '' }: OAuthClient): string {
  return Buffer.from(`${id}:${secret}`).toString('base64');
}

/** @returns options that limit the SDK to the pinned token endpoint, so that it sends secrets to no other address */
function requestTo({ issuer, url, resource, client }: TokenEndpoint) {
  const { id, secret, auth } = client;
  return {
    metadata: {
      issuer,
      authorization_endpoint: url,
      token_endpoint: url,
      response_types_supported: ['code'],
      token_endpoint_auth_methods_supported: [auth],
    },
    clientInformation: { client_id: id, ...(secret !== undefined && { client_secret: secret }) },
    ...(resource !== undefined && { resource }),
  };
}

/**
 * Requests tokens, and parses the answer.
 * @param secrets the secrets that the request contains; they are removed from error messages, because the server may
 * quote the request in its error
 * @throws OAuthRefusal if the answer has no usable bearer token; the errors of `step`
 */
async function granted(
  parts: OAuthParts,
  secrets: readonly string[],
  request: (fetchFn: typeof fetch) => Promise<unknown>,
): Promise<OAuthGrant> {
  const began = Date.now();
  const parsed = tokenResponse.safeParse(await step(parts, request, secrets));
  if (!parsed.success) throw new OAuthRefusal('it gave no bearer token that can be used');
  const { access_token, refresh_token, expires_in } = parsed.data;
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    expiresAt:
      expires_in === undefined
        ? undefined
        : new Date(began + Math.min(expires_in, maxLifetimeSeconds) * 1000),
  };
}

const refused = (message: string) => new McpFault(message, { answered: true, mayPass: false });

/**
 * Runs one step, whose requests share the time limit.
 * @param work its `lastStatus` returns the status of the last response, or 0 before the first response
 * @param secrets texts to remove from error messages
 * @throws McpFault; OAuthRefusal if a server answers with a permanent OAuth error, or with JSON that lacks required
 * fields
 */
async function step<T>(
  { http, organizationId }: OAuthParts,
  work: (fetchFn: typeof fetch, lastStatus: () => number) => Promise<T>,
  secrets: readonly string[] = [],
): Promise<T> {
  const until = performance.now() + oauthStepMs;
  let fault: McpFault | undefined;
  let status = 0;
  const send = guardedFetch({
    http,
    organizationId,
    maxBytes: maxResponseBytes,
    errorOf: (problem) => faultOf(problem, problem.kind === 'blocked' ? problem.url : ''),
    timeoutMs: () => Math.max(1, until - performance.now()),
  });
  const fetchFn: typeof fetch = async (to, init) => {
    try {
      const response = await send(to, init);
      status = response.status;
      return await usableResponse(response);
    } catch (error) {
      if (error instanceof McpFault) fault = error;
      throw error;
    }
  };
  try {
    return await work(fetchFn, () => status);
  } catch (error) {
    throw fault ?? problemOf(error, { status, secrets, isLate: performance.now() >= until });
  }
}

function problemOf(
  error: unknown,
  { status, secrets, isLate }: { status: number; secrets: readonly string[]; isLate: boolean },
): Error {
  if (error instanceof McpFault) return error;
  if (error instanceof OAuthError) {
    const text = withoutSecrets(error.message, secrets).slice(0, maxErrorChars);
    const answer = `its authorization server answered ${status}${text === '' ? '' : `: ${text}`}`;
    // The SDK begins the message with HTTP if the response is not an OAuth error: for example, a proxy's page.
    const isPassing =
      status >= 500 ||
      /^HTTP \d/.test(error.message) ||
      error instanceof TemporarilyUnavailableError ||
      error instanceof TooManyRequestsError;
    // The SDK's error contains the server's text. If that text contains a secret, the error must not become the cause.
    const cause = withoutSecrets(error.message, secrets) === error.message ? error : undefined;
    return isPassing ? new McpFault(answer, { answered: true, cause }) : new OAuthRefusal(answer, { cause });
  }
  if (isLate) return new McpFault('its authorization server did not answer in time', { cause: error });
  // The JSON lacks required fields, such as the tokens: some servers answer 200 with an error in the body.
  const isOther = error instanceof Error && ['ZodError', '$ZodError'].includes(error.name);
  const message = 'its authorization server sent a response that is not one of OAuth';
  return isOther
    ? new OAuthRefusal(message, { cause: error })
    : new McpFault(`${message}, is too large, or broke off`, { cause: error });
}
