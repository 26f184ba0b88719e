import { v7 as newId } from 'uuid';
import { z } from 'zod';
import type { CreateAgent, UpdateAgent } from '../../../contract/conversations/agents.ts';
import { restoreDays } from '../../../contract/conversations/limits.ts';
import { creditCaps } from '../../../contract/data/credit-caps.ts';
import {
  beforeEveryId,
  bytesRow,
  decodeCursor,
  oldestFirst,
  pageFrom,
  rowsThatFit,
  uuidForm,
  type Page,
  type PageQuery,
} from '../cursor.ts';
import { capsColumn } from '../data/credit-caps.ts';
import { contentRow } from './agent-content.ts';
import {
  firstRow,
  firstRowOf,
  orConflict,
  queryRow,
  rowOf,
  rowsOf,
  statement,
  type Database,
  type Transaction,
} from '../database.ts';

const agentRow = z.object({
  id: z.string(),
  organization_id: z.string(),
  name: z.string(),
  description: z.string(),
  ...contentRow.shape,
  active: z.boolean(),
  grouping_window_seconds: z.number(),
  grouping_max_seconds: z.number().nullable(),
  grouping_max_messages: z.number().nullable(),
  input_during_run: z.enum(['next_group', 'cancel_and_merge']),
  /** Null: the installation's timeout. */
  model_timeout_seconds: z.number().nullable(),
  credit_caps: creditCaps.nullable(),
  cap_message: z.string().nullable(),
  requires_rehearsal: z.boolean(),
  inbox_id: z.string(),
  /** The published version: see keep_agent_version.sql. */
  version: z.number(),
  candidate_version: z.number().nullable(),
  candidate_percent: z.number().nullable(),
  created_at: z.date(),
  updated_at: z.date(),
  deleted_at: z.date().nullable(),
});
export type AgentRow = z.infer<typeof agentRow>;

const uniqueName = 'agents_name';
const present = (db: Database, organizationId: string) =>
  db.knex<AgentRow>('agents').where({ organization_id: organizationId, deleted_at: null });

/**
 * Creates an agent and its inbox.
 * @param id a new UUID; given by a caller that refers to the agent before it exists
 * @throws PublicError conflict if the name is taken
 */
export async function createAgent(
  db: Database,
  organizationId: string,
  agent: CreateAgent,
  id: string = newId(),
): Promise<AgentRow> {
  const inboxId = newId();
  return await orConflict(uniqueName, () =>
    db.knex.transaction(async (trx) => {
      const rows = await rowsOf(
        agentRow,
        trx('agents')
          .insert({ id, organization_id: organizationId, inbox_id: inboxId, ...columnsOf(agent) })
          .returning('*'),
      );
      await trx('inboxes').insert({ id: inboxId, organization_id: organizationId, agent_id: id });
      return firstRow(rows);
    }),
  );
}

/**
 * @returns an update that sets `updated_at` to now or, if that is later, to 1 ms after its previous value, so that each
 * change has a different time
 */
export const nextVersion = (knex: Database['knex']) => ({
  updated_at: knex.raw("greatest(clock_timestamp(), updated_at + interval '1 millisecond')"),
});

/**
 * Changes the given fields of an agent.
 * @param version the `updated_at` that the agent must still have, compared in milliseconds; undefined accepts any
 * @returns the changed agent; undefined if there is no such agent, or its `updated_at` is different
 * @throws PublicError conflict if the name is taken
 */
export async function updateAgent(
  db: Database,
  organizationId: string,
  id: string,
  change: UpdateAgent,
  version?: Date,
): Promise<AgentRow | undefined> {
  return await orConflict(uniqueName, async () => {
    const rows = db.knex('agents').where({ organization_id: organizationId, deleted_at: null, id });
    if (version !== undefined) void rows.whereRaw("date_trunc('milliseconds', updated_at) = ?", [version]);
    return await firstRowOf(
      agentRow,
      rows.update({ ...columnsOf(change), ...nextVersion(db.knex) }).returning('*'),
    );
  });
}

/**
 * Finds an agent of an organization.
 * @param id a UUID
 * @returns undefined if the organization has no such agent, or has deleted it
 */
