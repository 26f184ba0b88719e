-- Returns the number of different workers that were lost during attempts at a unit of work. A worker updates its row
-- every 2 s. It counts as lost if it has no row, or if its row was not updated for 10 s and `leaving` is false. Locks
-- nothing.
create or replace function lost_workers(p_unit text) returns integer language sql stable as $$
  select count(distinct a.worker)::integer from work_attempts a left join worker_processes w on w.id = a.worker
    where a.unit = p_unit and (w.id is null or (not w.leaving and w.seen_at < clock_timestamp() - interval '10 s'))
$$;
