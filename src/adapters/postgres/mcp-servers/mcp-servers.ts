/** Stores the MCP servers of organizations, with encrypted credentials, and the accepted definitions of their tools. */
import { v7 as newId } from 'uuid';
import { z } from 'zod';
import { httpEffect } from '../../../contract/http-tools/http-tools.ts';
import { queryRow, queryRows, rowsOf, statement, type Database } from '../database.ts';
import { organizationTable } from '../organization-table.ts';

const mcpServerRow = z.object({
  id: z.string(),
  organization_id: z.string(),
  name: z.string(),
  url: z.string(),
  auth: z.enum(['none', 'header', 'oauth']),
  status: z.enum(['connected', 'needs_header', 'needs_sign_in']),
  header_name: z.string().nullable(),
  /** Encrypted; null if the server needs no header, or the key that encrypted the value was lost. */
  header_value: z.string().nullable(),
  timeout_seconds: z.number(),
  answer_max_chars: z.number(),
  listed_at: z.date().nullable(),
  created_at: z.date(),
  updated_at: z.date(),
});
export type McpServerRow = z.infer<typeof mcpServerRow>;
/** The ids to which the encryption of a server's credentials is bound. */
export type McpServerKey = Pick<McpServerRow, 'id' | 'organization_id'>;
export type McpServerFields = Pick<
  McpServerRow,
  'name' | 'url' | 'auth' | 'status' | 'header_name' | 'timeout_seconds' | 'answer_max_chars'
>;

const mcpToolRow = z.object({
  id: z.string(),
  organization_id: z.string(),
  server_id: z.string(),
  name: z.string(),
  remote_name: z.string(),
  description: z.string(),
  /** The JSON Schema of the parameters, as text. */
  parameters: z.string(),
  digest: z.string(),
  /** JSON of the server's definition at the last comparison, if it differs from the accepted one; otherwise null. */
  offered: z.string().nullable(),
  is_gone: z.boolean(),
  effect: httpEffect,
});
export type McpToolRow = z.infer<typeof mcpToolRow>;
export type McpToolFields = Pick<
  McpToolRow,
  'name' | 'remote_name' | 'description' | 'parameters' | 'digest' | 'effect'
>;

const servers = organizationTable('mcp_servers', mcpServerRow);
const tools = (db: Database) => db.knex<McpToolRow>('mcp_tools');

/** @returns the organization's MCP servers, ordered by name */
export const listMcpServers = servers.list('name');

/** @returns the accepted tools of the given MCP server, or of all servers of the organization, ordered by name */
export async function listMcpTools(
  db: Database,
  organizationId: string,
  serverId?: string,
): Promise<McpToolRow[]> {
  const ofServer = { ...(serverId !== undefined && { server_id: serverId }) };
  return await rowsOf(
    mcpToolRow,
    tools(db)
      .where({ organization_id: organizationId, ...ofServer })
      .orderBy('name'),
  );
}

const toSignIn = z.object({ name: z.string(), tools: z.number() });

/**
 * @returns the organization's MCP servers at which a person must sign in, each with the number of its accepted tools:
 * the first 20 in the order of their names
 */
export const findServersToSignIn = statement('mcp-servers-to-sign-in', toSignIn).rows<
  [organizationId: string]
>`
  select s.name, (select count(*)::integer from mcp_tools t where t.organization_id = $1 and t.server_id = s.id) as tools
    from mcp_servers s where s.organization_id = $1 and s.status = 'needs_sign_in' order by s.name limit 20`;

const named = statement('mcp-tools-by-name', mcpToolRow)`
  select * from mcp_tools where organization_id = $1 and name = any($2)`;

/** @returns those of the organization's accepted MCP tools that have one of these names */
export async function findMcpTools(
  db: Database,
  organizationId: string,
  names: readonly string[],
): Promise<McpToolRow[]> {
  if (names.length === 0) return [];
  return await queryRows(db, named, [organizationId, names]);
}