export async function findAgent(
  db: Database,
  organizationId: string,
  id: string,
): Promise<AgentRow | undefined> {
  return await rowOf(agentRow, present(db, organizationId).where({ id }).first());
}

/** Finds an agent by its exact name. @returns undefined if the organization has none */
export async function findAgentByName(
  db: Database,
  organizationId: string,
  name: string,
): Promise<AgentRow | undefined> {
  return await rowOf(agentRow, present(db, organizationId).where({ name }).first());
}

/**
 * Finds an agent by its exact name, and locks it until the transaction ends.
 * @returns undefined if the organization has none
 */
export async function lockAgentByName(
  tx: Transaction,
  organizationId: string,
  name: string,
): Promise<AgentRow | undefined> {
  return await rowOf(agentRow, present(tx, organizationId).where({ name }).forUpdate().first());
}

/** @returns the given ids that belong to no agent of the organization, or to a deleted agent */
export async function missingAgents(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = present(db, organizationId).whereIn('id', [...ids]);
  const known = new Set(await rowsOf(z.string(), rows.pluck('id')));
  return ids.filter((id) => !known.has(id.toLowerCase()));
}

/**
 * Lists agents, oldest first. A page has fewer than `limit` agents if their instructions and scripts are large.
 * @param query.ids lists only agents with these ids; absent: all agents
 * @throws PublicError validation_failed if the cursor is malformed
 */
export async function listAgents(
  db: Database,
  organizationId: string,
  query: PageQuery & { ids?: readonly string[] | undefined },
): Promise<Page<AgentRow>> {
  const after = decodeCursor(query.cursor, uuidForm) ?? beforeEveryId;
  const listed = () => {
    const rows = db.knex<AgentRow>('agents').whereNull('deleted_at');
    if (query.ids !== undefined) void rows.whereIn('id', [...query.ids]);
    return rows;
  };
  const having = { organization_id: organizationId };
  const size = db.knex.raw(
    "octet_length(instructions) + octet_length(coalesce(script::text, '')) + octet_length(coalesce(output_schema::text, '')) as bytes",
  );
  const sizes = await rowsOf(
    bytesRow,
    oldestFirst(listed(), 'agents', having, after).limit(query.limit).select(size),
  );
  const limit = rowsThatFit(sizes, query.limit);
  const rows = await rowsOf(agentRow, oldestFirst(listed(), 'agents', having, after).limit(limit + 1));
  return pageFrom(rows, limit, ({ id }) => id);
}

/**
 * Marks an agent as deleted. Its row remains, so that its conversations stay readable, and inputs that were accepted
 * before are still answered.
 * @returns true if this call has deleted it; false if there is no such agent, or it was deleted before
 */
export async function deleteAgent(db: Database, organizationId: string, id: string): Promise<boolean> {
  return (await present(db, organizationId).where({ id }).update({ deleted_at: db.knex.fn.now() })) > 0;
}

const deletedAgent = z.object({ id: z.string(), name: z.string(), deleted_at: z.date() });

const restorable = (db: Database) =>
  db.knex<AgentRow>('agents').whereRaw("deleted_at > now() - ? * interval '1 day'", [restoreDays]);

/**
 * Lists the agents that were deleted in the last `restoreDays` days, in the order in which they were created.
 * @param query.ids lists only agents with these ids; absent: all agents
 * @throws PublicError validation_failed if the cursor is malformed
 */
export async function listDeletedAgents(
  db: Database,
  organizationId: string,
  query: PageQuery & { ids?: readonly string[] | undefined },
): Promise<Page<z.infer<typeof deletedAgent>>> {
  const after = decodeCursor(query.cursor, uuidForm) ?? beforeEveryId;
  const listed = restorable(db);
  if (query.ids !== undefined) void listed.whereIn('id', [...query.ids]);
  const rows = await rowsOf(
    deletedAgent,
    oldestFirst(listed, 'agents', { organization_id: organizationId }, after)
      .limit(query.limit + 1)
      .select('id', 'name', 'deleted_at'),
  );
  return pageFrom(rows, query.limit, ({ id }) => id);
}

/**
 * Restores a deleted agent with all of its settings. A repeated call returns undefined.
 * @returns the agent; undefined if the organization has no deleted agent with this id, or deleted it more than
 * `restoreDays` days ago
 * @throws PublicError conflict if another agent has its name
 */
