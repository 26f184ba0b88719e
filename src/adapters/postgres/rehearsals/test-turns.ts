/** Stores the test set of an agent: turns that its rehearsals can ask again. */
import { z } from 'zod';
import { testTurn, type TestTurn } from '../../../contract/rehearsals/rehearsals.ts';
import { actorName, identityOf, type Actor } from '../accounts/audit-log.ts';
import type { AgentKey } from '../conversations/agent-versions.ts';
import { idBelow, pageFrom, type Page, type PageQuery } from '../cursor.ts';
import { isoDate, queryRow, queryRows, statement, type Database, type Transaction } from '../database.ts';
import { turnsOfAgent } from './rehearsals.ts';

const addWhere = (name: string, chosen: string) => statement(name, z.object({ is_new: z.boolean() }))`
  insert into test_turns (id, organization_id, agent_id, run_id, author, created_at)
    select gen_random_uuid(), $3, $2, r.id, ${actorName('$4', '$5', '$6')}, clock_timestamp()
      from ${turnsOfAgent} and ${chosen} = $1 order by r.id limit $7
    on conflict (agent_id, run_id) do update set author = test_turns.author returning xmax = 0 as is_new`;
const addRun = addWhere('add-test-turn', 'r.id');
const addConversation = addWhere('add-test-turns-of-conversation', 'r.conversation_id');
const count = statement('count-test-turns', z.object({ count: z.number() }))`
  select count(*)::integer as count from test_turns where agent_id = $1 and organization_id = $2`;

/**
 * Adds turns of the agent to its test set. Does not check the maximum size of a test set.
 * @param of the run of one turn, or a conversation whose oldest turns are added
 * @param limit maximum number of turns that this call reads, including those that the test set already has
 * @returns how many turns were added; undefined if the run or the conversation has no turn of the agent
 */
export async function addTestTurns(
  tx: Transaction,
  actor: Actor,
  { id, organizationId }: AgentKey,
  of: { runId: string } | { conversationId: string },
  limit: number,
): Promise<number | undefined> {
  const by = identityOf(actor);
  const [add, chosen] = 'runId' in of ? [addRun, of.runId] : [addConversation, of.conversationId];
  const values = [chosen, id, organizationId, actor.kind, by.id, by.name, limit];
  const rows = await queryRows(tx, add, values);
  return rows.length === 0 ? undefined : rows.filter(({ is_new }) => is_new).length;
}

/** Counts the test turns of an agent. @returns 0 if the agent has none or does not exist */
export async function countTestTurns(db: Database, { id, organizationId }: AgentKey): Promise<number> {
  return (await queryRow(db, count, [id, organizationId]))?.count ?? 0;
}

const list = statement('list-test-turns', testTurn.extend({ created_at: isoDate }))`
  select t.id, t.run_id, r.conversation_id, t.author, t.created_at,
      left(coalesce((select string_agg(left(m.text, 4000), E'\\n' order by m.seq) from messages m
        where m.conversation_id = r.conversation_id and m.run_ordinal = r.ordinal and m.origin = 'user'), ''), 4000) as input
    from test_turns t join runs r on r.id = t.run_id
    where (t.agent_id, t.organization_id, t.id) < ($1, $2, $3) and (t.agent_id, t.organization_id) >= ($1, $2)
    order by t.agent_id desc, t.organization_id desc, t.id desc limit $4`;

/**
 * Lists the turns of an agent's test set, in descending order of their random ids.
 * @throws PublicError validation_failed if the cursor is malformed
 */
export async function listTestTurns(
  db: Database,
  { id, organizationId }: AgentKey,
  { limit, cursor }: PageQuery,
): Promise<Page<TestTurn>> {
  const values = [id, organizationId, idBelow(cursor), limit + 1];
  const rows = await queryRows(db, list, values);
  return pageFrom(rows, limit, (row) => row.id);
}

const remove = statement('remove-test-turn')`
  delete from test_turns where id = $3 and agent_id = $1 and organization_id = $2 returning id`;

/** Removes a turn from an agent's test set. @returns false if the test set has no such turn */
export async function removeTestTurn(
  tx: Transaction,
  { id, organizationId }: AgentKey,
  turnId: string,
): Promise<boolean> {
  return (await queryRow(tx, remove, [id, organizationId, turnId])) !== undefined;
}
