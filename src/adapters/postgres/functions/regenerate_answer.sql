-- Opens a new run p_run, and moves to it the inputs of the last run that was not a follow-up, so that they are answered
-- again. Models no longer read the old answer, nor later messages of the agent or of a human agent.
-- Locks: the conversation. Returns outcome:
--   accepted       run_id, message_id (the last input), agent_id
--   invalid_state  the last such run does not exist or has no inputs, a run has not ended, a callback is pending, or
--                  the conversation belongs to a channel
--   paused         a takeover is active
--   inactive       the agent is inactive or deleted
create or replace function regenerate_answer(p_conversation uuid, p_run uuid, p_sync boolean, p_streamed boolean, p_now timestamptz)
returns jsonb language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_conversation conversations;
  v_last runs;
begin
  select * into v_conversation from conversations where id = p_conversation for no key update;
  select * into v_last from runs where conversation_id = p_conversation and mode <> 'follow_up' order by ordinal desc limit 1;
  -- A pending callback still reads its run's inputs, which move to the new run below.
  if v_last.id is null or v_last.message_count = 0 or v_conversation.channel <> 'api'
     or exists (select from runs where conversation_id = p_conversation and state in ('collecting', 'ready', 'running'))
     or exists (select from deliveries where conversation_id = p_conversation and status = 'pending') then
    return jsonb_build_object('outcome', 'invalid_state');
  end if;
  if v_conversation.paused_until > v_now then return jsonb_build_object('outcome', 'paused'); end if;
  if not exists (select from agents where id = v_conversation.agent_id and active and deleted_at is null) then
    return jsonb_build_object('outcome', 'inactive');
  end if;
  update conversations set last_ordinal = last_ordinal + 1, updated_at = v_now where id = p_conversation;
  insert into runs (id, organization_id, conversation_id, ordinal, mode, state, opened_at, closes_at, cap_at, message_count, max_messages)
    values (p_run, v_conversation.organization_id, p_conversation, v_conversation.last_ordinal + 1,
            case when p_sync then 'sync' else 'single' end, 'ready', v_now, v_now, v_now, v_last.message_count, v_last.message_count);
  if p_streamed then insert into run_streams (run_id, organization_id) values (p_run, v_conversation.organization_id); end if;
  update messages set replaced_by = p_run where conversation_id = p_conversation and origin <> 'user'
    and (run_ordinal >= v_last.ordinal or replaced_by = v_last.id);
  update messages set run_id = p_run, run_ordinal = v_conversation.last_ordinal + 1
    where conversation_id = p_conversation and run_ordinal = v_last.ordinal and origin = 'user';
  return jsonb_build_object('outcome', 'accepted', 'run_id', p_run, 'agent_id', v_conversation.agent_id, 'message_id',
    (select id from messages where conversation_id = p_conversation and run_id = p_run order by seq desc limit 1));
end $$;
