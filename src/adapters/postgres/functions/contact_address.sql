-- Returns the current address of a contact, as the URL of a delivery. Locks nothing.
create or replace function contact_address(p_contact channel_contacts) returns text language sql immutable as $$
  select 'whatsapp:' || coalesce(p_contact.reply_to, p_contact.phone, p_contact.lid)
$$;
