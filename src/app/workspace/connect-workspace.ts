/** Connects document workspaces. An API key is checked before it is stored. */
import {
  recordAudit,
  type Actor,
  type OrganizationActor,
} from '../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction, type Database } from '../../adapters/postgres/database.ts';
import { acrossOrganizations, inOrganization } from '../../adapters/postgres/organization-scope.ts';
import { createHash, randomBytes } from 'node:crypto';
import {
  deleteToolConnection,
  findToolConnection,
  listToolConnections,
  openPendingConnection,
  saveConnectedWorkspace,
  takePendingConnection,
  type ToolConnectionRow,
} from '../../adapters/postgres/workspace/tool-connections.ts';
import {
  WorkspaceAnswerUnreadable,
  WorkspaceNotReached,
  WorkspaceOutcomeUnknown,
  WorkspaceRateLimited,
  WorkspaceBlocked,
  WorkspaceRefused,
} from '../../workspace/client/failures.ts';
import { createWorkspace, type Workspace } from '../../workspace/client/workspace.ts';
import type { DocsOAuth, OAuthGrant } from '../../workspace/client/oauth.ts';
import type { WorkspaceCredentials } from './credentials.ts';
import { orNotFound, PublicError } from '../../contract/errors.ts';
import type { ToolConnection } from '../../contract/workspace/tools.ts';

const checkMs = 15_000;

export interface ToolConnectionParts {
  db: Database;
  credentials: WorkspaceCredentials;
  oauth: DocsOAuth | undefined;
  apiUrl: string;
}

export interface ToolsPerson {
  userId: string;
  /** Ids of the organizations in which the user has the capability `tools.manage` now. */
  managesToolsOf: readonly string[];
}

export type ToolConnections = ReturnType<typeof createToolConnections>;

