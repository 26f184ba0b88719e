-- Returns the number of workers that were lost during a unit of work. A worker updates its row every 2 s. A worker
-- counts as lost if it has no row, or if it did not announce its stop and has not updated its row for 10 s. Locks
-- nothing.
create or replace function lost_workers(p_unit text) returns integer language sql stable as $$
  select count(distinct a.worker)::integer from work_attempts a left join worker_processes w on w.id = a.worker
    where a.unit = p_unit and (w.id is null or (not w.leaving and w.seen_at < clock_timestamp() - interval '10 s'))
$$;
