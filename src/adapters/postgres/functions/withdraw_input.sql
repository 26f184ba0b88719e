-- Withdraws an input whose nudge could not be sent. Also deletes its run and its conversation if they have no other
-- messages. Locks: the conversation. Returns true if the input no longer exists. Returns false if the input remains
-- accepted, because its run has begun or ended, or a repeat of its request was acknowledged.
create or replace function withdraw_input(p_message uuid) returns boolean language plpgsql as $$
declare
  v_message messages;
  v_conversation conversations;
begin
  select * into v_message from messages where id = p_message;
  if not found then return true; end if;
  select * into v_conversation from conversations where id = v_message.conversation_id for no key update;
  if exists (select from runs where id = v_message.run_id and state not in ('collecting', 'ready'))
     or exists (select from idempotency_keys where message_id = p_message and status is not null) then
    return false;
  end if;
  delete from idempotency_keys where message_id = p_message;
  delete from messages where id = p_message;
  update runs set message_count = message_count - 1 where id = v_message.run_id;
  delete from runs where id = v_message.run_id and message_count = 0;
  delete from conversations c where c.id = v_message.conversation_id
    and not exists (select from messages m where m.conversation_id = c.id);
  return true;
end $$;
