-- Finds the contact of a gateway event by phone and LID, and updates the contact's addresses. Creates the row with the
-- id p_new if the contact is new. Merges two rows if the event shows that they are one person.
-- p_wrote: true if the contact wrote the message; the event's addresses then replace the stored ones. False if the
-- business wrote it on its phone; the event then only adds missing addresses.
-- p_written: when the message was written. A message that is older than the stored addresses does not replace them.
-- Locks: the phone and the LID (advisory); the contact's rows; their conversations, if it merges two rows or changes a
-- phone. Returns the contact's row.
create or replace function channel_contact(p_agent uuid, p_phone text, p_lid text, p_new uuid, p_written timestamptz, p_wrote boolean,
                                p_now timestamptz) returns channel_contacts language plpgsql as $$
declare
  v_by_lid channel_contacts;
  v_by_phone channel_contacts;
  v_contact channel_contacts;
  v_is_news boolean;
begin
  -- Serializes events per address, so that two events never create, move or merge the same contact at once.
  perform pg_advisory_xact_lock(key) from (
    select distinct hashtextextended('channel contact ' || p_agent || ' ' || address, 0) as key
      from unnest(array[p_phone, p_lid]) as address where address is not null order by 1) keys;
  perform from channel_contacts where agent_id = p_agent and (phone = p_phone or lid = p_lid) order by id for update;
  select * into v_by_lid from channel_contacts where agent_id = p_agent and lid = p_lid;
  select * into v_by_phone from channel_contacts where agent_id = p_agent and phone = p_phone;
  -- A LID moves to another phone at most once a day. Otherwise a gateway that uses one LID for several people would
  -- merge them.
  if p_wrote and v_by_lid.phone <> p_phone and p_written between v_by_lid.moved_at and v_by_lid.moved_at + interval '1 day' then
    v_by_lid := null;
    p_lid := null;
  end if;
  v_is_news := p_wrote and p_written >= greatest(v_by_lid.addressed_at, v_by_phone.addressed_at, '-infinity');

  if v_by_phone.id <> v_by_lid.id then
    if v_by_phone.lid is null and (v_is_news or v_by_lid.phone is null) then
      v_by_lid := merge_contacts(v_by_lid, v_by_phone, p_now);
    elsif v_is_news then
      perform release_phone(v_by_phone);
    elsif p_wrote then
      p_phone := null;
    else
      v_by_lid := null;
      p_lid := null;
    end if;
  elsif v_by_lid.id is null and v_by_phone.lid <> p_lid then
    if v_is_news then
      -- The phone number has a new holder.
      perform release_phone(v_by_phone);
      v_by_phone := null;
    elsif p_wrote then
      v_by_phone := null;
      p_phone := null;
    else
      p_lid := null;
    end if;
  end if;

  v_contact := case when v_by_lid.id is null then v_by_phone else v_by_lid end;
  if v_contact.id is null then
    v_contact.id := p_new;
    v_contact.agent_id := p_agent;
    v_contact.phone := p_phone;
    v_contact.lid := p_lid;
    insert into channel_contacts (id, agent_id, contact_id, phone, lid, reply_to, addressed_at)
      values (p_new, p_agent, contact_label(v_contact, p_new), p_phone, p_lid, coalesce(p_phone, p_lid),
              case when p_wrote then p_written end)
      returning * into v_contact;
    return v_contact;
  end if;
  if v_is_news then
    if v_contact.phone <> p_phone then v_contact.moved_at := p_written; end if;
    v_contact.phone := coalesce(p_phone, v_contact.phone);
    v_contact.reply_to := coalesce(p_phone, p_lid);
    v_contact.addressed_at := p_written;
  elsif not p_wrote then
    v_contact.phone := coalesce(v_contact.phone, p_phone);
  end if;
  v_contact.lid := coalesce(v_contact.lid, p_lid);
  return write_contact(v_contact);
end $$;
