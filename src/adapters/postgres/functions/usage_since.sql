-- Returns usage since p_since in rows, which the caller sums: one row per ended run, one per user message without a
-- run, and the rows of usage_kept from the day of p_since (UTC). The rows of usage_kept contain the usage of erased
-- data and of rehearsals.
-- p_token: returns only the usage of this token, without messages that have no run; null: the usage of the whole
-- organization. Reads the token of each run in a subquery, which is faster than reading the tokens of all runs. Locks
-- nothing.
create or replace function usage_since(p_organization uuid, p_since timestamptz, p_token uuid)
returns table (day date, messages bigint, runs bigint, credits double precision) language sql stable as $$
  select (r.finished_at at time zone 'utc')::date, r.message_count::bigint, 1::bigint,
         coalesce((select sum(s.credits) from run_steps s where s.run_id = r.id), 0)
    from runs r where r.organization_id = p_organization and r.finished_at >= p_since
      and (p_token is null or (select t.token_id from run_tokens t where t.run_id = r.id) = p_token)
  union all
  select (m.created_at at time zone 'utc')::date, 1, 0, 0
    from messages m where m.organization_id = p_organization and m.created_at >= p_since and m.run_id is null
      and m.origin = 'user' and p_token is null
  union all
  select k.day, k.messages, k.runs, k.credits from usage_kept k
    where k.organization_id = p_organization and k.day >= (p_since at time zone 'utc')::date
      and (p_token is null or k.token_id = p_token)
$$;
