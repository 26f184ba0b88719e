/** Reads the figures of the overview page: an organization's activity in the last days. */
import { z } from 'zod';
import { maxOverviewAgents } from '../../../contract/data/limits.ts';
import { overview, type Overview } from '../../../contract/data/overview.ts';
import { handOverTool } from '../../models/model.ts';
import { queryRows, statement, type Database } from '../database.ts';

const { totals: totalsRow, days: dayList, agents: agentList } = overview.shape;
const { conversations, with_people, ...numbersShape } = totalsRow.shape;

/** SQL: ids of the test conversations of organization $1, which the figures exclude. */
const tests = '(select c.id from conversations c where c.organization_id = $1 and c.is_test)';
// SQL: the runs of organization $1 that have ended since $2 (UTC midnight of the first day), without those of test
// conversations. A run counts on the day on which it ended.
const ended = `
  select r.id, r.organization_id, r.conversation_id, r.agent_id, r.state, r.finished_at,
    extract(epoch from r.finished_at - asked.since) * 1000 as ms,
    coalesce((select sum(s.credits) from run_steps s where s.run_id = r.id), 0) as credits, asked.messages as received
  from runs r cross join lateral (select count(*) as messages, min(m.created_at) as since from messages m
    where m.conversation_id = r.conversation_id and m.run_ordinal = r.ordinal and m.origin = 'user') asked
  where r.organization_id = $1 and r.finished_at >= $2
    and r.conversation_id not in ${tests}`;
/** SQL expression: the credits of actions called outside of conversations, at or after `from` and before `to`. */
const direct = (from: string, to: string) => `
  coalesce((select sum(u.credits) from tool_usage u where u.organization_id = $1 and u.conversation_id is null
    and u.created_at >= ${from} and u.created_at < ${to}), 0)`;
/** SQL expression: the number of users' messages that no run answers, stored at or after `from` and before `to`. */
const unanswered = (from: string, to: string) => `
  (select count(*) from messages q where q.organization_id = $1 and q.run_id is null and q.origin = 'user'
    and q.created_at >= ${from} and q.created_at < ${to} and q.conversation_id not in ${tests})`;
const answered = "e.state = 'answered'";
const numbers = (credits = '0', received = '0') => `
  (coalesce(sum(e.received), 0) + ${received})::integer as received,
  coalesce(sum(e.received) filter (where ${answered}), 0)::integer as answered,
  count(e.id) filter (where e.state = 'failed')::integer as failed,
  percentile_cont(0.5) within group (order by e.ms) filter (where ${answered}) as median_ms,
  percentile_cont(0.95) within group (order by e.ms) filter (where ${answered}) as p95_ms,
  (coalesce(sum(e.credits), 0) + ${credits})::double precision as credits`;

const dayRange = ["day at time zone 'utc'", "(day + interval '1 day') at time zone 'utc'"] as const;
const byDay = statement('overview-by-day', dayList.element)`
  with ended as (${ended})
    select to_char(day, 'YYYY-MM-DD') as day, ${numbers(direct(...dayRange), unanswered(...dayRange))}
      from generate_series($2::timestamptz at time zone 'utc', $3::timestamptz at time zone 'utc', interval '1 day') as day
      left join ended e on (e.finished_at at time zone 'utc')::date = day::date
      group by day order by day`;
// After a transfer, a message counts for every agent that took part in its answer. The credits of a model call count
// for the agent that made the call. A message that no run answers counts for the agent of its conversation, as it
// counts in the totals: without it, the agents' messages could add up to fewer than the total.
const byAgent = statement('overview-by-agent', agentList.element)`
  with e as (
      select o.id, o.state, o.ms, o.received, part.agent_id, part.credits
        from (${ended}) o cross join lateral (
          select agent_id, sum(credits) as credits from (
            select o.agent_id, 0 as credits union all select s.agent_id, s.credits from run_steps s where s.run_id = o.id
          ) both_of group by agent_id) part),
    quiet as (
      select c.agent_id, count(*) as received from messages q join conversations c on c.id = q.conversation_id
        where q.organization_id = $1 and q.run_id is null and q.origin = 'user' and q.created_at >= $2 and not c.is_test
        group by c.agent_id)
    select a.id as agent_id, a.name, ${numbers('0', 'coalesce(max(quiet.received), 0)')}
      from (select agent_id from e union select agent_id from quiet) active join agents a on a.id = active.agent_id
        left join e on e.agent_id = a.id left join quiet on quiet.agent_id = a.id
      group by a.id, a.name order by count(e.id) desc, received desc, a.name limit ${maxOverviewAgents}`;
