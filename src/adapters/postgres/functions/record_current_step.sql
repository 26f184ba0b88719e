-- Records a step as record_step does, unless the run has received an input since the model was asked.
-- p_step: as of record_step, and inputs (how many the model was asked with), truncated (of the message that the step makes).
-- Locks: the conversation. Returns next: stale (record nothing, ask again), or what record_step returns.
create or replace function record_current_step(p_step jsonb, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  v_result jsonb;
begin
  perform from conversations where id = (p_step->>'conversation_id')::uuid for no key update;
  if exists (select from runs r where r.id = (p_step->>'run_id')::uuid and r.state = 'running'
               and r.message_count <> (p_step->>'inputs')::integer
               and not exists (select from run_steps s where s.run_id = r.id and s.step = (p_step->>'step')::integer)) then
    return jsonb_build_object('next', 'stale');
  end if;
  v_result := record_step(p_step, p_now);
  -- Where an earlier attempt had recorded the step, no message has this id.
  if (p_step->>'truncated')::boolean then
    update messages set truncated = true where id = (p_step->>'message_id')::uuid;
  end if;
  return v_result;
end $$;
