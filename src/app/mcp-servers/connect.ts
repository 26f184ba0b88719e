/** Opens sessions with an organization's MCP servers, and compares their tools with the accepted ones. */
import { McpFault, McpSession, type McpSessionOptions } from '../../adapters/mcp/mcp-session.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import {
  listMcpTools,
  recordListing,
  recordOffer,
  type McpServerKey,
  type McpServerRow,
} from '../../adapters/postgres/mcp-servers/mcp-servers.ts';
import type { SecretPlace } from '../../adapters/secrets/encryption.ts';
import type { HttpToolDeps } from '../http-tools/deps.ts';
import { readOffer, type Offered } from './definitions.ts';
import { accessToken, dropRefusedToken } from './oauth-tokens.ts';

export type McpDeps = Pick<HttpToolDeps, 'db' | 'encryption' | 'http'>;

/** @returns the row and column to which the encryption of a server's header value is bound */
export const mcpPlace = ({ id, organization_id }: McpServerKey): SecretPlace => ({
  organizationId: organization_id,
  table: 'mcp_servers',
  rowId: id,
  column: 'header_value',
});

export type McpCredentials =
  /**
   * `secrets`: values that must be removed from each text of the server before a caller or a model receives the text.
   */
  { kind: 'headers'; headers: Record<string, string>; secrets: string[] } | { kind: 'missing'; why: string };

const signInFirst = {
  kind: 'missing',
  why: 'An administrator must sign in at this MCP server again: in the console under Tools, MCP servers.',
} as const;

/**
 * Decrypts the credentials of a server. Renews an access token that expires soon or was refused.
 * @param options.refused the credentials that the server refused with 401. If they are an access token, it is renewed.
 * @returns the headers with which Parley authenticates to the server; `missing`, with the reason as a sentence, if the
 * stored header was lost or an administrator must sign in at the server
 * @throws McpFault if the access token could not be renewed now; the signal's reason or AbortError if the signal
 * aborts; Error if a stored secret cannot be decrypted
 */
export async function credentialsOf(
  deps: McpDeps,
  server: McpServerRow,
  options: { refused?: McpCredentials; signal?: AbortSignal | undefined } = {},
): Promise<McpCredentials> {
  if (server.auth === 'none') return { kind: 'headers', headers: {}, secrets: [] };
  if (server.auth === 'oauth') {
    const { refused, signal } = options;
    const token = await accessToken(deps, server, {
      refused: refused?.kind === 'headers' ? refused.secrets[0] : undefined,
      signal,
    });
    if (token === undefined) return signInFirst;
    return { kind: 'headers', headers: { authorization: `Bearer ${token}` }, secrets: [token] };
  }
  if (server.header_value === null || server.header_name === null)
    return {
      kind: 'missing',
      why: 'The header of this server was lost. An administrator must enter it again.',
    };
  const value = deps.encryption.open(server.header_value, mcpPlace(server));
  return { kind: 'headers', headers: { [server.header_name]: value }, secrets: [value] };
}

/** True if the server refused the access token of a sign-in. */
export const isTokenRefused = (server: McpServerRow, error: unknown): boolean =>
  server.auth === 'oauth' && error instanceof McpFault && error.status === 401;

/**
 * The result of `openSession`: an open session with the result of `begin`; the fault that prevented it; or the reason
 * why there are no credentials.
 */
export type OpenedSession<T> =
  | { kind: 'open'; session: McpSession; begun: T; credentials: McpCredentials & { kind: 'headers' } }
  | { kind: 'failed'; fault: McpFault; secrets: string[] }
  | Extract<McpCredentials, { kind: 'missing' }>;

/**
 * Opens a session with a server, and prepares it with `begin`. If the server refuses the access token, renews the
 * token and tries once more. If the server refuses the new token too, records that an administrator must sign in.
 * @param begin makes the first requests of the session, because some servers refuse the token only at these requests
 * @throws the errors of `credentialsOf` and of `begin`, other than McpFault
 */
export async function openSession<T>(
  deps: McpDeps,
  server: McpServerRow,
  { signal, begin }: { signal?: AbortSignal; begin: (session: McpSession) => Promise<T> },
): Promise<OpenedSession<T>> {
  let refused: McpCredentials | undefined;
  let secrets: string[] = [];
  for (;;) {
    let session: McpSession | undefined;
    try {
      const credentials = await credentialsOf(deps, server, { ...(refused && { refused }), signal });
      if (credentials.kind === 'missing') return credentials;
      secrets = credentials.secrets;
      session = await openMcpSession(deps, server, {
        headers: credentials.headers,
        ...(signal && { signal }),
      });
      const begun = await begin(session);
      return { kind: 'open', session, begun, credentials };
    } catch (error) {
      session?.close();
      if (!(error instanceof McpFault)) throw error;
      if (!isTokenRefused(server, error)) return { kind: 'failed', fault: error, secrets };
      if (refused !== undefined) {
        await dropRefusedToken(deps, server, secrets[0] ?? '');
        return signInFirst;
      }
      refused = { kind: 'headers', headers: {}, secrets };
    }
  }
}

/** Opens a session with a server. @throws McpFault if the server cannot be reached or refuses the session */
export async function openMcpSession(
  { http }: Pick<McpDeps, 'http'>,
  server: McpServerRow,
  options: Pick<McpSessionOptions, 'headers' | 'signal'>,
): Promise<McpSession> {
  return await McpSession.open({
    ...options,
    http,
    organizationId: server.organization_id,
    url: server.url,
    timeoutMs: server.timeout_seconds * 1000,
  });
}

/**
 * Lists a server's tools, and records for each accepted tool whether the server has changed it, or no longer offers it
 * in a usable form. Also records the time of this comparison.
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
