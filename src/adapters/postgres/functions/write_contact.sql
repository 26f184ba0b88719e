-- Writes the addresses of a contact, and changes the recipient of pending replies to its new address. If the contact's
-- phone has changed, replaces each contact_id that was made from the old phone, because somebody else may have that
-- phone now. Locks: the conversations and deliveries that it changes; the caller holds the contact's lock. Returns the
-- new row.
create or replace function write_contact(p_contact channel_contacts) returns channel_contacts language plpgsql as $$
declare
  v_before channel_contacts;
  v_contact channel_contacts := p_contact;
  v_lost text;
  v_conversation uuid;
begin
  select * into v_before from channel_contacts where id = p_contact.id;
  if v_before is not distinct from p_contact then return v_before; end if;
  v_lost := case when v_before.phone is distinct from p_contact.phone then 'whatsapp:' || v_before.phone end;
  if v_lost is not null then
    for v_conversation in select id from conversations
        where channel_contact_id = p_contact.id and split_part(contact_id, '#', 1) = v_lost order by id loop
      update conversations set contact_id = contact_label(p_contact, v_conversation) where id = v_conversation;
    end loop;
    if split_part(v_before.contact_id, '#', 1) = v_lost then
      v_contact.contact_id := 'whatsapp:' || coalesce(p_contact.phone, p_contact.lid);
    end if;
  end if;
  update channel_contacts set contact_id = v_contact.contact_id, phone = p_contact.phone, lid = p_contact.lid,
      reply_to = p_contact.reply_to, addressed_at = p_contact.addressed_at, moved_at = p_contact.moved_at
    where id = p_contact.id returning * into v_contact;
  if contact_address(v_contact) is distinct from contact_address(v_before) then
    update deliveries d set recipient = contact_address(v_contact) from conversations c
      where c.channel_contact_id = v_contact.id and d.conversation_id = c.id and d.status = 'pending' and d.kind = 'channel_reply';
  end if;
  return v_contact;
end $$;
