/**
 * Writes and reads the audit log. src/contract/accounts/audit-events.ts lists the events. audit-chain.ts seals entries
 * and deletes old ones; the database refuses any other change.
 */
import { v7 as newId } from 'uuid';
import { z } from 'zod';
import {
  auditAction,
  type AuditAction,
  type AuditFilters,
  type AuditLine,
} from '../../../contract/accounts/audit.ts';
import {
  allRows,
  encodeCursor,
  firstIdAt,
  idBelow,
  newestFirst,
  pageFrom,
  smallerId,
  type Page,
} from '../cursor.ts';
import { idRow, queryRows, rowOf, rowsOf, statement, type Database, type Transaction } from '../database.ts';
import { membershipsOf } from './members.ts';

const address = { address: z.string().optional() };
/**
 * The person, token, agent or system that performs an action, with its network address if that is known. Each
 * authenticated caller of the API is an actor. `tokenId` is the id of an API token or of a member's grant to an MCP
 * client.
 */
export const actor = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('person'), userId: z.string(), ...address }),
  z.object({ kind: z.literal('token'), tokenId: z.string(), ...address }),
  /** An agent that runs a tool. */
  z.object({ kind: z.literal('agent'), agentId: z.string(), ...address }),
  /** The command line, Parley itself, or somebody who is not signed in. The audit log shows `name`. */
  z.object({ kind: z.literal('system'), name: z.string(), ...address }),
]);
export type Actor = z.infer<typeof actor>;

/** An actor, and the organization whose audit log receives the event. */
export type OrganizationActor = Actor & { readonly organizationId: string };

/** @returns the actor fields of a caller without its other fields; an agent has no address */
export function actorOf(caller: Actor): Actor {
  const { kind, address } = caller;
  if (kind === 'person') return { kind, userId: caller.userId, address };
  if (kind === 'token') return { kind, tokenId: caller.tokenId, address };
  if (kind === 'agent') return { kind, agentId: caller.agentId };
  return { kind, name: caller.name, address };
}

/**
 * Returns a SQL expression for the name of an actor.
 * @param kind SQL expression for the actor's kind, such as `$3`
 * @param id SQL expression for the actor's id
 * @param other SQL expression for the name that is used if no row has this id
 */
export const actorName = (kind: string, id: string, other: string): string =>
  `coalesce(case ${kind} when 'person' then (select email from console_users where id = ${id})
                 when 'token' then coalesce(
                   (select 'API token ' || name || ' (' || prefix || '…)' from api_tokens where id = ${id}),
                   (select 'MCP client ' || c.name || ' of ' || u.email from mcp_grants g
                      join mcp_clients c on c.id = g.client_id join console_users u on u.id = g.user_id where g.id = ${id}))
                 when 'agent' then (select 'agent ' || name from agents where id = ${id})
            end, ${other})`;

const record = statement('record-audit')`
  insert into audit_log (id, organization_id, actor_id, actor, action, target, address)
    values ($1, $2, $4, ${actorName('$3', '$4', '$5')}, $6, left($7, 300), $8)`;

/**
 * Writes an audit event in the transaction of the change that it records, so that both commit or neither does. Only
 * record_credit_event.sql writes events in another way.
 * @param actor its current name is stored: the user's email, or the name of the token or the agent. For a deleted actor
 * or the system, the name from `identityOf` is stored
 * @param target describes what was changed; the first 300 characters are stored
 */
export async function recordAudit(
  tx: Transaction,
  actor: OrganizationActor,
  action: AuditAction,
  target: string,
): Promise<void> {
  const { kind, organizationId, address = null } = actor;
  const { id, name } = identityOf(actor);
  await queryRows(tx, record, [newId(), organizationId, kind, id, name, action, target, address]);
}

/**
 * Writes an event about a user's account to the log of each organization that the user belongs to. The transaction must
 * include all organizations (see `inAccountTransaction`).
 * @returns the number of these organizations
 */
export async function recordForAccount(
  tx: Transaction,
  userId: string,
  actor: Actor,
  action: AuditAction,
  target: string,
): Promise<number> {
  const memberships = await membershipsOf(tx, userId);
  for (const { organizationId } of memberships)
    await recordAudit(tx, { ...actor, organizationId }, action, target);
  return memberships.length;
}

/** @returns the actor's id (null for `system`), and the name to show if no row has this id */
export function identityOf(actor: Actor): { id: string | null; name: string } {
  if (actor.kind === 'person') return { id: actor.userId, name: 'a deleted user' };
  if (actor.kind === 'token') return { id: actor.tokenId, name: 'a deleted API token' };
  if (actor.kind === 'agent') return { id: actor.agentId, name: 'a deleted agent' };
  return { id: null, name: actor.name };
}

