-- Returns the ids of a contact's rows in all channels of an organization. p_contact: a contact_id of the contact.
-- Rows with the same LID are one person. Rows with the same phone are one person too, unless they have different LIDs.
-- With `offset 0`, Postgres uses the indexes on agent and address. Locks nothing.
create or replace function contact_rows(p_organization uuid, p_contact text) returns uuid[] language plpgsql stable as $$
declare
  v_address text := case when p_contact like 'whatsapp:%' then split_part(substr(p_contact, 10), '#', 1) end;
  v_rows uuid[];
  v_more uuid[];
begin
  select array_agg(id) into v_more from (
    select k.id from channel_contacts k join channels h on h.agent_id = k.agent_id
      where k.contact_id = p_contact and h.organization_id = p_organization
    union select k.id from channels h join channel_contacts k on k.agent_id = h.agent_id and k.phone = v_address
      where h.organization_id = p_organization
    union select k.id from channels h join channel_contacts k on k.agent_id = h.agent_id and k.lid = v_address
      where h.organization_id = p_organization
    union select channel_contact_id from conversations
      where organization_id = p_organization and contact_id = p_contact and channel_contact_id is not null) named;
  while v_more is not null loop
    v_rows := v_rows || v_more;
    select array_agg(same.id) into v_more from channel_contacts k join channels h on h.organization_id = p_organization
      cross join lateral (
        select o.id from channel_contacts o where o.agent_id = h.agent_id and o.lid = k.lid
        union
        select o.id from channel_contacts o where o.agent_id = h.agent_id and o.phone = k.phone
          and (o.lid is null or k.lid is null)
        offset 0) same
      where k.id = any(v_rows) and same.id <> all(v_rows);
  end loop;
  return coalesce(v_rows, '{}');
end $$;