/** Returns the operations on an organization's connections to document workspaces. */
export function createToolConnections({ db, credentials, oauth, apiUrl }: ToolConnectionParts) {
  /** True if an OAuth client is configured. Otherwise, `startOAuth` throws. */
  const offersOAuth = oauth !== undefined;
  return { offersOAuth, list, get, disconnect, startOAuth, finishOAuth, connectByKey };

  /** Returns the organization's connections, without their tokens. */
  async function list(organizationId: string): Promise<ToolConnection[]> {
    return (await listToolConnections(db, organizationId)).map((row) => shown(row));
  }

  /**
   * Returns a connection, without its tokens.
   * @throws PublicError not_found if the organization has no such connection
   */
  async function get(organizationId: string, id: string): Promise<ToolConnection> {
    const row = orNotFound(await findToolConnection(db, organizationId, id));
    return shown(row);
  }

  /**
   * Deletes a connection with its tokens, and removes it from the agents that name it. If an OAuth client is
   * configured, first revokes an OAuth token, and ignores the errors of the revocation.
   * @throws PublicError not_found if the organization has no such connection
   */
  async function disconnect(actor: OrganizationActor, id: string): Promise<void> {
    const { organizationId } = actor;
    const row = orNotFound(await findToolConnection(db, organizationId, id));
    // The connection is deleted even if the workspace cannot be reached or the token cannot be decrypted.
    const revoke = async () => oauth?.revoke(credentials.open(row));
    if (row.auth === 'OAUTH2' && row.access_token !== null) await revoke().catch(() => undefined);
    await inTransaction(db, async (tx) => {
      await deleteToolConnection(tx, organizationId, id);
      await recordAudit(tx, actor, 'connection_deleted', id);
    });
  }

  /**
   * Starts an OAuth connection. If a console user starts it, it can be finished only in a browser in which that user
   * is signed in. Without this rule, an attacker could send the authorization URL to another person, so that this
   * person's workspace is connected to the attacker's organization. If an API token starts it, anyone with the URL can
   * finish it.
   * @returns the pending connection with its `authorization_url`
   * @throws PublicError invalid_state if no OAuth client is configured
   */
  async function startOAuth(actor: OrganizationActor): Promise<ToolConnection> {
    if (oauth === undefined) {
      throw new PublicError('invalid_state', {
        sentence:
          'OAuth 2.0 is not set up: set DOCS_OAUTH_CLIENT_ID and DOCS_OAUTH_CLIENT_SECRET, or connect with an API key.',
      });
    }
    const state = randomBytes(32).toString('base64url');
    const row = await inTransaction(db, async (tx) => {
      const opened = await openPendingConnection(
        tx,
        actor.organizationId,
        hashOf(state, actor.kind === 'person' ? actor : anyone),
      );
      await recordAudit(tx, actor, 'connection_created', '');
      return opened;
    });
    return { ...shown(row), authorization_url: oauth.authorizationUrl(state) };
  }

  /**
   * Finishes an OAuth connection with the query of the workspace's redirect. Does not throw if the query is invalid.
   * @returns `connected` if the workspace is connected now; `expired` if the state is missing, used, too old or not
   * this user's, or if no OAuth client is configured; `not_allowed` if the user may no longer manage the organization's
   * tools; `denied` if the user refused at the workspace; `failed` if no usable grant was obtained
   */
  async function finishOAuth(given: OAuthRedirect): Promise<OAuthOutcome> {
    const { state, person } = given;
    if (state === undefined) return 'expired';
    // The organization is not known until the state has been looked up.
    const take = (finisher: Finisher) =>
      acrossOrganizations(() => takePendingConnection(db, hashOf(state, finisher)));
    const startedHere = person && (await take({ kind: 'person', ...person }));
    const pending = startedHere ?? (await take(anyone));
    if (pending === undefined || oauth === undefined) return 'expired';
    return await inOrganization(pending.organization_id, () =>
      finish(given, oauth, pending, startedHere !== undefined),
    );
  }

  async function finish(
    given: OAuthRedirect,
    oauth: DocsOAuth,
    { organization_id: organizationId, id }: { organization_id: string; id: string },
    isStartedHere: boolean,
  ): Promise<OAuthOutcome> {
    const { person } = given;
    // The user may have left the organization or lost the capability since starting the connection.
    if (isStartedHere && !person?.managesToolsOf.includes(organizationId)) {
      await deleteToolConnection(db, organizationId, id);
      return 'not_allowed';
    }
    if (given.code === undefined) {
      await deleteToolConnection(db, organizationId, id);
      return given.error === 'access_denied' ? 'denied' : 'failed';
    }
    try {
      // If an API token started the connection, anyone with the authorization URL can finish it, so the audit event
      // names no user.
      const finisher: Actor =
        isStartedHere && person !== undefined
          ? { kind: 'person', userId: person.userId, address: given.address }
          : { kind: 'system', name: 'whoever opened the authorization URL', address: given.address };
      await keep({ ...finisher, organizationId }, id, await oauth.exchange(given.code));
      return 'connected';
    } catch (error) {
      await deleteToolConnection(db, organizationId, id);
      if (isWorkspaceFailure(error)) return 'failed';
      throw error;
    }
  }

  async function keep(actor: OrganizationActor, pendingId: string, grant: OAuthGrant): Promise<void> {
    const docs = createWorkspace({ token: grant.access_token, apiUrl, timeoutMs: checkMs });
    // Reads only the integration's name, which may be absent, so an error must not prevent the connection.
    const self = await docs.retrieveSelf().catch(() => undefined);
    await inTransaction(db, async (tx) => {
      const saved = await saveConnectedWorkspace(
        tx,
        {
          organizationId: actor.organizationId,
          auth: 'OAUTH2',
          botId: grant.bot_id,
          workspaceId: grant.workspace_id,
          workspaceName: grant.workspace_name ?? null,
          integrationName: self?.name ?? null,
        },
        pendingId,
        (place) => credentials.seal(place, grant),
      );
      await recordAudit(
        tx,
        actor,
        'connection_completed',
        `${saved.workspace_name ?? 'unnamed'} (${saved.id})`,
      );
    });
  }

  /**
   * Checks an API key at the workspace and stores it. If the integration is already connected, replaces its tokens.
   * @param given the key, with or without `Bearer`
   * @returns the connection, with a `notice` if the key has an unusual prefix or cannot read any page yet
   * @throws PublicError invalid_credentials if the key is malformed, is refused by the workspace, or does not belong
   * to an integration; gateway_unreachable if the workspace cannot be reached or gives no usable response; unavailable
   * if the workspace limits the rate of requests
   */
  async function connectByKey(actor: OrganizationActor, given: string): Promise<ToolConnection> {
    const token = given.trim().replace(/^Bearer\s+/i, '');
    if (!/^[\x21-\x7e]+$/.test(token)) throw new PublicError('invalid_credentials');
    const docs = createWorkspace({ token, apiUrl, timeoutMs: checkMs });
    const self = await tried(() => docs.retrieveSelf());
    if (self.type !== 'bot' || self.bot === undefined) throw new PublicError('invalid_credentials');
    const notice = [prefixNotice(token), await sharingNotice(docs)]
      .filter((text) => text !== undefined)
      .join(' ');
    const { organizationId } = actor;
    const { bot } = self;
    const row = await inTransaction(db, async (tx) => {
      const saved = await saveConnectedWorkspace(
        tx,
        {
          organizationId,
          auth: 'API_KEY',
          botId: self.id,
          workspaceId: bot.workspace_id ?? self.id,
          workspaceName: bot.workspace_name ?? null,
          integrationName: self.name ?? null,
        },
        undefined,
        (place) => credentials.seal(place, { access_token: token }),
      );
      await recordAudit(tx, actor, 'connection_created', saved.workspace_name ?? '');
      return saved;
    });
    return { ...shown(row), ...(notice === '' ? {} : { notice }) };
  }
}

