-- The outcome of a run that has ended: answered (its last step), cancelled, or failed. Locks nothing.
create or replace function ended_outcome(p_run runs) returns jsonb language sql stable as $$
  select case p_run.state
    when 'answered' then step_outcome(p_run.id, (select max(step) from run_steps where run_id = p_run.id))
    when 'cancelled' then jsonb_build_object('next', 'cancelled', 'runId', p_run.id)
    else jsonb_strip_nulls(jsonb_build_object('next', 'failed', 'runId', p_run.id,
      'deliveryId', (select id from deliveries where run_id = p_run.id and message_id is null),
      'wakeAt', ceil(extract(epoch from next_wake(p_run.conversation_id)) * 1000))) end
$$;
