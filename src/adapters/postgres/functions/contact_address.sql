-- Returns the number or LID to which replies to a contact go now. Locks nothing.
create or replace function contact_address(p_contact channel_contacts) returns text language sql immutable as $$
  select coalesce(p_contact.reply_to, p_contact.phone, p_contact.lid)
$$;
