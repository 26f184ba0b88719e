-- Ends the pause of a contact in each of its conversations. Locks: these conversations.
create or replace function resume_conversation(p_conversation uuid) returns void language plpgsql as $$
declare
  v_all uuid[] := conversations_of_same_contact(p_conversation);
begin
  update conversations set paused_until = null, paused_by = null, paused_by_name = null, updated_at = clock_timestamp()
    where id = any(v_all);
end $$;
