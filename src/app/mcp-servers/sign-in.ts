/**
 * Signs in at MCP servers with OAuth 2.1: a person allows access on a page of the server's authorization server, and
 * Parley exchanges the code in the redirect for tokens. A sign-in can be completed only by the console session that
 * began it, once, within ten minutes.
 */
import { createHash, randomBytes } from 'node:crypto';
import { McpFault, type McpChallenge } from '../../adapters/mcp/mcp-session.ts';
import {
  authorizationPage,
  clientFor,
  discoverAuthorization,
  exchangeCode,
  isSafeForSecrets,
  OAuthRefusal,
  registerParley,
  type FoundAuthorization,
  type OAuthClient,
} from '../../adapters/mcp/mcp-oauth.ts';
import { recordAudit, type OrganizationActor } from '../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../adapters/postgres/database.ts';
import {
  completeMcpSignIn,
  deleteMcpSignIn,
  findMcpSignIn,
  openMcpSignIn,
  takeMcpSignIn,
  type McpSignInRow,
} from '../../adapters/postgres/mcp-servers/mcp-sign-ins.ts';
import {
  findMcpServer,
  lockMcpServer,
  updateMcpServer,
  type McpServerRow,
} from '../../adapters/postgres/mcp-servers/mcp-servers.ts';
import { acrossOrganizations, inOrganization } from '../../adapters/postgres/organization-scope.ts';
import { invalidField, orNotFound, PublicError } from '../../contract/errors.ts';
import { mcpCallbackPath } from '../../contract/mcp-servers/callback-path.ts';
import type { SignInAtMcpServer, StartedMcpSignIn } from '../../contract/mcp-servers/mcp-servers.ts';
import { isSameIssuer } from '../../domain/mcp-servers/judge-authorization.ts';
import { Limiter } from '../../limits/limiter.ts';
import { openMcpSession, type McpDeps } from './connect.ts';
import { endpointOf, openSecret, signInPlace, tokenColumns } from './oauth-tokens.ts';

/**
 * Maximum sign-ins that this process begins or completes at the same time, in total and per organization. Because of
 * the limit per organization, a server that does not answer delays only its own organization. Chosen.
 */
const maxSteps = 16;
const maxStepsPerOrganization = 2;
const retryAfterSeconds = 5;

/** The person who is signed in to the console, and the console session. */
export interface SignedInPerson {
  sessionId: string;
  userId: string;
  /** Organizations in which the user has the capability tools.manage now. */
  managesToolsOf: readonly string[];
}

/** The query of the authorization server's redirect, and the person who follows it. */
export interface McpRedirect {
  serverId: string;
  state?: string | undefined;
  code?: string | undefined;
  error?: string | undefined;
  /** The issuer in the response (RFC 9207). */
  iss?: string | undefined;
  person?: SignedInPerson | undefined;
  /** Network address of the browser, for the audit log. */
  address?: string | undefined;
}

export type McpSignInOutcome = 'signed_in' | 'denied' | 'expired' | 'failed' | 'not_allowed' | 'busy';

export type McpSignIns = ReturnType<typeof createMcpSignIns>;

