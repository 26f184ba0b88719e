-- The outcome of a recorded step, as the workflow reads it: ids and numbers only. Locks nothing.
create or replace function step_outcome(p_run uuid, p_step integer) returns jsonb language sql stable as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'next', s.kind, 'runId', s.run_id, 'step', s.step, 'deliveryId', s.delivery_id,
    'calls', case when s.kind = 'tools' then (
      select coalesce(jsonb_agg(jsonb_build_object('position', t.position,
          -- A name that the model made up is its text, and texts stay here.
          'name', case when t.name = any(a.tools) then t.name else 'a tool that the agent does not have' end) order by t.position), '[]')
        from tool_calls t where t.run_id = s.run_id and t.step = s.step and t.status in ('pending', 'attempting')) end,
    'wakeAt', case when s.kind = 'answer' then ceil(extract(epoch from next_wake(r.conversation_id)) * 1000) end,
    'followUps', f.after, 'answeredAt', case when f.after is not null then ceil(extract(epoch from r.finished_at) * 1000) end))
  from run_steps s join runs r on r.id = s.run_id join agents a on a.id = s.agent_id,
    lateral (select case when s.kind = 'answer' then follow_ups_after(r) end as after) f
  where s.run_id = p_run and s.step = p_step
$$;
