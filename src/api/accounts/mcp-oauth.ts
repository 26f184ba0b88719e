/**
 * OAuth 2.1 server for MCP clients that know only the URL of /v1/mcp: discovery, registration, codes, tokens and
 * revocation. The SDK's handlers parse the requests and check the protocol, including PKCE. This module stores clients,
 * codes and grants.
 */
import { randomBytes } from 'node:crypto';
import { authorizationHandler } from '@modelcontextprotocol/sdk/server/auth/handlers/authorize.js';
import { metadataHandler } from '@modelcontextprotocol/sdk/server/auth/handlers/metadata.js';
import { clientRegistrationHandler } from '@modelcontextprotocol/sdk/server/auth/handlers/register.js';
import { revocationHandler } from '@modelcontextprotocol/sdk/server/auth/handlers/revoke.js';
import { tokenHandler } from '@modelcontextprotocol/sdk/server/auth/handlers/token.js';
import {
  InvalidClientMetadataError,
  InvalidGrantError,
  InvalidRequestError,
  InvalidTargetError,
  InvalidTokenError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { OAuthServerProvider } from '@modelcontextprotocol/sdk/server/auth/provider.js';
import type { OAuthClientInformationFull } from '@modelcontextprotocol/sdk/shared/auth.js';
import express, { type RequestHandler } from 'express';
import { z } from 'zod';
import type { Database } from '../../adapters/postgres/database.ts';
import {
  accessSeconds,
  endMcpGrant,
  findMcpClient,
  findMcpCode,
  refreshMcpGrant,
  registerMcpClient,
  revokeMcpToken,
  useMcpCode,
  type McpClient,
} from '../../adapters/postgres/accounts/mcp-grants.ts';
import { hashToken } from '../../adapters/postgres/accounts/tokens.ts';
import { PublicError } from '../../contract/errors.ts';
import { s256Challenge } from '../../contract/accounts/mcp-clients.ts';
import { addressGroup } from './address-group.ts';
import { mcpPrefix, mcpUrls, type McpUrls } from './mcp-urls.ts';
import { RateLimiter } from '../../adapters/postgres/rate-limiter.ts';
import { readBody, receiveBody } from '../read-body.ts';

/** Limits of an unauthenticated body, and of the fields of a registration (lengths in characters). Chosen. */
const maxBodyBytes = 16 * 1024;
const maxRedirectUris = 10;
const maxUriLength = 500;
const maxNameLength = 100;
/** Maximum registrations per address and hour, because a registration creates a row without authentication. Chosen. */
const registrations = { maxCalls: 100, windowSeconds: 3600 };

/** Generates a code or token. @returns the secret for the client, and the hash to store */
export function newSecret(prefix = ''): { secret: string; hash: Buffer } {
  const secret = `${prefix}${randomBytes(32).toString('base64url')}`;
  return { secret, hash: hashToken(secret) };
}

/**
 * Creates the routes for discovery, registration, authorization, tokens and revocation.
 * @param publicUrl public origin of the API, which becomes the issuer
 */
export function mcpOAuth(db: Database, publicUrl: string): express.Router {
  const urls = mcpUrls(publicUrl);
  const provider = createProvider(db, urls);
  const { clientsStore } = provider;
  const rateLimit = false;
  const router = express.Router({ caseSensitive: true });
  const resource = metadataHandler(resourceMetadata(urls));
  router.use('/.well-known/oauth-protected-resource/v1/mcp', resource);
  router.use('/.well-known/oauth-protected-resource', resource);
  router.use('/.well-known/oauth-authorization-server', metadataHandler(serverMetadata(urls)));
  router.use('/oauth', (_, response, next) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'no-referrer');
    next();
  });
  router.use(
    '/oauth/register',
    limitByAddress(new RateLimiter(db, 'oauth-register', registrations)),
    json,
    clientRegistrationHandler({ clientsStore, rateLimit, clientIdGeneration: false }),
  );
  router.use('/oauth/authorize', onlyGet, authorizationHandler({ provider, rateLimit }));
  router.use('/oauth/token', form, tokenHandler({ provider, rateLimit }));
  router.use('/oauth/revoke', form, revocationHandler({ provider, rateLimit }));
  return router;
}

