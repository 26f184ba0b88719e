/** A caller cancels: what is under way and what waits ends without an answer. */
export const up = `
alter table runs drop constraint runs_state_check;
alter table runs add constraint runs_state_check
  check (state in ('collecting', 'ready', 'running', 'answered', 'failed', 'cancelled'));

-- The ids of the inputs that will not be answered. What has been recorded stands: a message and its callback, a tool's work.
create function cancel_runs(p_conversation uuid, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_runs uuid[];
begin
  perform from conversations where id = p_conversation for no key update;
  with cancelled as (
    update runs set state = 'cancelled', finished_at = v_now
      where conversation_id = p_conversation and state in ('collecting', 'ready', 'running') returning id
  ) select coalesce(array_agg(id), '{}') into v_runs from cancelled;
  perform pg_notify('run_ended', id::text), pg_notify('run_changed', id::text) from unnest(v_runs) as id;
  return coalesce((select jsonb_agg(m.id order by m.seq) from messages m
    where m.conversation_id = p_conversation and m.run_id = any(v_runs) and m.role = 'user'), '[]');
end $$;

-- As in 0003-runs, and for cancelled runs.
create or replace function ended_outcome(p_run runs) returns jsonb language sql stable as $$
  select case p_run.state
    when 'answered' then step_outcome(p_run.id, (select max(step) from run_steps where run_id = p_run.id))
    when 'cancelled' then jsonb_build_object('next', 'cancelled', 'runId', p_run.id)
    else jsonb_strip_nulls(jsonb_build_object('next', 'failed', 'runId', p_run.id,
      'deliveryId', (select id from deliveries where run_id = p_run.id and message_id is null),
      'wakeAt', ceil(extract(epoch from next_wake(p_run.conversation_id)) * 1000))) end
$$;
`;
