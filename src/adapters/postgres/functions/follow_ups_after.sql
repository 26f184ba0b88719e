-- Seconds of silence before each follow-up of an answered run; null when it has no agent message. Locks nothing.
create or replace function follow_ups_after(p_run runs) returns jsonb language sql stable as $$
  select jsonb_agg(f->'after_seconds') from agents a, jsonb_array_elements(a.follow_ups) f
    where a.id = p_run.agent_id and exists (select from run_steps s where s.run_id = p_run.id and s.message_id is not null)
$$;
