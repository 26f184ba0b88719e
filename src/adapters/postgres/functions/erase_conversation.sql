-- Deletes a conversation, and requests the erasure of its workflow histories under the id p_note.
-- Locks: the conversation. Returns false when it is gone already.
create or replace function erase_conversation(p_conversation uuid, p_note uuid) returns boolean language plpgsql as $$
declare
  v_organization uuid;
begin
  select organization_id into v_organization from conversations where id = p_conversation for update;
  if not found then return false; end if;
  insert into erasures (id, organization_id, kind, key) values (p_note, v_organization, 'workflow', p_conversation::text)
    on conflict (organization_id, kind, key) do update set due_at = excluded.due_at;
  -- The row is locked, so no input can arrive between the deletion and the request.
  delete from idempotency_keys where conversation_id = p_conversation;
  delete from gateway_events where conversation_id = p_conversation;
  delete from gateway_events where message_id = any(array(select id from messages where conversation_id = p_conversation));
  delete from conversations where id = p_conversation;
  return true;
end $$;
