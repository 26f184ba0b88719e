-- Merges two rows of one person: moves the conversations of p_gone to p_kept, and deletes p_gone. The kept row gets the
-- phone of p_gone if it has none, and the reply address of p_gone if that is newer.
-- The conversations remain separate: each keeps its messages, runs and replies, and the one with the newest message
-- continues. A pause of one conversation then applies to all. Open approvals of the conversations are refused, unless
-- their calls have begun. The caller holds the locks of both contacts. Locks: their conversations, then the open
-- approvals of these (see end_approvals). Returns the kept row.
create or replace function merge_contacts(p_kept channel_contacts, p_gone channel_contacts, p_now timestamptz) returns channel_contacts
language plpgsql as $$
declare
  v_kept channel_contacts := p_kept;
  v_current uuid;
  v_pause conversations;
begin
  perform from conversations where channel_contact_id in (p_kept.id, p_gone.id) order by id for no key update;
  update conversations set channel_contact_id = p_kept.id where channel_contact_id = p_gone.id;
  delete from channel_contacts where id = p_gone.id;
  perform end_approvals(array(select id from conversations where channel_contact_id = p_kept.id),
    'contact_merged', p_now);
  select c.id into v_current from conversations c where c.channel_contact_id = p_kept.id and c.continued_by is null
    order by (select m.created_at from messages m where m.conversation_id = c.id order by m.seq desc limit 1) desc nulls last, c.id desc limit 1;
  update conversations set continued_by = v_current
    where channel_contact_id = p_kept.id and continued_by is null and id <> v_current;
  select * into v_pause from conversations where channel_contact_id = p_kept.id and paused_until > p_now
    order by paused_until desc limit 1;
  if found then
    perform pause_conversation(v_pause.id, v_pause.paused_until, v_pause.paused_by, p_now, v_pause.paused_by_name);
  end if;
  v_kept.phone := coalesce(p_kept.phone, p_gone.phone);
  if coalesce(p_gone.addressed_at > p_kept.addressed_at, p_kept.addressed_at is null) then
    v_kept.reply_to := coalesce(p_gone.reply_to, p_kept.reply_to);
    v_kept.addressed_at := p_gone.addressed_at;
  end if;
  return write_contact(v_kept);
end $$;