/** @param apiUrl the API's public address, which ends in /v1 */
export function createMcpSignIns(deps: McpDeps, apiUrl: string) {
  const { db, encryption, http } = deps;
  const steps = new Limiter({ max: maxSteps, maxPerOwner: maxStepsPerOrganization });
  return { begin, finish };

  /**
   * Begins a sign-in: finds the server's authorization server, and registers Parley there unless the person enters a
   * client. Ends an earlier sign-in at this server that is still in progress. Parley's current access to the server
   * remains until the new sign-in is completed.
   * @param sessionId the console session that can complete the sign-in
   * @returns the page where the person allows access
   * @throws PublicError not_found; invalid_state if Parley signs in at the server with a header, or if secrets must
   * not be sent to its address; validation_failed if a client must be entered, or if the entered one is incomplete or
   * belongs to another authorization server; gateway_unreachable, with the reason, if a server cannot be reached or
   * used; unavailable if this process is already beginning or completing the maximum number of sign-ins, in total or
   * for this organization
   */
  async function begin(
    actor: OrganizationActor,
    sessionId: string,
    id: string,
    typed: SignInAtMcpServer,
  ): Promise<StartedMcpSignIn> {
    const { organizationId } = actor;
    const server = orNotFound(await findMcpServer(db, organizationId, id));
    refuseHeader(server);
    if (!isSafeForSecrets(http, server.url))
      throw new PublicError('invalid_state', {
        sentence:
          'The address of this server is not https, so its tokens could be read on the way. Add the server with https.',
      });
    checkTyped(typed);
    const free = steps.tryHold(organizationId);
    if (free === undefined) throw new PublicError('unavailable', { retryAfterSeconds });
    try {
      const redirectUri = redirectUriOf(id);
      const state = randomBytes(32).toString('base64url');
      const { found, client, page } = await reported(async () => {
        const found = await discoverAuthorization(parts(organizationId), server.url, await probe(server));
        const client = await clientOf(server, found, typed);
        return { found, client, page: await authorizationPage(found, client, { redirectUri, state }) };
      });
      const { issuer, token_endpoint } = found.metadata;
      await inTransaction(db, async (tx) => {
        const locked = orNotFound(await lockMcpServer(tx, organizationId, id));
        refuseHeader(locked);
        const fields = {
          server_id: id,
          issuer,
          token_endpoint,
          token_auth: client.auth,
          client_id: client.id,
          resource: found.resource ?? null,
          names_issuer: found.namesIssuer,
          is_client_typed: typed.client_id !== undefined,
          stateHash: hashOf(sessionId, state),
        };
        await openMcpSignIn(tx, organizationId, fields, (key) => ({
          client_secret:
            client.secret === undefined
              ? null
              : encryption.seal(client.secret, signInPlace(key, 'client_secret')),
          code_verifier: encryption.seal(page.codeVerifier, signInPlace(key, 'code_verifier')),
        }));
        await recordAudit(tx, actor, 'mcp_sign_in_begun', auditText(locked, issuer));
      });
      return { authorization_url: page.url, issuer };
    } finally {
      free();
    }
  }

  /**
   * Completes a sign-in with the query of the authorization server's redirect. Does not throw if the query is invalid.
   * @returns `signed_in` if the server can be used now; `expired` if nobody is signed in, if the state is missing,
   * used, too old or unknown for this session, or if the server was removed or a later sign-in was begun in the
   * meantime; `not_allowed` if the person may no longer manage the organization's tools; `denied` if the person
   * refused; `busy` if this process is already beginning or completing the maximum number of sign-ins; `failed` if the
   * response does not name the authorization server as required, or has no code, or if the code could not be exchanged
   * for usable tokens
   */
  async function finish(given: McpRedirect): Promise<McpSignInOutcome> {
    const { serverId, state, person } = given;
    if (state === undefined || person === undefined) return 'expired';
    const stateHash = hashOf(person.sessionId, state);
    // The organization is not known until the state has been looked up.
    const pending = await acrossOrganizations(() => takeMcpSignIn(db, serverId, stateHash));
    if (pending === undefined) return 'expired';
    return await inOrganization(pending.organization_id, async () => {
      const outcome = await complete(given, person, pending);
      if (outcome !== 'signed_in') await deleteMcpSignIn(db, pending);
      return outcome;
    });
  }

  async function complete(
    { code, error, iss, address }: McpRedirect,
    { userId, managesToolsOf }: SignedInPerson,
    pending: McpSignInRow,
  ): Promise<McpSignInOutcome> {
    const { organization_id: organizationId, server_id, issuer } = pending;
    // The user may have left the organization, or lost the capability, while they were at the authorization server.
    if (!managesToolsOf.includes(organizationId)) return 'not_allowed';
    // A response of another authorization server contains a code that this one must not receive.
    if (iss === undefined ? pending.names_issuer : iss !== issuer) return 'failed';
    if (code === undefined) return error === 'access_denied' ? 'denied' : 'failed';
    const free = steps.tryHold(organizationId);
    if (free === undefined) return 'busy';
    try {
      const grant = await exchangeCode(parts(organizationId), endpointOf(encryption, pending), {
        code,
        redirectUri: redirectUriOf(server_id),
        codeVerifier: openSecret(encryption, pending, 'code_verifier') ?? '',
      });
      return await inTransaction(db, async (tx) => {
        const server = await lockMcpServer(tx, organizationId, server_id);
        const tokens = tokenColumns(encryption, pending, grant);
        if (server === undefined || !(await completeMcpSignIn(tx, pending, tokens))) return 'expired';
        await updateMcpServer(tx, server, { auth: 'oauth', status: 'connected' });
        const actor = { kind: 'person', userId, address, organizationId } as const;
        await recordAudit(tx, actor, 'mcp_signed_in', auditText(server, issuer));
        return 'signed_in';
      });
    } catch (fault) {
      if (fault instanceof McpFault || fault instanceof OAuthRefusal) return 'failed';
      throw fault;
    } finally {
      free();
    }
  }

  /**
   * Opens a session without credentials, and closes it.
   * @returns what the server's 401 says about how to sign in; undefined if the 401 asks for no bearer token, or if the
   * server opens the session
   * @throws McpFault if the server cannot be reached, or refuses the session with another status
   */
  async function probe(server: McpServerRow): Promise<McpChallenge | undefined> {
    try {
      (await openMcpSession(deps, server, { headers: {} })).close();
      return undefined;
    } catch (error) {
      if (error instanceof McpFault && error.status === 401) return error.challenge;
      throw error;
    }
  }

  /**
   * Returns the client with which to sign in: the typed one, or one that Parley registers.
   * @throws PublicError validation_failed if none is typed and the authorization server registers no clients, or if
   * the typed issuer is not the authorization server's; the errors of the registration
   */
  async function clientOf(
    { id, organization_id }: McpServerRow,
    found: FoundAuthorization,
    { client_id, client_secret, issuer }: SignInAtMcpServer,
  ): Promise<OAuthClient> {
    const { metadata } = found;
    if (client_id === undefined) {
      const client = await registerParley(parts(organization_id), found, redirectUriOf(id));
      if (client !== undefined) return client;
      throw invalidField(
        'client_id',
        `is needed: ${metadata.issuer} registers no clients itself. Register one there, with the redirect URI ${redirectUriOf(id)}`,
      );
    }
    if (issuer === undefined || !isSameIssuer(issuer, metadata.issuer))
      throw invalidField('issuer', `is not the one that the server names, which is ${metadata.issuer}`);
    const earlier = await findMcpSignIn(db, organization_id, id);
    const isKept =
      client_secret === undefined &&
      earlier?.is_client_typed === true &&
      earlier.client_id === client_id &&
      earlier.issuer === metadata.issuer;
    const secret = isKept ? openSecret(encryption, earlier, 'client_secret') : client_secret;
    return clientFor(metadata, { client_id, ...(secret !== undefined && { client_secret: secret }) });
  }

  function parts(organizationId: string) {
    return { http, organizationId };
  }

  /**
   * Returns the redirect URI of this server. Each server has another one, so that one server's response is not
   * accepted as another's.
   */
  function redirectUriOf(serverId: string): string {
    return `${apiUrl}${mcpCallbackPath(serverId)}`;
  }
}