/** The query of the workspace's redirect, and the user whose browser follows the redirect. */
interface OAuthRedirect {
  state?: string | undefined;
  code?: string | undefined;
  error?: string | undefined;
  /** The user who is signed in to the console in this browser; undefined if nobody is. */
  person?: ToolsPerson | undefined;
  /** Network address of the browser, for the audit log. */
  address?: string | undefined;
}

type OAuthOutcome = 'connected' | 'denied' | 'expired' | 'failed' | 'not_allowed';

/** Who can finish an OAuth connection: the user who started it or, if an API token started it, anyone. */
type Finisher = { readonly kind: 'person'; readonly userId: string } | typeof anyone;
const anyone = { kind: 'anyone' } as const;

const hashOf = (state: string, finisher: Finisher): Buffer =>
  createHash('sha256')
    .update(finisher.kind === 'person' ? `person ${finisher.userId} ${state}` : `anyone ${state}`)
    .digest();

const isWorkspaceFailure = (error: unknown): boolean =>
  [
    WorkspaceRefused,
    WorkspaceBlocked,
    WorkspaceRateLimited,
    WorkspaceNotReached,
    WorkspaceOutcomeUnknown,
  ].some((kind) => error instanceof kind);

/** Converts a connection's row to the API's form, without secrets. */
export function shown(row: ToolConnectionRow): ToolConnection {
  const { id, auth, status, workspace_name, workspace_id, integration_name, last_error, created_at } = row;
  return {
    id,
    auth,
    status,
    workspace_name,
    workspace_id,
    integration_name,
    ...(last_error === null ? {} : { last_error }),
    created_at: created_at.toISOString(),
  };
}

function prefixNotice(token: string): string | undefined {
  return /^(secret_|ntn_)/.test(token)
    ? undefined
    : 'The key begins neither with secret_ nor with ntn_, as those of integrations do; the workspace takes it all the same.';
}

/**
 * Checks whether the key can read any page. A workspace grants an integration access to individual pages.
 * @returns a notice if the key cannot read any page yet; undefined if it can, or if the check fails
 */
async function sharingNotice(docs: Workspace): Promise<string | undefined> {
  try {
    const { results } = await docs.search({ page_size: 1 });
    if (results.length > 0) return undefined;
  } catch {
    // The workspace has already accepted the key, so a failed search does not prevent the connection.
    return undefined;
  }
  return "Connected, but no pages are shared yet: in the workspace, open a page's menu, Connections, and add the integration.";
}

/**
 * Calls the workspace, and converts its failures to errors of the API.
 * @throws PublicError invalid_credentials if the workspace refuses the request; unavailable if its rate limit is
 * reached; gateway_unreachable if it is blocked or cannot be reached, or if its response is lost or not usable; all
 * other errors unchanged
 */
async function tried<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof WorkspaceRefused) {
      throw new PublicError('invalid_credentials', {
        sentence: `The workspace refused the credentials: ${cause.message}`,
        cause,
      });
    }
    if (cause instanceof WorkspaceRateLimited) {
      const retryAfterSeconds = Math.ceil(cause.retryAfterMs / 1000);
      throw new PublicError('unavailable', { retryAfterSeconds, cause });
    }
    if (cause instanceof WorkspaceBlocked) {
      throw new PublicError('gateway_unreachable', {
        sentence: `${cause.message} The credentials could not be checked. Try again later.`,
        cause,
      });
    }
    if (
      cause instanceof WorkspaceNotReached ||
      cause instanceof WorkspaceOutcomeUnknown ||
      cause instanceof WorkspaceAnswerUnreadable
    ) {
      throw new PublicError('gateway_unreachable', {
        sentence: 'The workspace did not return a usable response. Try again.',
        cause,
      });
    }
    throw cause;
  }
}
