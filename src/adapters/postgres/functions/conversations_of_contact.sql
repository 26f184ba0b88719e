-- Returns the ids of a contact's conversations. Channel conversations are found by the contact's rows, so an earlier
-- contact_id of the contact finds them too. API conversations are found by contact_id alone. Locks nothing.
create or replace function conversations_of_contact(p_organization uuid, p_contact text) returns setof uuid language sql stable as $$
  select id from conversations where channel_contact_id = any((select contact_rows(p_organization, p_contact))::uuid[])
  union
  select id from conversations where organization_id = p_organization and contact_id = p_contact and channel_contact_id is null
$$;
