/** What became of model calls: answers that were cut off, and failures with the provider's own words. */
export const up = `
alter table messages add truncated boolean not null default false;
alter table model_failures add provider_words text;
alter table model_failures add last_at timestamptz not null default now();

-- As in 0042-input-during-run. p_step has also: truncated, of the message that the step makes.
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
`;
