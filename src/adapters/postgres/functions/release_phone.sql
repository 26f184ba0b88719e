-- Removes the phone from a contact that has a LID, because somebody else has the phone now. Replies that went to the
-- phone go to the LID. Locks: see write_contact; the caller holds the contact's lock.
create or replace function release_phone(p_contact channel_contacts) returns void language plpgsql as $$
begin
  if p_contact.reply_to = p_contact.phone then p_contact.reply_to := p_contact.lid; end if;
  p_contact.phone := null;
  perform write_contact(p_contact);
end $$;