function resourceMetadata({ issuer, resource }: McpUrls) {
  return {
    resource,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    resource_name: 'Parley: actions in document workspaces',
  };
}

function serverMetadata({ issuer }: McpUrls) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
  };
}

function limitByAddress(rate: RateLimiter): RequestHandler {
  return async (request, _, next) => {
    await rate.demand(addressGroup(request.ip));
    next();
  };
}

/** Passes on GET requests. @throws PublicError method_not_allowed for any other method */
const onlyGet: RequestHandler = (request, response, next) => {
  if (request.method === 'GET') {
    next();
    return;
  }
  response.setHeader('Allow', 'GET');
  throw new PublicError('method_not_allowed');
};

/**
 * Parses a JSON body of at most `maxBodyBytes`. The SDK's own parsers skip a body that is already parsed.
 * @throws the errors of `receiveBody` and `readBody`
 */
const json: RequestHandler = async (request, _, next) => {
  if (request.method === 'POST') {
    await receiveBody(request, undefined, maxBodyBytes);
    request.body = readBody(request, { maxBodyBytes }).value;
  }
  next();
};

/**
 * Parses a form of at most `maxBodyBytes`.
 * @throws PublicError unsupported_media_type for another type; the errors of `receiveBody`
 */
const form: RequestHandler = async (request, _, next) => {
  if (request.method === 'POST') {
    await receiveBody(request, undefined, maxBodyBytes);
    if (request.is('application/x-www-form-urlencoded') === false)
      throw new PublicError('unsupported_media_type');
    request.body = Object.fromEntries(new URLSearchParams(String(request.body)));
  }
  next();
};

const uuid = z.uuid();

function createProvider(db: Database, urls: McpUrls): OAuthServerProvider {
  return {
    clientsStore: {
      getClient: async (id) => {
        if (!uuid.safeParse(id).success) return undefined;
        const client = await findMcpClient(db, id);
        return client && registered(client);
      },
      registerClient: async ({ redirect_uris, client_name }: Partial<OAuthClientInformationFull>) => {
        const redirectUris = redirect_uris ?? [];
        const problem = redirectProblem(redirectUris);
        if (problem !== undefined) throw new InvalidClientMetadataError(problem);
        const name = nameOf(client_name);
        // Ignores the requested authentication method: clients have no secret, and PKCE protects their codes.
        return registered(await registerMcpClient(db, { name, redirectUris }));
      },
    },

    /**
     * Redirects the browser to the console, which asks a signed-in member for consent and then redirects to the client.
     * Stores nothing: `answerMcpClient` stores the grant if the member consents.
     * @throws InvalidTargetError if the client requests another resource; InvalidRequestError if the code challenge is
     * not an S256 challenge of PKCE
     */
    authorize: async (client, params, response) => {
      demandResource(params.resource);
      if (!s256Challenge.test(params.codeChallenge))
        throw new InvalidRequestError('The code_challenge must be the S256 challenge of PKCE.');
      const question = new URL(`${urls.issuer}/connect-mcp`);
      const { state, codeChallenge, redirectUri } = params;
      const asked = {
        client_id: client.client_id,
        redirect_uri: redirectUri,
        code_challenge: codeChallenge,
        state,
      };
      for (const [name, value] of Object.entries(asked))
        if (value !== undefined) question.searchParams.set(name, value);
      await Promise.resolve();
      response.redirect(302, question.href);
    },

    /**
     * Returns the PKCE challenge of a code.
     * @throws InvalidGrantError if the code is unknown, expired or used; a used code also ends its grant
     */
    challengeForAuthorizationCode: async ({ client_id }, code) => {
      const found = await findMcpCode(db, client_id, hashToken(code));
      if (found === undefined) throw new InvalidGrantError(unusableCode);
      if (found.used) {
        // A code that is used twice may be stolen, so its grant is deleted.
        await endMcpGrant(db, found.id);
        throw new InvalidGrantError(unusableCode);
      }
      return found.code_challenge;
    },

    /**
     * Exchanges a code for tokens, once.
     * @throws InvalidGrantError if the code is unknown, expired, used, or of another redirect_uri; InvalidTargetError
     * for another resource
     */
    exchangeAuthorizationCode: async ({ client_id: clientId }, code, _verifier, redirectUri, resource) => {
      demandResource(resource);
      const { hashes, tokens } = newTokens();
      const used = await useMcpCode(db, { clientId, codeHash: hashToken(code), redirectUri }, hashes);
      if (!used) throw new InvalidGrantError(unusableCode);
      return tokens;
    },

    /**
     * Exchanges a refresh token for new tokens, once.
     * @throws InvalidGrantError if the token is unknown, expired or used; InvalidTargetError for another resource
     */
    exchangeRefreshToken: async ({ client_id: clientId }, refreshToken, _scopes, resource) => {
      demandResource(resource);
      const { hashes, tokens } = newTokens();
      const refreshHash = hashToken(refreshToken);
      if (await refreshMcpGrant(db, { clientId, refreshHash }, hashes)) return tokens;
      throw new InvalidGrantError('The refresh token is unknown, expired or used. Ask for consent again.');
    },

    revokeToken: async ({ client_id }, { token }) => {
      await revokeMcpToken(db, client_id, hashToken(token));
    },

    /** Required by the SDK's interface, but never called: mcp-authentication.ts verifies access tokens. */
    verifyAccessToken: () => Promise.reject(new InvalidTokenError('Use the token at /v1/mcp.')),
  };

  /** @throws InvalidTargetError if the client names another resource than Parley's */
  function demandResource(resource: URL | undefined): void {
    if (resource !== undefined && !isResource(resource.href, urls))
      throw new InvalidTargetError(`The resource is ${urls.resource}.`);
  }
}

