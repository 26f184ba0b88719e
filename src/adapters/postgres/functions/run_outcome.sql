-- The outcome of a run's step p_step, or of the whole run if p_step is null, as the workflow reads it: ids and numbers only.
-- Null when there is no such step. Locks nothing. Returns next:
--   tools       calls: those that have not ended
--   transfer    deliveryId, if a callback is due
--   answer      deliveryId; wakeAt: when the earliest waiting group closes; followUps: seconds of silence before each
--               follow-up, and answeredAt, if the run has an agent message to follow up
--   failed      deliveryId, wakeAt
--   cancelled
create or replace function run_outcome(p_run uuid, p_step integer) returns jsonb language sql stable as $$
  select jsonb_strip_nulls(case
      when p_step is not null or r.state = 'answered' then (
        select jsonb_build_object(
            'next', s.kind, 'runId', s.run_id, 'step', s.step, 'deliveryId', s.delivery_id,
            'calls', case when s.kind = 'tools' then (
              select coalesce(jsonb_agg(jsonb_build_object('position', t.position,
                  -- The model may have made up the tool's name. Such a name is text of the conversation, and histories
                  -- hold no text.
                  'name', case when t.name = any(a.tools) then t.name else 'a tool that the agent does not have' end)
                  order by t.position), '[]')
                from tool_calls t where t.run_id = s.run_id and t.step = s.step and t.status in ('pending', 'attempting')) end,
            'wakeAt', case when s.kind = 'answer' then next.wake_at end,
            'followUps', follow_up.after,
            'answeredAt', case when follow_up.after is not null then ceil(extract(epoch from r.finished_at) * 1000) end)
          from run_steps s join agents a on a.id = s.agent_id
            left join lateral (
              select jsonb_agg(f->'after_seconds') as after from agents o, jsonb_array_elements(o.follow_ups) f
                where s.kind = 'answer' and o.id = r.agent_id
                  and exists (select from run_steps said where said.run_id = r.id and said.message_id is not null)
            ) follow_up on true
          where s.run_id = r.id and s.step = coalesce(p_step, (select max(step) from run_steps where run_id = r.id)))
      when r.state = 'cancelled' then jsonb_build_object('next', 'cancelled', 'runId', r.id)
      else jsonb_build_object('next', 'failed', 'runId', r.id, 'wakeAt', next.wake_at,
        'deliveryId', (select id from deliveries where run_id = r.id and message_id is null))
    end)
    from runs r left join lateral (
      select ceil(extract(epoch from min(closes_at)) * 1000) as wake_at from runs
        where conversation_id = r.conversation_id and state in ('collecting', 'ready') and r.state <> 'running'
    ) next on true
    where r.id = p_run
$$;
