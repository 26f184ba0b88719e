/** Reads the versions of agents, and publishes an earlier one again. `keep_agent_version.sql` writes and deletes them. */
import {
  versionedFields,
  type AgentChange,
  type AgentContent,
  type AgentVersion,
  type AgentVersionDetail,
} from '../../../contract/conversations/agent-versions.ts';
import { actorName, identityOf, type Actor } from '../accounts/audit-log.ts';
import { decodeCursor, pageFrom, type Page } from '../cursor.ts';
import { queryRow, queryRows, type Database, type Statement, type Transaction } from '../database.ts';

/** An agent of an organization. */
export interface AgentKey {
  id: string;
  organizationId: string;
}

interface VersionRow extends Record<string, unknown> {
  version: number;
  published: boolean;
  created_at: Date | null;
  author: string | null;
  note: string | null;
  restores: number | null;
}
type ContentRow = VersionRow & {
  [Field in keyof AgentContent]-?: NonNullable<AgentContent[Field]> | null;
} & {
  instructions: string;
};

const columns = `v.version, v.version = a.version as published, v.created_at, v.author, v.note, v.restores`;
const ofAgent = `from agents a join agent_versions v on v.agent_id = a.id
  where a.id = $1 and a.organization_id = $2 and a.deleted_at is null`;

const list: Statement = {
  name: 'list-agent-versions',
  text: `select ${columns} ${ofAgent} and v.version < $3 order by v.version desc limit $4`,
};

/**
 * Lists the kept versions of an agent, newest first.
 * @returns an empty page if the organization has no such agent
 * @throws PublicError validation_failed if we did not issue the cursor
 */
export async function listAgentVersions(
  db: Database,
  { id, organizationId }: AgentKey,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<AgentVersion>> {
  const below = decodeCursor(cursor, /^\d{1,10}$/) ?? '2147483647';
  const rows = await queryRows<VersionRow>(db, list, [id, organizationId, below, limit + 1]);
  return pageFrom(
    rows,
    limit,
    (row) => row.version,
    (row) => versionFrom(row),
  );
}

const find: Statement = {
  name: 'find-agent-version',
  text: `select ${columns}, ${versionedFields.map((field) => `v.${field}`).join(', ')} ${ofAgent} and v.version = $3`,
};
const previous: Statement = {
  name: 'previous-agent-version',
  text: `select max(v.version) as version ${ofAgent} and v.version < $3`,
};

/**
 * Reads one version, and how it differs from another.
 * @param comparedWith default: the newest kept version before it
 * @returns undefined if the organization has no such agent, or the agent has not kept one of the versions
 */
export async function findAgentVersion(
  db: Database,
  agent: AgentKey,
  version: number,
  comparedWith?: number,
): Promise<AgentVersionDetail | undefined> {
  const row = await versionRow(db, agent, version);
  if (row === undefined) return undefined;
  const of = [agent.id, agent.organizationId, version];
  const other =
    comparedWith ?? (await queryRow<{ version: number | null }>(db, previous, of))?.version ?? null;
  const before = other === null ? undefined : await versionRow(db, agent, other);
  if (other !== null && before === undefined) return undefined;
  const content = contentOf(row);
  return {
    ...versionFrom(row),
    content,
    compared_with: other,
    changes: before === undefined ? [] : changesBetween(contentOf(before), content),
  };
}

async function versionRow(
  db: Database,
  { id, organizationId }: AgentKey,
  version: number,
): Promise<ContentRow | undefined> {
  return await queryRow<ContentRow>(db, find, [id, organizationId, version]);
}

/** @returns the fields that both record and that differ, in the order in which the console shows them */
function changesBetween(before: AgentContent, after: AgentContent): AgentChange[] {
  return versionedFields.flatMap((field) => {
    const [was, is] = [before[field], after[field]];
    if (was === undefined || is === undefined || JSON.stringify(was) === JSON.stringify(is)) return [];
    return [{ field, before: was, after: is }];
  });
}

function versionFrom({ version, published, created_at, author, note, restores }: VersionRow): AgentVersion {
  return { version, published, created_at: created_at?.toISOString() ?? null, author, note, restores };
}

function contentOf(row: ContentRow): AgentContent {
  const { instructions, follow_ups, transfers_to, tools, tool_policies, model, script, connections } = row;
  return {
    instructions,
    ...(row.created_at !== null && { model, script }),
    ...{ follow_ups: follow_ups ?? [], transfers_to: transfers_to ?? [], tools: tools ?? [] },
    tool_policies: tool_policies ?? [],
    ...(row.created_at !== null && { connections }),
  };
}

const describe: Statement = {
  name: 'describe-agent-version',
  text: `update agent_versions set author_id = $4, author = ${actorName('$3', '$4', '$5')}, note = $6, restores = $7
           where agent_id = $1 and version = $2 and author is null`,
};

/**
 * Records whose version it is, in the transaction that made it. Does not change a version that has an author.
 * @param about.restores the version whose content it publishes again
 */
export async function describeVersion(
  tx: Transaction,
  actor: Actor,
  { id, version }: { id: string; version: number },
  about: { note?: string | undefined; restores?: number } = {},
): Promise<void> {
  const author = identityOf(actor);
  await queryRows(tx, describe, [
    ...[id, version, actor.kind, author.id, author.name],
    ...[about.note ?? null, about.restores ?? null],
  ]);
}
