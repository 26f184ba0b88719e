/** Connecting document workspaces: what is given is tried before it is kept. */
import type { Database } from '../adapters/db/database.ts';
import {
  deleteToolConnection,
  findToolConnection,
  listToolConnections,
  saveConnectedWorkspace,
  tokenPlace,
  type ToolConnectionRow,
} from '../adapters/db/tool-connections.ts';
import {
  WorkspaceNotReached,
  WorkspaceOutcomeUnknown,
  WorkspaceRateLimited,
  WorkspaceRefused,
} from '../adapters/docs-failures.ts';
import { createWorkspace, type Workspace } from '../adapters/docs-workspace.ts';
import type { Encryption } from '../adapters/encryption.ts';
import { PublicError } from '../contract/errors.ts';
import type { ToolConnection } from '../contract/tools.ts';

const checkMs = 15_000;

export interface ToolConnectionParts {
  db: Database;
  encryption: Encryption;
  /** Origin of the workspace's API. */
  apiUrl: string;
}

export class ToolConnections {
  readonly #parts: ToolConnectionParts;

  constructor(parts: ToolConnectionParts) {
    this.#parts = parts;
  }

  async list(organizationId: string): Promise<ToolConnection[]> {
    return (await listToolConnections(this.#parts.db, organizationId)).map((row) => shown(row));
  }

  /** @throws PublicError not_found */
  async get(organizationId: string, id: string): Promise<ToolConnection> {
    const row = await findToolConnection(this.#parts.db, organizationId, id);
    if (row === undefined) throw new PublicError('not_found');
    return shown(row);
  }

  /** @throws PublicError not_found */
  async disconnect(organizationId: string, id: string): Promise<void> {
    if (!(await deleteToolConnection(this.#parts.db, organizationId, id))) throw new PublicError('not_found');
  }

  /** @throws PublicError invalid_credentials, gateway_unreachable, unavailable */
  async connectByKey(organizationId: string, given: string): Promise<ToolConnection> {
    const { db, encryption, apiUrl } = this.#parts;
    const token = given.trim().replace(/^Bearer\s+/i, '');
    if (!/^[\x21-\x7e]+$/.test(token)) throw new PublicError('invalid_credentials');
    const docs = createWorkspace({ token, apiUrl, timeoutMs: checkMs });
    const self = await tried(() => docs.retrieveSelf());
    if (self.type !== 'bot' || self.bot === undefined) throw new PublicError('invalid_credentials');
    const notice = [prefixNotice(token), await sharingNotice(docs)]
      .filter((text) => text !== undefined)
      .join(' ');
    const row = await saveConnectedWorkspace(
      db,
      {
        organizationId,
        auth: 'API_KEY',
        botId: self.id,
        workspaceId: self.bot.workspace_id ?? self.id,
        workspaceName: self.bot.workspace_name ?? null,
        integrationName: self.name ?? null,
      },
      undefined,
      (place) => ({
        access_token: encryption.seal(token, tokenPlace(place, 'access_token')),
        refresh_token: null,
      }),
    );
    return { ...shown(row), ...(notice === '' ? {} : { notice }) };
  }
}

/** Without secrets. */
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

/** Access is granted page by page: a key alone sees nothing. */
async function sharingNotice(docs: Workspace): Promise<string | undefined> {
  try {
    const { results } = await docs.search({ page_size: 1 });
    if (results.length > 0) return undefined;
  } catch {
    // The key is good; what it may read shows at the first action.
    return undefined;
  }
  return "Connected, but no pages are shared yet: in the workspace, open a page's menu, Connections, and add the integration.";
}

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
    if (cause instanceof WorkspaceNotReached || cause instanceof WorkspaceOutcomeUnknown) {
      throw new PublicError('gateway_unreachable', {
        sentence: 'The workspace gave no usable answer. Try again.',
        cause,
      });
    }
    throw cause;
  }
}
