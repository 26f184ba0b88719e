-- Fails a run that is in progress, and writes the delivery of its error if one is due.
-- p_error null: the run's last model error, or p_default_error if there is none. p_target_of: see write_delivery.
-- Locks: the conversation. Returns next: gone, or the run's outcome, also on a repeated call.
create or replace function fail_run(p_run uuid, p_error text, p_default_error text, p_delivery uuid, p_target_of jsonb, p_now timestamptz)
returns jsonb language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_run runs;
begin
  perform from conversations where id = (select conversation_id from runs where id = p_run) for no key update;
  select * into v_run from runs where id = p_run;
  if not found then return jsonb_build_object('next', 'gone'); end if;
  if v_run.state = 'running' then
    update runs set state = 'failed', finished_at = v_now, error = coalesce(p_error,
        (select last_error from model_failures where run_id = p_run order by step desc limit 1),
        p_default_error)
      where id = p_run;
    perform pg_notify('run_ended', p_run::text) where v_run.mode = 'sync';
    perform write_delivery(v_run, null, p_delivery, p_target_of, v_now);
  end if;
  return run_outcome(p_run, null);
end $$;
