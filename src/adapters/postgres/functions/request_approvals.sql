-- Writes an approval for each waiting tool call of a step, and a row for the message to each of its approvers, which is
-- sent later. If the run's answer would be sent to a webhook, also writes a delivery of each request to that webhook.
-- p_step: see record_step. Locks: no existing row; the caller holds the conversation's lock.
create or replace function request_approvals(p_run runs, p_number integer, p_step jsonb, p_now timestamptz) returns void language plpgsql as $$
begin
  insert into approvals (id, organization_id, conversation_id, agent_id, run_id, step, position, tool, arguments, arguments_hash,
                         on_expiry, requested_at, expires_at, code)
    select (asked.about->>'id')::uuid, p_run.organization_id, p_run.conversation_id, p_run.agent_id, p_run.id, p_number, t.position,
           t.name, t.input, approval_hash(t.name, t.input), asked.about->>'on_expiry', p_now,
           p_now + make_interval(secs => (asked.about->>'expires_after_seconds')::double precision), asked.about->>'code'
      from (select c->'approval' as about, n from jsonb_array_elements(p_step->'calls') with ordinality as given(c, n)) asked
        join tool_calls t on t.run_id = p_run.id and t.step = p_number and t.position = asked.n
      where t.status = 'waiting';
  insert into approval_messages (approval_id, position, name, phone, number)
    select a.id, n, w->>'name', w->>'phone', w->>'number'
      from jsonb_array_elements(p_step->'calls') c join approvals a on a.id = (c->'approval'->>'id')::uuid
        cross join lateral jsonb_array_elements(c->'approval'->'approvers') with ordinality as named(w, n);
  insert into deliveries (id, organization_id, conversation_id, run_id, of_agent_id, event, kind, url, approval_id, created_at)
    select (c->'approval'->>'delivery_id')::uuid, p_run.organization_id, p_run.conversation_id, p_run.id, p_run.agent_id,
           'approval.requested', 'callback', target.url, a.id, p_now
      from jsonb_array_elements(p_step->'calls') as c join approvals a on a.id = (c->'approval'->>'id')::uuid
        cross join lateral (
          select k.webhook_url as url from conversations k
            where k.id = p_run.conversation_id and p_step->'answer_target_of'->>p_run.mode = 'conversation'
          union all
          (select m.webhook_url from messages m
             where p_step->'answer_target_of'->>p_run.mode = 'inputs' and m.conversation_id = p_run.conversation_id
               and m.run_ordinal = p_run.ordinal and (m.webhook_url is not null or m.from_channel)
             order by m.seq desc limit 1)) target
      where target.url is not null;
end $$;
