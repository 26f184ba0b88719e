-- Deletes a conversation and its trials, which contain copies of its messages, and requests the erasure of their
-- workflow histories. Callers first erase the trials and the turns in parts with erase_trials and erase_turns, so that
-- this statement does not exceed its timeout.
-- p_note: id for the new request that erases the workflow histories; not used if the conversation already has such a
-- request.
-- Locks: the conversation and its trials. Returns false if the conversation does not exist.
create or replace function erase_conversation(p_conversation uuid, p_note uuid) returns boolean language plpgsql as $$
declare
  v_organization uuid;
  v_trial uuid;
begin
  select organization_id into v_organization from conversations where id = p_conversation for update;
  if not found then return false; end if;
  for v_trial in select id from conversations where tries_conversation = p_conversation order by id loop
    perform erase_conversation(v_trial, gen_random_uuid());
  end loop;
  insert into erasures (id, organization_id, kind, key) values (p_note, v_organization, 'workflow', p_conversation::text)
    on conflict (organization_id, kind, key) do update set due_at = excluded.due_at;
  delete from idempotency_keys where conversation_id = p_conversation;
  delete from gateway_events where conversation_id = p_conversation;
  delete from gateway_events where message_id = any(array(select id from messages where conversation_id = p_conversation));
  delete from conversations where id = p_conversation;
  return true;
end $$;
