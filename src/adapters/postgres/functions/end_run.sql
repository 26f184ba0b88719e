-- Ends a run and notifies the caller who waits for it. The caller holds the conversation's lock.
create or replace function end_run(p_run runs, p_state text, p_error text, p_now timestamptz) returns void language plpgsql as $$
begin
  update runs set state = p_state, finished_at = p_now, error = p_error where id = p_run.id;
  if p_run.mode = 'sync' then perform pg_notify('run_ended', p_run.id::text); end if;
end $$;
