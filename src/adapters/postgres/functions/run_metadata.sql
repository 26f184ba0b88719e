-- The metadata that a run's callback carries: the first of its group. Null when no input has any. Locks nothing.
create or replace function run_metadata(p_run uuid) returns json language sql stable as $$
  select m.metadata from messages m join runs r on r.id = p_run
    where m.conversation_id = r.conversation_id and m.run_ordinal = r.ordinal and m.role = 'user' and m.metadata is not null
    order by m.seq limit 1
$$;
