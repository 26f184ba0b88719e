-- Adds a note to a conversation. Returns false if the conversation would then have more than p_max_notes notes or more
-- than p_max_bytes bytes of them.
-- p: { id, organization_id, conversation_id, author_id, author_name, text }. Locks: the conversation.
create or replace function write_note(p jsonb, p_max_notes integer, p_max_bytes integer) returns boolean language plpgsql as $$
begin
  perform from conversations where id = (p->>'conversation_id')::uuid for no key update;
  if (select count(*) >= p_max_notes or coalesce(sum(octet_length(text)), 0) + octet_length(p->>'text') > p_max_bytes
        from conversation_notes where conversation_id = (p->>'conversation_id')::uuid) then
    return false;
  end if;
  insert into conversation_notes (id, organization_id, conversation_id, author_id, author_name, text)
    values ((p->>'id')::uuid, (p->>'organization_id')::uuid, (p->>'conversation_id')::uuid, (p->>'author_id')::uuid,
            p->>'author_name', p->>'text');
  return true;
end $$;
