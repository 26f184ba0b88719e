/**
 * Finds and erases data that is older than the retention of its organization, and counts the conversations that another
 * retention would erase, completely or in part.
 */
import { v7 as newId } from 'uuid';
import { z } from 'zod';
import { expiring, type Expiring } from '../../../contract/accounts/organization.ts';
import { firstRow, queryResult, queryRows, resultRow, statement, type Database } from '../database.ts';

const expiredConversation = z.object({
  id: z.string(),
  /** Runs that ended before this time, and messages without a run and notes created before it, must be erased. */
  before: z.date(),
});
export type ExpiredConversation = z.infer<typeof expiredConversation>;

/**
 * Finds conversations with an expired run, or an expired message without a run, or an expired note. Those with the oldest
 * data come first.
 * @returns at most `limit` conversations
 */
export const findExpired = statement('expired-conversations', expiredConversation).rows<[limit: number]>`
  select id, before from expired_conversations($1)`;

/**
 * Counts the conversations that have expired runs, or expired messages without a run. Reads only the newest $3 of each
 * kind, because these are the ones that a shorter retention adds. Older ones expire under the current retention anyway.
 */
const counted = statement('count-expiring', expiring)`
  with cutoff as (select clock_timestamp() - make_interval(days => $2) as at),
    old as ((select r.conversation_id from runs r where r.organization_id = $1 and r.finished_at < (select at from cutoff)
        order by r.finished_at desc limit $3)
      union all (select m.conversation_id from messages m where m.organization_id = $1 and m.run_id is null
        and m.created_at < (select at from cutoff) order by m.created_at desc limit $3)),
    each as (select c.conversation_id, exists (select from runs n where n.conversation_id = c.conversation_id
        and (n.finished_at is null or n.finished_at >= (select at from cutoff)))
        or exists (select from messages m where m.conversation_id = c.conversation_id and m.run_id is null
          and m.created_at >= (select at from cutoff)) as goes_on
      from (select distinct conversation_id from old) c)
  select count(*) filter (where not goes_on)::int as whole, count(*) filter (where goes_on)::int as part,
      (select count(*) from old) < $3 as complete from each`;

/** Maximum runs, and maximum messages without a run, that are counted. Limits the query's duration. Chosen. */
const maxRunsCounted = 20_000;

/**
 * Counts the conversations that a retention of this many days would erase now. Reads at most `maxRunsCounted` expired
 * runs, and as many expired messages without a run.
 */
export async function countExpiring(db: Database, organizationId: string, days: number): Promise<Expiring> {
  return firstRow(await queryRows(db, counted, [organizationId, days, maxRunsCounted]));
}

const erase = statement('erase-expired', resultRow(z.boolean()))`select erase_expired($1, $2, $3) as result`;

/**
 * Erases a conversation or, if it also has newer data, its expired data, in statements of limited size (see
 * `functions/erase_expired.sql`). A repeated call erases the rest.
 * @param hasTime returns false once the time for this call is over
 */
export async function eraseExpiredData(
  db: Database,
  { id, before }: ExpiredConversation,
  hasTime: () => boolean,
): Promise<void> {
  while (await queryResult(db, erase, [id, before, newId()])) if (!hasTime()) return;
}