export async function restoreAgent(
  db: Database,
  organizationId: string,
  id: string,
): Promise<AgentRow | undefined> {
  const rows = () => restorable(db).where({ organization_id: organizationId, id });
  return await orConflict(uniqueName, () =>
    firstRowOf(agentRow, rows().update({ deleted_at: null, updated_at: db.knex.fn.now() }).returning('*')),
  );
}

const inbox = z.object({ id: z.string(), agent_id: z.string() });

/**
 * Binds an inbox to an agent, instead of its current agent. The caller checks that the agent belongs to the
 * organization.
 * @returns the inbox; undefined if the organization has no such inbox
 */
export const bindInbox = statement('bind-inbox', inbox).row<
  [organizationId: string, id: string, agentId: string]
>`
  update inboxes set agent_id = $3 where id = $2 and organization_id = $1 returning id, agent_id`;

/**
 * Maximum agents in a list of models, which has no further pages. Chosen: twice as many as the tests use
 * (test/browser/conversations/many-agents.test.ts).
 */
const maxModels = 10_000;
const modelRow = agentRow.pick({ id: true, name: true, created_at: true });

/**
 * Lists the active agents of an organization, as models.
 * @param ids lists only agents with these ids; undefined: all agents
 * @returns at most `maxModels` agents, oldest first
 */
export const listModels = statement('list-models', modelRow).rows<
  [organizationId: string, ids: readonly string[] | undefined]
>`
  select id, name, created_at from agents
    where organization_id = $1 and deleted_at is null and active and ($2::uuid[] is null or id = any($2))
    order by id limit ${maxModels}`;

const agentOfTarget = statement('agent-of-target', z.object({ id: z.string().nullable() }))`
  select coalesce((select i.agent_id from inboxes i where i.id = $2 and i.organization_id = $1),
                  (select a.id from agents a where a.id = $2 and a.organization_id = $1)) as id`;

/**
 * Finds the agent that answers new conversations of a target.
 * @param targetId the id of an agent or an inbox, a UUID
 * @returns the agent's id, even if the agent is deleted; undefined if the organization has no such target
 */
export async function findAgentOfTarget(
  db: Database,
  organizationId: string,
  targetId: string,
): Promise<string | undefined> {
  const row = await queryRow(db, agentOfTarget, [organizationId, targetId]);
  return row?.id ?? undefined;
}

const agentsOfConversation = statement(
  'agents-of-conversation',
  z.object({ now: z.string(), first: z.string() }),
)`
  select c.agent_id as now, coalesce(i.agent_id, c.target_id) as first
    from conversations c left join inboxes i on i.id = c.target_id where c.organization_id = $1 and c.id = $2`;

/**
 * Finds the agents of a conversation.
 * @param id a UUID
 * @returns the ids of the agent that answers the conversation now, and of the agent of the conversation's target (for
 * an inbox, the agent to which it is bound now); an empty list if the organization has no such conversation
 */
export async function findAgentsOfConversation(
  db: Database,
  organizationId: string,
  id: string,
): Promise<string[]> {
  const row = await queryRow(db, agentsOfConversation, [organizationId, id]);
  return row === undefined ? [] : [row.now, row.first];
}

function columnsOf(agent: UpdateAgent): Record<string, unknown> {
  const { follow_ups, script, tool_policies, approvers, output_schema, credit_caps, ...plain } = agent;
  return {
    ...Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)),
    ...(follow_ups !== undefined && { follow_ups: JSON.stringify(follow_ups) }),
    ...(tool_policies !== undefined && { tool_policies: JSON.stringify(tool_policies) }),
    ...(approvers !== undefined && { approvers: JSON.stringify(approvers) }),
    ...(script !== undefined && { script: script === null ? null : JSON.stringify(script) }),
    ...(output_schema !== undefined && {
      output_schema: output_schema === null ? null : JSON.stringify(output_schema),
    }),
    ...(credit_caps !== undefined && { credit_caps: capsColumn(credit_caps) }),
  };
}

/**
 * True if the organization has this inbox.
 * @param id a UUID
 */
export const findInbox = statement('find-inbox').hasRow<[organizationId: string, id: string]>`
  select id from inboxes where organization_id = $1 and id = $2`;
