/** Stores the connections of organizations to document workspaces, with their encrypted tokens. */
import { v7 as newId } from 'uuid';
import { z } from 'zod';
import { nextVersion } from '../conversations/agents.ts';
import { firstRow, firstRowOf, idRow, rowOf, rowsOf, statement, type Database } from '../database.ts';
import { organizationTable } from '../organization-table.ts';

const toolConnectionRow = z.object({
  id: z.string(),
  organization_id: z.string(),
  auth: z.enum(['API_KEY', 'OAUTH2']),
  status: z.enum(['pending', 'connected', 'needs_reconnect']),
  bot_id: z.string().nullable(),
  workspace_id: z.string().nullable(),
  workspace_name: z.string().nullable(),
  integration_name: z.string().nullable(),
  /** Encrypted; null while the connection is pending, or if the encryption key was lost. */
  access_token: z.string().nullable(),
  /** Encrypted; null if the workspace issued none, or if `access_token` is null. */
  refresh_token: z.string().nullable(),
  last_error: z.string().nullable(),
  /** When the workspace first refused the token; null: the token is not refused. */
  refused_at: z.date().nullable(),
  /** When a refused connection is next checked; null: it is not checked. */
  next_check_at: z.date().nullable(),
  state_hash: z.instanceof(Buffer).nullable(),
  state_expires_at: z.date().nullable(),
  created_at: z.date(),
});
export type ToolConnectionRow = z.infer<typeof toolConnectionRow>;

/**
 * @returns the row and column to which a token's encryption is bound. In another row or column, the token cannot be
 * decrypted
 */
export const tokenPlace = (
  { id, organization_id }: Pick<ToolConnectionRow, 'id' | 'organization_id'>,
  column: 'access_token' | 'refresh_token',
) => ({ organizationId: organization_id, table: 'tool_connections', rowId: id, column });

const table = 'tool_connections';
const connections = (knex: Database['knex']) => knex<ToolConnectionRow>(table);
const ofOrganization = organizationTable(table, toolConnectionRow);

/**
 * Finds a connection to a workspace, including a pending one.
 * @param id a UUID
 * @returns undefined if the organization has no such connection
 */
export const findToolConnection = ofOrganization.find;

/** @returns the organization's connections, including pending ones, oldest first */
export const listToolConnections = ofOrganization.list('id');

/** @returns the ids that belong to no connection of the organization, or to a pending one */
export async function missingConnections(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = ids.length === 0 ? [] : await listToolConnections(db, organizationId);
  const known = new Set(rows.filter(({ status }) => status !== 'pending').map(({ id }) => id));
  return ids.filter((id) => !known.has(id.toLowerCase()));
}

/**
 * Deletes a connection with its tokens, and removes it from the agents that name it, which creates a version of each.
 * An agent that named no other connection can then use no workspace.
 * @returns false if the organization has no such connection
 */
export async function deleteToolConnection(
  db: Database,
  organizationId: string,
  id: string,
): Promise<boolean> {
  return await db.knex.transaction(async (tx) => {
    await tx('agents')
      .where({ organization_id: organizationId })
      .whereRaw('?::uuid = any(connections)', [id])
      .update({ connections: tx.raw('array_remove(connections, ?::uuid)', [id]), ...nextVersion(tx) });
    return (await connections(tx).where({ id, organization_id: organizationId }).delete()) > 0;
  });
}

export interface ConnectedWorkspace {
  organizationId: string;
  auth: 'API_KEY' | 'OAUTH2';
  botId: string;
  workspaceId: string;
  workspaceName: string | null;
  integrationName: string | null;
}

type Sealed = { access_token: string; refresh_token: string | null };

/**
 * Stores a connected workspace. If the integration (`botId`) is already connected, replaces its tokens. Otherwise, if
 * the organization had exactly one workspace, sets that workspace for agents that name no connection: with two
 * workspaces, such agents would have none.
 * @param pendingId the pending row of the OAuth authorization, which becomes the connection, or is deleted if the
 * integration is already connected; undefined if there was no authorization
 * @param seal encrypts the tokens for the row in which they are stored
 * @returns the stored row
 */
