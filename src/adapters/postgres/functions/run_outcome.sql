-- Returns, for the workflow, the outcome of step p_step of a run or, if p_step is null, of the whole run, which must
-- have ended. Returns null if there is no such run or step. Times are in epoch milliseconds. Locks nothing.
-- The result contains no conversation text, with one exception: the name of a tool call whose is_known is false. The
-- agent has no tool of that name, so the model may have invented it.
-- Always contains run_id and next. If next is tools, transfer or answer, also contains step and spoke (true if the run
-- wrote a message). Other fields, by next:
--   tools      calls (those that have not ended), deliveries (requests for approvals that have not been sent)
--   transfer   delivery (its id and kind, if the step wrote one)
--   answer     delivery, wake_at (when the earliest waiting group closes), answered_at, follow_ups (seconds without a
--              reply before each follow-up of the run's agent; none in a trial)
--   failed     delivery (of the error, if there is one), wake_at
--   cancelled  no other fields
create or replace function run_outcome(p_run uuid, p_step integer) returns jsonb language sql stable as $$
  select jsonb_strip_nulls(case
      when p_step is not null or r.state = 'answered' then (
        select jsonb_build_object(
            'next', s.kind, 'run_id', s.run_id, 'step', s.step,
            'delivery', (select jsonb_build_object('id', d.id, 'kind', d.kind) from deliveries d where d.id = s.delivery_id),
            'calls', case when s.kind = 'tools' then (
              select coalesce(jsonb_agg(jsonb_build_object('position', t.position, 'name', t.name,
                  'is_known', t.name = any(a.tools))
                  order by t.position), '[]')
                from tool_calls t where t.run_id = s.run_id and t.step = s.step and t.status in ('waiting', 'pending', 'attempting')) end,
            'deliveries', case when s.kind = 'tools' then (
              select jsonb_agg(jsonb_build_object('id', d.id, 'kind', d.kind) order by d.id)
                from approvals q join deliveries d on d.approval_id = q.id
                where q.run_id = s.run_id and q.step = s.step and d.status in ('pending', 'attempting')) end,
            'wake_at', case when s.kind = 'answer' then next.wake_at end,
            'answered_at', case when s.kind = 'answer' then ceil(extract(epoch from r.finished_at) * 1000) end,
            'spoke', exists (select from run_steps said where said.run_id = r.id and said.message_id is not null),
            'follow_ups', case when s.kind = 'answer' and c.tries_run is null then (select jsonb_agg(f->'after_seconds')
              from agent_at(r.agent_id, r.agent_version) o, jsonb_array_elements(o.follow_ups) f) end)
          from run_steps s cross join lateral agent_at(s.agent_id, s.agent_version) a
          where s.run_id = r.id and s.step = coalesce(p_step, (select max(step) from run_steps where run_id = r.id)))
      when r.state = 'cancelled' then jsonb_build_object('next', 'cancelled', 'run_id', r.id)
      else jsonb_build_object('next', 'failed', 'run_id', r.id, 'wake_at', next.wake_at,
        'delivery', (select jsonb_build_object('id', id, 'kind', kind) from deliveries where run_id = r.id and message_id is null and resend_of is null
          and event = 'message.error'))
    end)
    from runs r join conversations c on c.id = r.conversation_id left join lateral (
      select ceil(extract(epoch from min(closes_at)) * 1000) as wake_at from runs
        where conversation_id = r.conversation_id and state in ('collecting', 'ready') and r.state <> 'running'
    ) next on true
    where r.id = p_run
$$;