// $3: the end of the period.
const inAll = statement('overview-totals', z.object(numbersShape))`
  with ended as (${ended} and r.finished_at < $3)
    select ${numbers(direct('$2', '$3'), unanswered('$2', '$3'))} from ended e`;
// A conversation is with a person if a takeover or a loop ended one of its runs, its agent called the tool that hands
// over, a person wrote, or a message arrived while the agent was paused.
const reached = statement('overview-conversations', z.object({ conversations, with_people }))`
  with active as (
      select r.conversation_id, r.state = 'handed_over' or exists (
          select from tool_calls c where c.run_id = r.id and c.name = '${handOverTool}' and c.status = 'succeeded') as with_people
        from runs r where r.organization_id = $1 and r.finished_at >= $2 and r.finished_at < $3
      union all
      select q.conversation_id, q.origin <> 'user' or q.unanswered = 'paused'
        from messages q where q.organization_id = $1 and q.run_id is null and q.created_at >= $2 and q.created_at < $3)
    select count(distinct conversation_id)::integer as conversations,
        count(distinct conversation_id) filter (where with_people)::integer as with_people
      from active where conversation_id not in ${tests}`;
const start = statement(
  'overview-start',
  z.object({
    agent: z.object({ id: z.string(), name: z.string() }).nullable(),
    conversation_id: z.string().nullable(),
    conversation_at: z.date().nullable(),
    has_calls: z.boolean(),
    failed_deliveries: z.number(),
  }),
)`
  select
    (select json_build_object('id', id, 'name', name) from agents
       where organization_id = $1 and deleted_at is null order by id limit 1) as agent,
    (select id from conversations where organization_id = $1 order by id desc limit 1) as conversation_id,
    (select created_at from conversations where organization_id = $1 order by id desc limit 1) as conversation_at,
    exists (select from api_tokens where organization_id = $1 and call_count > 0) as has_calls,
    (select count(*)::integer from deliveries where organization_id = $1 and created_at >= $2
       and status in ('failed', 'blocked', 'unknown')
       and (conversation_id is null or conversation_id not in ${tests})) as failed_deliveries`;

const dayMs = 24 * 60 * 60 * 1000;
const nothing: Overview['totals'] = {
  received: 0,
  answered: 0,
  failed: 0,
  median_ms: null,
  p95_ms: null,
  credits: 0,
  conversations: 0,
  with_people: 0,
};

/**
 * Reads the figures of the last `days` days (UTC), including today, in total, by day, and for at most 20 agents; and the
 * totals of as many days before.
 */
export async function findOverview(db: Database, organizationId: string, days: number): Promise<Overview> {
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  const dayAgo = (ago: number) => new Date(today - ago * dayMs).toISOString();
  const [before, since] = [dayAgo(2 * days - 1), dayAgo(days - 1)];
  const values = [organizationId, since];
  const totalsOf = async (from: string, to: string): Promise<Overview['totals']> => {
    const period = [organizationId, from, to];
    const [[counted], [reach]] = await Promise.all([
      queryRows(db, inAll, period),
      queryRows(db, reached, period),
    ]);
    return { ...nothing, ...counted, ...reach };
  };
  const [dayRows, agentRows, totals, totalsBefore, [begun]] = await Promise.all([
    queryRows(db, byDay, [...values, new Date(today).toISOString()]),
    queryRows(db, byAgent, values),
    totalsOf(since, 'infinity'),
    totalsOf(before, since),
    queryRows(db, start, values),
  ]);
  const { conversation_id: id = null, conversation_at: at = null } = begun ?? {};
  return {
    totals,
    before: totalsBefore,
    days: dayRows,
    agents: agentRows,
    failed_deliveries: begun?.failed_deliveries ?? 0,
    start: {
      agent: begun?.agent ?? null,
      conversation: id === null || at === null ? null : { id, at: at.toISOString() },
      has_calls: begun?.has_calls === true,
    },
  };
}