const unusableCode = 'The code is unknown, expired, used, or of another redirect_uri. Ask for consent again.';

/** True if the URL is the MCP resource. A trailing slash or an upper-case host makes no difference. */
export function isResource(candidate: string, { resource }: McpUrls): boolean {
  const plain = (url: string) => (URL.canParse(url) ? new URL(url).href.replace(/\/$/, '') : undefined);
  return plain(candidate) === plain(resource);
}

function newTokens() {
  const access = newSecret(mcpPrefix);
  const refresh = newSecret('mcr_');
  return {
    hashes: { access: access.hash, refresh: refresh.hash },
    tokens: {
      access_token: access.secret,
      token_type: 'Bearer',
      expires_in: accessSeconds,
      refresh_token: refresh.secret,
    },
  };
}

function registered({ id, name, redirect_uris, created_at }: McpClient): OAuthClientInformationFull {
  return {
    client_id: id,
    client_id_issued_at: Math.floor(created_at.getTime() / 1000),
    client_name: name,
    redirect_uris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}

/**
 * @returns the client's name for the consent page: one line of at most `maxNameLength` visible characters; `An MCP
 * client` if the given name has none
 */
function nameOf(given: string | undefined): string {
  const plain = (given ?? '').replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return plain === '' ? 'An MCP client' : Array.from(plain).slice(0, maxNameLength).join('');
}

const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]'];
/**
 * Schemes that cannot lead to an MCP client, because the browser handles them itself or passes them to a mail or
 * telephone program.
 */
const foreignSchemes =
  /^(?:javascript|data|vbscript|file|blob|about|filesystem|view-source|wss?|ftps?|mailto|tel):$/;

function redirectProblem(uris: readonly string[]): string | undefined {
  if (uris.length === 0 || uris.length > maxRedirectUris)
    return `Give 1 to ${maxRedirectUris} redirect_uris.`;
  for (const uri of uris) {
    if (uri.length > maxUriLength) return `A redirect_uri has at most ${maxUriLength} characters.`;
    const { protocol, hostname, hash, username, password } = new URL(uri);
    if (hash !== '' || username !== '' || password !== '')
      return 'A redirect_uri has no fragment and no credentials.';
    if (protocol === 'http:' && !loopbackHosts.includes(hostname))
      return 'A redirect_uri of http must be of this machine (127.0.0.1, localhost); use https for others.';
    if (foreignSchemes.test(protocol)) return `A redirect_uri cannot have the scheme ${protocol}`;
  }
  return undefined;
}