/**
 * @returns the hash by which a sign-in is found. It covers the session's id, so that only the session that began the
 * sign-in can complete it.
 */
const hashOf = (sessionId: string, state: string): Buffer =>
  createHash('sha256').update(`${sessionId} ${state}`).digest();

/** @returns the text of the audit event: the server and its authorization server */
const auditText = ({ name, url }: McpServerRow, issuer: string): string =>
  `${name}: ${new URL(url).origin}, at ${issuer}`;

/** @throws PublicError invalid_state if Parley signs in at the server with a header */
function refuseHeader({ auth }: McpServerRow): void {
  if (auth === 'header')
    throw new PublicError('invalid_state', {
      sentence:
        'Parley signs in at this server with a header. To sign in with OAuth, remove the server and add it again.',
    });
}

/**
 * @throws PublicError validation_failed if a secret or an issuer is entered without a client, or a client without an
 * issuer
 */
function checkTyped({ client_id, client_secret, issuer }: SignInAtMcpServer): void {
  if (client_id === undefined && (client_secret !== undefined || issuer !== undefined))
    throw invalidField('client_id', 'is needed with a secret or an authorization server');
  if (client_id !== undefined && issuer === undefined)
    throw invalidField('issuer', 'is needed with a client: its secret is sent nowhere else');
}

/**
 * Calls `work`.
 * @throws PublicError gateway_unreachable instead of an McpFault or an OAuthRefusal; all other errors of `work`
 * unchanged
 */
async function reported<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof McpFault) && !(cause instanceof OAuthRefusal)) throw cause;
    throw new PublicError('gateway_unreachable', {
      sentence: `The sign-in could not begin: ${cause.message}.`,
      cause,
    });
  }
}
