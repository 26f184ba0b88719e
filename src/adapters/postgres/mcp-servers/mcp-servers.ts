/** Stores the MCP servers of organizations and the accepted definitions of their tools. Credentials are encrypted. */
import { v7 as newId } from 'uuid';
import type { HttpEffect } from '../../../contract/http-tools/http-tools.ts';
import {
  firstRow,
  orConflict,
  queryRow,
  queryRows,
  statement,
  type Database,
  type Transaction,
} from '../database.ts';

export interface McpServerRow {
  id: string;
  organization_id: string;
  name: string;
  url: string;
  auth: 'none' | 'header' | 'oauth';
  status: 'connected' | 'needs_header' | 'needs_sign_in';
  header_name: string | null;
  /** Encrypted. Null: the server needs no header, or the key that encrypted the value was lost. */
  header_value: string | null;
  timeout_seconds: number;
  answer_max_chars: number;
  listed_at: Date | null;
  created_at: Date;
  updated_at: Date;
}
/** The row's key, to which the encryption of its credentials is bound. */
export type McpServerKey = Pick<McpServerRow, 'id' | 'organization_id'>;
export type McpServerFields = Pick<
  McpServerRow,
  'name' | 'url' | 'auth' | 'status' | 'header_name' | 'timeout_seconds' | 'answer_max_chars'
>;

export interface McpToolRow {
  id: string;
  organization_id: string;
  server_id: string;
  name: string;
  remote_name: string;
  description: string;
  /** The JSON Schema of the parameters, as text. */
  parameters: string;
  digest: string;
  /** The definition that the server has now, as JSON, if it differs from the accepted one. */
  offered: string | null;
  is_gone: boolean;
  effect: HttpEffect;
}
export type McpToolFields = Pick<
  McpToolRow,
  'name' | 'remote_name' | 'description' | 'parameters' | 'digest' | 'effect'
>;

const servers = (db: Database) => db.knex<McpServerRow>('mcp_servers');
const tools = (db: Database) => db.knex<McpToolRow>('mcp_tools');

/** @returns the organization's servers, by name */
export async function listMcpServers(db: Database, organizationId: string): Promise<McpServerRow[]> {
  return await servers(db).where({ organization_id: organizationId }).orderBy('name');
}

/** @returns the accepted tools of the organization's servers, or of the given server, by name */
export async function listMcpTools(
  db: Database,
  organizationId: string,
  serverId?: string,
): Promise<McpToolRow[]> {
  const ofServer = { ...(serverId !== undefined && { server_id: serverId }) };
  return await tools(db)
    .where({ organization_id: organizationId, ...ofServer })
    .orderBy('name');
}

const named = statement('mcp-tools-by-name')`
  select * from mcp_tools where organization_id = $1 and name = any($2)`;

/** @returns the organization's accepted tools with these names; other names are omitted */
export async function findMcpTools(
  db: Database,
  organizationId: string,
  names: readonly string[],
): Promise<McpToolRow[]> {
  if (names.length === 0) return [];
  return await queryRows<McpToolRow>(db, named, [organizationId, names]);
}

/**
 * Finds an accepted tool of an MCP server.
 * @param id a UUID
 * @returns undefined if the organization has no such tool
 */
export async function findMcpTool(
  db: Database,
  organizationId: string,
  id: string,
): Promise<McpToolRow | undefined> {
  return await tools(db).where({ id, organization_id: organizationId }).first();
}

/**
 * Finds an MCP server.
 * @param id a UUID
 * @returns undefined if the organization has no such server
 */
export async function findMcpServer(
  db: Database,
  organizationId: string,
  id: string,
): Promise<McpServerRow | undefined> {
  return await servers(db).where({ id, organization_id: organizationId }).first();
}

/**
 * Finds a server and locks it until the transaction ends.
 * @param id a UUID
 * @returns undefined if the organization has no such server
 */
export async function lockMcpServer(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<McpServerRow | undefined> {
  return await servers(tx).where({ id, organization_id: organizationId }).forUpdate().first();
}

/**
 * Stores a new server.
 * @param seal encrypts the header's value for the key of the new row
 * @throws PublicError conflict if the organization has a server of this name
 */
export async function insertMcpServer(
  db: Database,
  organizationId: string,
  server: McpServerFields,
  seal: (key: McpServerKey) => string | null,
): Promise<McpServerRow> {
  const key = { id: newId(), organization_id: organizationId };
  const row = { ...key, ...server, header_value: seal(key) };
  return firstRow(await orConflict('mcp_servers_name', () => servers(db).insert(row).returning('*')));
}

/** Changes the given fields. @returns undefined if the organization has no such server */
export async function updateMcpServer(
  db: Database,
  { id, organization_id }: McpServerKey,
  change: Partial<Omit<McpServerRow, 'id' | 'organization_id' | 'name' | 'url'>>,
): Promise<McpServerRow | undefined> {
  const [row] = await servers(db)
    .where({ id, organization_id })
    .update({ ...change, updated_at: new Date() })
    .returning('*');
  return row;
}

/** Deletes a server with its credentials and tools. Idempotent. */
export async function deleteMcpServer(db: Database, { id, organization_id }: McpServerKey): Promise<void> {
  await servers(db).where({ id, organization_id }).delete();
}

const accept = statement('accept-mcp-tool')`
  insert into mcp_tools (id, organization_id, server_id, name, remote_name, description, parameters, digest, effect)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    on conflict (organization_id, name) do update
      set description = excluded.description, parameters = excluded.parameters, digest = excluded.digest,
          effect = excluded.effect, offered = null, is_gone = false
      where mcp_tools.server_id = excluded.server_id and mcp_tools.remote_name = excluded.remote_name
    returning id`;

/**
 * Stores the definition of a tool that an administrator accepted, and replaces the tool's earlier definition.
 * @returns false if another tool of the organization has this name
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

/** Changes the effect of an accepted tool. The caller checks that the organization has the tool. */
export async function setMcpToolEffect(db: Database, id: string, effect: HttpEffect): Promise<void> {
  await tools(db).where({ id }).update({ effect });
}

/** Deletes an accepted tool. The caller checks that the organization has it. Idempotent. */
export async function deleteMcpTool(db: Database, id: string): Promise<void> {
  await tools(db).where({ id }).delete();
}

/**
 * Records whether a server still has a tool, and the definition that it offers if it differs from the accepted one.
 * Does nothing if another definition was accepted since the comparison.
 * @param digest digest of the accepted definition with which the server's definition was compared
 */
export async function recordOffer(
  db: Database,
  { id, digest }: Pick<McpToolRow, 'id' | 'digest'>,
  found: Pick<McpToolRow, 'offered' | 'is_gone'>,
): Promise<void> {
  await tools(db).where({ id, digest }).update(found);
}

/** Records that a server's tools were compared with the accepted ones. */
export async function recordListing(db: Database, id: string): Promise<void> {
  await servers(db).where({ id }).update({ listed_at: new Date() });
}
