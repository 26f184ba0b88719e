-- Returns the ids of a contact's conversations. Finds conversations of channels through the contact's rows (see
-- contact_rows), even if they have another contact_id of the same contact. Finds API conversations by contact_id alone.
-- Locks nothing.
create or replace function conversations_of_contact(p_organization uuid, p_contact text) returns setof uuid language sql stable as $$
  select id from conversations where channel_contact_id = any((select contact_rows(p_organization, p_contact))::uuid[])
  union
  select id from conversations where organization_id = p_organization and contact_id = p_contact and channel_contact_id is null
$$;