export async function saveConnectedWorkspace(
  db: Database,
  workspace: ConnectedWorkspace,
  pendingId: string | undefined,
  seal: (row: { id: string; organization_id: string }) => Sealed,
): Promise<ToolConnectionRow> {
  const { organizationId: organization_id, auth, botId } = workspace;
  return await db.knex.transaction(async (tx) => {
    // With the lock, two concurrent calls for the same integration do not create two rows.
    const lock = `${table}/${organization_id}/${botId}`;
    await tx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [lock]);
    const known = await rowOf(
      toolConnectionRow,
      connections(tx).where({ organization_id, bot_id: botId }).first(),
    );
    const id = known?.id ?? pendingId ?? newId();
    const [only, another] = await rowsOf(
      idRow,
      connections(tx).where({ organization_id }).whereNot({ id, status: 'pending' }).select('id'),
    );
    if (known === undefined && only !== undefined && another === undefined)
      await tx('agents')
        .where({ organization_id })
        .whereNull('connections')
        .update({ connections: [only.id], ...nextVersion(tx) });
    const fields = {
      ...takenNow,
      auth,
      bot_id: botId,
      workspace_id: workspace.workspaceId,
      workspace_name: workspace.workspaceName,
      integration_name: workspace.integrationName,
      state_hash: null,
      state_expires_at: null,
      updated_at: new Date(),
      ...seal({ id, organization_id }),
    };
    await tx(table)
      .insert({ id, organization_id, ...fields })
      .onConflict('id')
      .merge(fields);
    if (pendingId !== undefined && pendingId !== id)
      await connections(tx).where({ id: pendingId, organization_id }).delete();
    return firstRow(await rowsOf(toolConnectionRow, connections(tx).where({ id })));
  });
}

/**
 * Runs `work` while the connection's row is locked. Changes made with `save` commit after `work` has returned, and roll
 * back if it throws.
 * @returns the result of `work`; undefined if the connection does not exist
 */
export async function withLockedConnection<T>(
  db: Database,
  id: string,
  work: (row: ToolConnectionRow, save: (fields: Partial<ToolConnectionRow>) => Promise<void>) => Promise<T>,
): Promise<T | undefined> {
  return await db.knex.transaction(async (tx) => {
    const row = await rowOf(toolConnectionRow, connections(tx).where({ id }).forUpdate().first());
    if (row === undefined) return undefined;
    return await work(row, async (fields) => {
      await tx(table)
        .where({ id })
        .update({ ...fields, updated_at: new Date() });
    });
  });
}

/** @returns the column values of a connection whose token the workspace has just refused, or has not renewed */
export const refusedNow = (row: Pick<ToolConnectionRow, 'refused_at'>, lastError: string) => {
  const since = row.refused_at ?? new Date();
  return {
    status: 'needs_reconnect',
    last_error: lastError,
    refused_at: since,
    next_check_at: nextCheck(since),
  } as const;
};
/** The column values of a connection whose token the workspace has just accepted. */
export const takenNow = {
  status: 'connected',
  last_error: null,
  refused_at: null,
  next_check_at: null,
} as const;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * Returns the time of the next check. The wait is a quarter of the time since the first refusal, but at least a minute
 * and at most a day. Chosen.
 */
function nextCheck(since: Date): Date {
  const age = Date.now() - since.getTime();
  return new Date(Date.now() + Math.min(dayMs, Math.max(minuteMs, age / 4)));
}

/**
 * Claims at most `limit` refused connections that are due for a check, by making them due again in a minute. If the
 * caller records no result, the check is repeated then.
 */
export const takeRefusedConnections = statement('take-refused-connections', toolConnectionRow).rows<
  [limit: number]
>`
  update tool_connections set next_check_at = clock_timestamp() + interval '1 minute'
    where id in (select id from tool_connections where status = 'needs_reconnect' and next_check_at <= clock_timestamp()
      order by next_check_at limit $1 for update skip locked)
    returning *`;

/** Minutes in which a user must complete an OAuth authorization. Chosen. */
const pendingMinutes = 10;

/**
 * Stores the start of an OAuth authorization, which is valid for `pendingMinutes`, and deletes the organization's
 * expired authorizations. Not idempotent: each call adds a row.
 * @param stateHash identifies the authorization; given to `takePendingConnection` when the user returns
 */
export async function openPendingConnection(
  db: Database,
  organizationId: string,
  stateHash: Buffer,
): Promise<ToolConnectionRow> {
  await connections(db.knex)
    .where({ organization_id: organizationId, status: 'pending' })
    .where('state_expires_at', '<', new Date())
    .delete();
  const pending = {
    id: newId(),
    organization_id: organizationId,
    auth: 'OAUTH2',
    status: 'pending',
    state_hash: stateHash,
    state_expires_at: new Date(Date.now() + pendingMinutes * minuteMs),
  } as const;
  return firstRow(await rowsOf(toolConnectionRow, connections(db.knex).insert(pending).returning('*')));
}

/**
 * Consumes the state of an OAuth authorization, so that the authorization can be completed only once.
 * @returns the pending row; undefined if the state is unknown, used, or older than `pendingMinutes`
 */
export async function takePendingConnection(
  db: Database,
  stateHash: Buffer,
): Promise<ToolConnectionRow | undefined> {
  return await firstRowOf(
    toolConnectionRow,
    connections(db.knex)
      .where({ status: 'pending', state_hash: stateHash })
      .where('state_expires_at', '>', new Date())
      .update({ state_hash: null, state_expires_at: null })
      .returning('*'),
  );
}
