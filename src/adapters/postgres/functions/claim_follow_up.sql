-- Claims follow-up number p_attempt after run p_of. p_run: id of the new run. Locks: the conversation.
-- Returns next:
--   gone        the conversation is erased
--   superseded  the follow-up is not sent, because run p_of is erased or not answered; a later run exists (a later
--               follow-up counts only if it failed), or a later message without a run; the agent is paused, inactive or
--               deleted, or has no follow-up with this number; a member marked the conversation as done; or it is a trial
--   run         run, as run_view returns it; served: false
-- If the follow-up was claimed before, returns run while it is in progress, and later its outcome as run_outcome does.
create or replace function claim_follow_up(p_conversation uuid, p_of uuid, p_attempt integer, p_run uuid, p_prices jsonb, p_now timestamptz)
returns jsonb language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_conversation conversations;
  v_of runs;
  v_run runs;
  v_version integer;
begin
  select * into v_conversation from conversations where id = p_conversation for no key update;
  if not found then return jsonb_build_object('next', 'gone'); end if;
  select * into v_run from runs where follow_up_of = p_of and follow_up_attempt = p_attempt;
  if found then
    if v_run.state = 'running' then return jsonb_build_object('next', 'run', 'run', run_view(v_run.id), 'served', false); end if;
    return run_outcome(v_run.id, null);
  end if;
  select version_to_run(v_conversation, a) into v_version from agents a where a.id = v_conversation.agent_id;
  select * into v_of from runs where id = p_of and conversation_id = p_conversation;
  if not found or v_of.state <> 'answered' or v_conversation.paused_until > v_now
     or v_conversation.tries_run is not null or v_conversation.done_by_name is not null
     or exists (select from runs where conversation_id = p_conversation and ordinal > v_of.ordinal
                and (mode <> 'follow_up' or state = 'failed'))
     or exists (select from messages where conversation_id = p_conversation and run_id is null and run_ordinal > v_of.ordinal)
     or not exists (select from agent_at(v_conversation.agent_id, v_version) a where a.active and a.deleted_at is null
                    and jsonb_array_length(a.follow_ups) >= p_attempt) then
    return jsonb_build_object('next', 'superseded');
  end if;
  insert into runs (id, organization_id, conversation_id, ordinal, mode, state, opened_at, closes_at, cap_at, claimed_at,
                    agent_id, agent_version, follow_up_of, follow_up_attempt, prices)
    values (p_run, v_conversation.organization_id, p_conversation, v_conversation.last_ordinal + 1, 'follow_up', 'running',
            v_now, v_now, v_now, v_now, v_conversation.agent_id, v_version, p_of, p_attempt, p_prices);
  update conversations set last_ordinal = last_ordinal + 1 where id = p_conversation;
  return jsonb_build_object('next', 'run', 'run', run_view(p_run), 'served', false);
end $$;
