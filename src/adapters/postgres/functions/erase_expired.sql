-- Erases the next part of a conversation's data from before p_before: at most 20 trials or, if the expired runs have no
-- trials, at most 20 runs and 20 messages without a run (see erase_turns). The parts are small, because the messages
-- may have large attachments.
-- If all runs ended, and all messages without a run were created, before p_before, the last part also erases the
-- conversation, and its contact's row if no other conversation refers to it. Otherwise, a part that erases runs also
-- erases all expired tool executions and notes.
-- p_note: see erase_conversation. Returns true if expired data may remain. Locks: the contact, the conversation.
create or replace function erase_expired(p_conversation uuid, p_before timestamptz, p_note uuid) returns boolean language plpgsql as $$
declare
  v_contact uuid;
begin
  select channel_contact_id into v_contact from conversations where id = p_conversation;
  perform from channel_contacts where id = v_contact for update;
  perform from conversations where id = p_conversation for update;
  if not found then return false; end if;
  if not exists (select from runs where conversation_id = p_conversation and (finished_at is null or finished_at >= p_before))
     and not exists (select from messages where conversation_id = p_conversation and run_id is null and created_at >= p_before) then
    if erase_trials(p_conversation, null) or erase_turns(p_conversation, p_before, 20) then return true; end if;
    perform erase_conversation(p_conversation, p_note);
    delete from channel_contacts k where k.id = v_contact
      and not exists (select from conversations c where c.channel_contact_id = k.id);
    return false;
  end if;
  if erase_trials(p_conversation, array(select id from runs where conversation_id = p_conversation and finished_at < p_before
    order by ordinal limit 20)) then return true; end if;
  delete from conversation_notes where conversation_id = p_conversation and created_at < p_before;
  delete from tool_executions where conversation_id = p_conversation and created_at < p_before;
  return erase_turns(p_conversation, p_before, 20);
end $$;
