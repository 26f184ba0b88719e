-- Erases a conversation's data from before p_before.
-- If all runs ended, and all messages without a run were created, before p_before: erases the conversation, and its
-- contact if no other conversation has that contact.
-- Otherwise: erases the 20 oldest expired runs with their messages, deliveries and trials, the 20 oldest expired
-- messages without a run, and all expired tool executions. The limit is 20 because attachments are large; later calls
-- erase the rest.
-- In both cases, if the data to erase has more than 20 trials: erases 20 of these trials and nothing else.
-- p_note: see erase_conversation. Locks: the contact, the conversation.
create or replace function erase_expired(p_conversation uuid, p_before timestamptz, p_note uuid) returns void language plpgsql as $$
declare
  v_contact uuid;
  v_runs uuid[];
  v_messages uuid[];
begin
  select channel_contact_id into v_contact from conversations where id = p_conversation;
  perform from channel_contacts where id = v_contact for update;
  perform from conversations where id = p_conversation for update;
  if not found then return; end if;
  if not exists (select from runs where conversation_id = p_conversation and (finished_at is null or finished_at >= p_before))
     and not exists (select from messages where conversation_id = p_conversation and run_id is null and created_at >= p_before) then
    if erase_trials(p_conversation, null) then return; end if;
    perform erase_conversation(p_conversation, p_note);
    delete from channel_contacts k where k.id = v_contact
      and not exists (select from conversations c where c.channel_contact_id = k.id);
    return;
  end if;
  select array_agg(id) into v_runs from (select id from runs where conversation_id = p_conversation and finished_at < p_before
    order by ordinal limit 20) old;
  select array_agg(id) into v_messages from (
    select m.id from messages m join runs r on r.id = any(v_runs)
      where m.conversation_id = p_conversation and m.run_ordinal = r.ordinal
    union all (select id from messages where conversation_id = p_conversation and run_id is null and created_at < p_before
      order by run_ordinal limit 20)) old;
  if erase_trials(p_conversation, v_runs) then return; end if;
  delete from gateway_events where message_id = any(v_messages);
  delete from idempotency_keys where conversation_id = p_conversation and run_id = any(v_runs);
  delete from tool_executions where conversation_id = p_conversation and created_at < p_before;
  delete from deliveries where conversation_id = p_conversation and (run_id = any(v_runs) or message_id = any(v_messages));
  delete from messages where id = any(v_messages);
  delete from runs where id = any(v_runs);
end $$;
