-- Counts the workers that were lost during a unit of work: they are neither alive nor stopped on purpose. A worker
-- counts as lost after 10 s without an update of its row, which it writes every 2 s. Locks nothing.
create or replace function lost_workers(p_unit text) returns integer language sql stable as $$
  select count(distinct a.worker)::integer from work_attempts a left join worker_processes w on w.id = a.worker
    where a.unit = p_unit and (w.id is null or (not w.leaving and w.seen_at < clock_timestamp() - interval '10 s'))
$$;
