-- Returns the ids of p_conversation and of the other conversations with its channel_contact_id. If this is null, as in
-- API conversations, returns only the id of p_conversation. Returns an empty array if p_conversation does not exist.
-- Locks: these conversations, always in the same order, so that two calls never deadlock.
create or replace function conversations_of_same_contact(p_conversation uuid) returns uuid[] language plpgsql as $$
declare
  v_contact uuid;
  v_all uuid[];
begin
  select channel_contact_id into v_contact from conversations where id = p_conversation;
  select array_agg(id) into v_all from (select id from conversations
    where id = p_conversation or channel_contact_id = v_contact order by id for no key update) locked;
  return coalesce(v_all, '{}');
end $$;
