-- When the workflow must check again: when the earliest group that waits for its run closes, or null. Locks nothing.
create or replace function next_wake(p_conversation uuid) returns timestamptz language sql stable as $$
  select min(closes_at) from runs where conversation_id = p_conversation and state in ('collecting', 'ready')
$$;
