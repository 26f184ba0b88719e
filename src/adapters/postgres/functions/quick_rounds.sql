-- The rounds at the end of a conversation in which the contact wrote within p_seconds of the agent's answer. Locks nothing.
create or replace function quick_rounds(p_conversation uuid, p_rounds integer, p_seconds integer, p_now timestamptz) returns integer language sql stable as $$
  with last as (
    select role, by_person, created_at, row_number() over (order by seq desc) as n
      from (select * from messages where conversation_id = p_conversation order by seq desc limit 2 * p_rounds) m
  ), rounds as (
    -- The message after an answer: the next stored one, or the one that is being stored now.
    select a.n, a.role = 'agent' and not a.by_person and coalesce(u.role = 'user', true)
             and coalesce(u.created_at, p_now) - a.created_at < make_interval(secs => p_seconds) as quick
      from last a left join last u on u.n = a.n - 1 where a.n % 2 = 1
  )
  select coalesce(min(n) filter (where not quick) / 2, count(*))::integer from rounds
$$;
