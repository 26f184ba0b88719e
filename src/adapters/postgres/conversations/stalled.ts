/** Finds stalled work: conversations whose due work makes no progress, and deliveries whose attempt never ended. */
import { z } from 'zod';
import { channelName } from '../../../contract/conversations/channel-name.ts';
import { queryRows, statement, type Database } from '../database.ts';

const stalledConversation = z.object({
  id: z.string(),
  organization_id: z.string(),
  agent_id: z.string(),
  channel: channelName,
  /** The run in progress, if any. */
  running_run: z.string().nullable(),
  /** True if a callback or a reply is pending or in progress. */
  delivers: z.boolean(),
  /** How often recovery has found the same work due since the last replacement, including this time. */
  times_found: z.number(),
  /** Milliseconds since recovery first found the work due or, if later, since the last replacement. */
  stalled_ms: z.number(),
  /** How often the workflow was replaced because of this work. */
  replaced: z.number(),
});
export type StalledConversation = z.infer<typeof stalledConversation>;

/**
 * SQL condition on a row of `runs`: no tool call of its conversation waits for an approval. A conversation that waits
 * for an approval is idle on purpose. An approval that expired less than 5 s ago still counts as waiting.
 */
const noApprovalWaits = `not exists (select from approvals p where p.conversation_id = runs.conversation_id
  and p.status = 'waiting' and p.expires_at > clock_timestamp() - interval '5 s')`;

/**
 * Finds conversations with a group that is more than 5 s overdue, a run in progress that was claimed more than 20 s
 * ago, or a delivery that has been pending for more than 20 s. Groups and runs do not count while their conversation
 * waits for an approval. Selects at most `limit` conversations at random, so that many long runs cannot hide a stalled
 * one permanently. Counts for each conversation how often the same work was found due.
 */
export const findStalled = statement('stalled-conversations', stalledConversation).rows<[limit: number]>`
  with found as (
      select c.id, c.organization_id, c.agent_id, c.channel, r.id as run_id, r.state, d.id as delivery_id
        from conversations c
          left join lateral (select id, state from runs where conversation_id = c.id and state in ('collecting', 'ready', 'running')
            order by ordinal limit 1) r on true
          left join lateral (select id from deliveries where conversation_id = c.id and status in ('pending', 'attempting')
            order by id limit 1) d on true
        where c.id in (
          select conversation_id from runs where state in ('collecting', 'ready') and closes_at < clock_timestamp() - interval '5 s' and ${noApprovalWaits}
          union select conversation_id from runs where state = 'running' and claimed_at < clock_timestamp() - interval '20 s' and ${noApprovalWaits}
          union select conversation_id from deliveries where status = 'pending' and created_at < clock_timestamp() - interval '20 s')
        order by random() limit $1
    ), noted as (
      insert into recoveries as v (conversation_id, organization_id, due)
        select id, organization_id, concat_ws(' ', delivery_id, run_id, state) from found order by id
        on conflict (conversation_id) do update set due = excluded.due, found_at = clock_timestamp(),
          since = case when v.due = excluded.due then v.since else clock_timestamp() end,
          times_found = case when v.due = excluded.due then v.times_found + 1 else 1 end,
          replaced = case when v.due = excluded.due then v.replaced else 0 end
        returning conversation_id, times_found, replaced, extract(epoch from found_at - since)::double precision * 1000 as stalled_ms
    )
    select f.id, f.organization_id, f.agent_id, f.channel, case when f.state = 'running' then f.run_id end as running_run,
        f.delivery_id is not null as delivers, n.times_found, n.stalled_ms, n.replaced
      from found f join noted n on n.conversation_id = f.id`;

/**
 * Counts a replacement of a conversation's workflow, and resets `times_found` and `stalled_ms`. Not idempotent: each
 * call counts another replacement.
 */
export const recordReplacedWorkflow = statement('note-replaced-workflow').write<[conversationId: string]>`
  update recoveries set since = clock_timestamp(), times_found = 0, replaced = replaced + 1 where conversation_id = $1`;

const forget = statement('forget-old-attempts')`
  update deliveries set status = 'unknown', finished_at = clock_timestamp(),
      error = 'The process ended while it was attempting this callback.'
    where id in (select id from deliveries where status = 'attempting'
      and attempted_at < clock_timestamp() - make_interval(secs => $1::double precision / 1000) limit $2)
      and status = 'attempting'
    returning id`;

/**
 * Records the status `unknown` for callbacks and alerts whose attempt began more than `olderThanMs` milliseconds ago
 * and has no result. They are never attempted again.
 * @returns the number of changed deliveries, at most `limit`
 */
export async function recordLostAttempts(db: Database, olderThanMs: number, limit: number): Promise<number> {
  return (await queryRows(db, forget, [olderThanMs, limit])).length;
}
