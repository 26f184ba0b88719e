-- Deletes the hellos to a contact, and those of its rows in channel_contacts that no conversation refers to.
-- Locks: the contact's rows, before it checks for conversations. A message takes the same lock before it creates a
-- conversation, so the row of a contact who writes again is not deleted.
create or replace function erase_contact(p_organization uuid, p_contact text) returns void language plpgsql as $$
declare
  v_rows uuid[];
begin
  select array_agg(id) into v_rows from (select id from channel_contacts
    where id = any((select contact_rows(p_organization, p_contact))::uuid[]) order by id for update) locked;
  -- The replacement below must equal that of comparableNumber().
  delete from channel_hellos h using channel_contacts k
    where k.id = any(v_rows) and h.agent_id = k.agent_id
      and h.compared in (k.phone, regexp_replace(k.phone, '^(55\d\d)9(?=[6-9]\d{7}$)', '\1'));
  delete from channel_contacts k where k.id = any(v_rows)
    and not exists (select from conversations c where c.channel_contact_id = k.id);
end $$;
