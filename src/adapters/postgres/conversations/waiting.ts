/** Reads the conversations that wait for a person. */
import { z } from 'zod';
import {
  maxWaitingCounted,
  maxWaitingListed,
  type WaitingConversations,
} from '../../../contract/conversations/waiting.ts';
import { queryRows, statement, type Database } from '../database.ts';

const waitingRow = z.object({
  id: z.string(),
  contact: z.string().nullable(),
  agent_name: z.string(),
  waiting_since: z.date(),
  waiting_handed_over: z.boolean(),
  count: z.number(),
});
const waiting = statement('waiting-conversations', waitingRow)`
  with newest as (
    select * from conversations where organization_id = $1 and waiting_since is not null and not is_test
      order by updated_at desc, id desc limit ${maxWaitingCounted})
  select c.id, coalesce(c.contact_name, c.contact_id) as contact, a.name as agent_name, c.waiting_since, c.waiting_handed_over,
      (select count(*)::integer from newest) as count
    from newest c join agents a on a.id = c.agent_id
    order by c.waiting_since desc, c.id limit ${maxWaitingListed}`;

/**
 * Counts the conversations that wait for a person, at most `maxWaitingCounted`: those that were active last. Lists those of
 * them that began to wait last.
 */
export async function findWaiting(db: Database, organizationId: string): Promise<WaitingConversations> {
  const rows = await queryRows(db, waiting, [organizationId]);
  return {
    count: rows[0]?.count ?? 0,
    newest: rows.map((row) => ({
      id: row.id,
      contact: row.contact,
      agent_name: row.agent_name,
      waiting_since: row.waiting_since.toISOString(),
      reason: row.waiting_handed_over ? 'hand_over' : 'message',
    })),
  };
}
