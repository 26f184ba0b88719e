/** Opens sessions with an organization's MCP servers, and compares their tools with the accepted ones. */
import { McpSession, type McpSessionOptions } from '../../adapters/mcp/mcp-session.ts';
import type { PublicHttp } from '../../adapters/http/public-http.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import {
  listMcpTools,
  recordListing,
  recordOffer,
  type McpServerKey,
  type McpServerRow,
} from '../../adapters/postgres/mcp-servers/mcp-servers.ts';
import type { Encryption, SecretPlace } from '../../adapters/secrets/encryption.ts';
import { readOffer, type Offered } from './definitions.ts';

export interface McpDeps {
  readonly db: Database;
  readonly encryption: Encryption;
  /** HTTP client that may also call the internal addresses that the setting TOOL_ALLOW lists. */
  readonly http: PublicHttp;
}

/** @returns the row and column to which a server's encrypted credentials are bound */
export const mcpPlace = ({ id, organization_id }: McpServerKey): SecretPlace => ({
  organizationId: organization_id,
  table: 'mcp_servers',
  rowId: id,
  column: 'header_value',
});

export type McpCredentials =
  /** `secrets`: values that must be removed from every text of the server before a caller or a model gets the text. */
  { kind: 'headers'; headers: Record<string, string>; secrets: string[] } | { kind: 'missing'; why: string };

/**
 * Decrypts the credentials of a server.
 * @returns the headers with which Parley authenticates to the server; `missing`, with the reason as a sentence, if the
 * stored header was lost
 * @throws Error if the stored header cannot be decrypted
 */
export function credentialsOf(
  { encryption }: Pick<McpDeps, 'encryption'>,
  server: McpServerRow,
): McpCredentials {
  if (server.auth === 'none') return { kind: 'headers', headers: {}, secrets: [] };
  if (server.header_value === null || server.header_name === null)
    return {
      kind: 'missing',
      why: 'The header of this server was lost. An administrator must enter it again.',
    };
  const value = encryption.open(server.header_value, mcpPlace(server));
  return { kind: 'headers', headers: { [server.header_name]: value }, secrets: [value] };
}

/**
 * Opens a session with a server. The caller must close it. All requests of the session together, except the one that
 * closes it, take at most the server's `timeout_seconds`.
 * @throws McpFault if the session cannot be opened, for example because the server cannot be reached or refuses it
 */
export async function openMcpSession(
  { http }: Pick<McpDeps, 'http'>,
  server: McpServerRow,
  options: Pick<McpSessionOptions, 'headers' | 'signal'>,
): Promise<McpSession> {
  return await McpSession.open({
    ...options,
    ...{ http, organizationId: server.organization_id, url: server.url },
    timeoutMs: server.timeout_seconds * 1000,
  });
}

/**
 * Lists a server's tools, and records for each accepted tool whether the server has changed or removed it. Also records
 * the time of this comparison.
 * @returns the tools that the server offers now, by remote name
 * @throws McpFault if the list cannot be read
 */
export async function compareTools(
  db: Database,
  server: McpServerRow,
  session: McpSession,
): Promise<Map<string, Offered>> {
  const offer = readOffer(server.name, await session.listTools());
  for (const tool of await listMcpTools(db, server.organization_id, server.id)) {
    const definition = offer.get(tool.remote_name)?.definition;
    const isSame = definition?.digest === tool.digest;
    const offered = isSame || definition === undefined ? null : JSON.stringify(definition);
    const is_gone = definition === undefined;
    if (tool.offered !== offered || tool.is_gone !== is_gone)
      await recordOffer(db, tool, { offered, is_gone });
  }
  await recordListing(db, server.id);
  return offer;
}