/** The fields of an entry that its hash covers. The hash also covers the position and the previous hash. */
export const chainedFields = z.object({
  organization_id: z.string(),
  id: z.string(),
  at: z.date(),
  actor_id: z.string().nullable(),
  actor: z.string(),
  action: z.string(),
  target: z.string(),
  address: z.string().nullable(),
});
export type ChainedFields = z.infer<typeof chainedFields>;

const auditRow = chainedFields.extend({
  position: z.number().nullable(),
  hash: z.instanceof(Buffer).nullable(),
});
type AuditRow = z.infer<typeof auditRow>;

/** Maximum entries that are searched for one page, so that a search in a long log stays fast. Chosen. */
const searchedAtOnce = 10_000;
/**
 * Maximum milliseconds between the time in an entry's id, from the clock of the process that wrote it, and its column
 * `at`, from the database's clock. Filters by time also limit the ids, with this tolerance. One day, chosen.
 */
const clocksDifferMs = 86_400_000;

/** Selects entries by action, actor and time, newest first, with ids below `below`. `auditPage` adds the text search. */
function filtered(db: Database, organizationId: string, filters: AuditFilters, below: string) {
  const { action, actor: by, from, to } = filters;
  const end = to === undefined ? below : smallerId(below, firstIdAt(Date.parse(to) + clocksDifferMs));
  const isByActor = by !== undefined && by !== 'system';
  const query = newestFirst(
    db.knex<AuditRow>('audit_log'),
    'audit_log',
    {
      ...(isByActor && { actor_id: by }),
      ...(by === undefined && action !== undefined && { action }),
      organization_id: organizationId,
    },
    end,
  );
  if (by === 'system') void query.whereNull('actor_id');
  if (by !== undefined && action !== undefined) void query.where({ action });
  if (to !== undefined) void query.where('at', '<', new Date(to));
  if (from !== undefined)
    void query
      .where('at', '>=', new Date(from))
      .where('id', '>=', firstIdAt(Date.parse(from) - clocksDifferMs));
  return query;
}

/**
 * Lists the audit events of an organization, newest first. With a search, or with both an actor and an action, a page may
 * have fewer rows than its limit, even none, although there is a next page.
 * @throws PublicError validation_failed if the cursor is malformed
 */
export async function listAudit(
  db: Database,
  organizationId: string,
  query: { limit: number; cursor?: string | undefined } & AuditFilters,
): Promise<Page<Omit<AuditLine, 'position' | 'hash'>>> {
  const { data, next_cursor } = await auditPage(db, organizationId, query);
  return { data: data.map(({ position: _, hash: __, ...entry }) => entry), next_cursor };
}

async function auditPage(
  db: Database,
  organizationId: string,
  { limit, cursor, search, ...filters }: { limit: number; cursor?: string | undefined } & AuditFilters,
): Promise<Page<AuditLine>> {
  const below = idBelow(cursor);
  const query = filtered(db, organizationId, filters, below);
  let last: string | undefined;
  // No index has both the actor and the action, so the actions of an actor are searched as a text is.
  const isActionOfActor = filters.actor !== undefined && filters.action !== undefined;
  if (search !== undefined || isActionOfActor) {
    const searched = isActionOfActor ? { ...filters, action: undefined } : filters;
    const lastOf = filtered(db, organizationId, searched, below)
      .offset(searchedAtOnce - 1)
      .first('id');
    last = (await rowOf(idRow, lastOf))?.id;
    if (last !== undefined) void query.where('id', '>=', last);
  }
  if (search !== undefined) {
    void query.whereRaw("strpos(lower(concat_ws(' ', actor, target, address)), lower(?)) > 0", [search]);
  }
  const rows = await rowsOf(auditRow, query.limit(limit + 1).select('*'));
  const page = pageFrom(rows.map(lineOf), limit, (row) => row.id);
  return { ...page, next_cursor: page.next_cursor ?? (last === undefined ? null : encodeCursor(last)) };
}

function lineOf({ organization_id: _, ...row }: AuditRow): AuditLine {
  return {
    ...row,
    at: row.at.toISOString(),
    action: auditAction.parse(row.action),
    hash: row.hash?.toString('hex') ?? null,
  };
}

const exportedAtOnce = 500;

/**
 * Yields the entries that match the filters, newest first. Reads `exportedAtOnce` at a time, so that a log of any
 * length can be exported.
 *
 * @param ask runs each query. An API handler enters the organization's scope in it, because the handler's own scope
 * ends before the entries are read.
 */
export async function* auditEntries(
  db: Database,
  ask: <T>(query: () => Promise<T>) => Promise<T>,
  organizationId: string,
  filters: AuditFilters,
): AsyncGenerator<AuditLine> {
  yield* allRows((cursor) =>
    ask(() => auditPage(db, organizationId, { ...filters, limit: exportedAtOnce, cursor })),
  );
}