/**
 * Finds an accepted tool of an MCP server.
 * @param id a UUID
 * @returns undefined if the organization has no such tool
 */
export const findMcpTool = organizationTable('mcp_tools', mcpToolRow).find;

/**
 * Finds an MCP server.
 * @param id a UUID
 * @returns undefined if the organization has no such server
 */
export const findMcpServer = servers.find;

/**
 * Finds an MCP server and locks it until the transaction ends.
 * @param id a UUID
 * @returns undefined if the organization has no such server
 */
export const lockMcpServer = servers.lock;

/**
 * Stores a new MCP server.
 * @param seal returns the header's value, encrypted for the ids of the new row; null if there is no header
 * @throws PublicError conflict if the organization has an MCP server of this name
 */
export async function insertMcpServer(
  db: Database,
  organizationId: string,
  server: McpServerFields,
  seal: (key: McpServerKey) => string | null,
): Promise<McpServerRow> {
  const columnsOf = (key: McpServerKey) => ({ ...server, header_value: seal(key) });
  return await servers.insert(db, organizationId, columnsOf, 'mcp_servers_name');
}

/** Changes the given fields of an MCP server. @returns the new row; undefined if the organization has no such server */
export async function updateMcpServer(
  db: Database,
  key: McpServerKey,
  change: Partial<Omit<McpServerRow, 'id' | 'organization_id' | 'name' | 'url'>>,
): Promise<McpServerRow | undefined> {
  return await servers.update(db, key, change);
}

/** Deletes an MCP server with its credentials and tools. Idempotent. */
export const deleteMcpServer = servers.delete;

const accept = statement('accept-mcp-tool')`
  insert into mcp_tools (id, organization_id, server_id, name, remote_name, description, parameters, digest, effect)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    on conflict (organization_id, name) do update
      set description = excluded.description, parameters = excluded.parameters, digest = excluded.digest,
          effect = excluded.effect, offered = null, is_gone = false
      where mcp_tools.server_id = excluded.server_id and mcp_tools.remote_name = excluded.remote_name
    returning id`;

/**
 * Stores the accepted definition of an MCP tool. If the tool already has one, replaces it, and resets `offered` and
 * `is_gone`.
 * @returns true if the definition was stored; false if another MCP tool of the organization has this name
 */
export async function acceptMcpTool(
  db: Database,
  { id, organization_id }: McpServerKey,
  tool: McpToolFields,
): Promise<boolean> {
  const { name, remote_name, description, parameters, digest, effect } = tool;
  const values = [newId(), organization_id, id, name, remote_name, description, parameters, digest, effect];
  return (await queryRow(db, accept, values)) !== undefined;
}

/** Changes the effect of an accepted tool. The caller must check that the tool belongs to the organization. */
export const setMcpToolEffect = statement('set-mcp-tool-effect').write<
  [id: string, effect: McpToolRow['effect']]
>`
  update mcp_tools set effect = $2 where id = $1`;

/** Deletes an accepted tool. The caller must check that the tool belongs to the organization. Idempotent. */
export const deleteMcpTool = statement('delete-mcp-tool').write<[id: string]>`
  delete from mcp_tools where id = $1`;

/**
 * Records the result of comparing an accepted tool with the server's tools: whether the server still has the tool, and
 * the server's definition if it differs. Does nothing if the tool has another accepted definition now, or was deleted.
 * @param digest digest of the accepted definition that was compared
 */
export async function recordOffer(
  db: Database,
  { id, digest }: Pick<McpToolRow, 'id' | 'digest'>,
  found: Pick<McpToolRow, 'offered' | 'is_gone'>,
): Promise<void> {
  await tools(db).where({ id, digest }).update(found);
}

/** Records the current time as that of the last comparison of a server's tools with the accepted ones. */
export async function recordListing(db: Database, id: string): Promise<void> {
  await db.knex('mcp_servers').where({ id }).update({ listed_at: new Date() });
}
