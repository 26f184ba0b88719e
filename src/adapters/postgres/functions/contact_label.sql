-- Returns a new contact_id for a contact: `whatsapp:` and its phone or LID. Adds a suffix if another contact of the
-- channel, or a conversation with the channel's agent, already has that contact_id. Locks nothing.
create or replace function contact_label(p_contact channel_contacts, p_suffix uuid) returns text language sql stable as $$
  select case when exists (select from conversations where target_id = p_contact.agent_id and contact_id = label)
                or exists (select from channel_contacts where agent_id = p_contact.agent_id and contact_id = label and id <> p_contact.id)
              then label || '#' || right(p_suffix::text, 8) else label end
    from (select 'whatsapp:' || coalesce(p_contact.phone, p_contact.lid) as label) natural_label
$$;
