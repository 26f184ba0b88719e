-- Stores a message that no run answers, such as one of a human agent.
-- p: { text, attachments, message_id, contact_name?, agent_name (of the human agent who wrote) }
-- p_origin: user, human_agent or phone. attachments and p_bytes: see insert_files. Locks: the conversation.
create or replace function store_quiet_message(p jsonb, p_origin text, p_conversation uuid, p_now timestamptz,
                                               p_bytes bytea default null) returns void language plpgsql as $$
declare
  v_conversation conversations;
begin
  update conversations set last_seq = last_seq + 1, last_ordinal = last_ordinal + 1, updated_at = p_now,
      contact_name = coalesce(p->>'contact_name', contact_name),
      waiting_since = case when p_origin = 'user' then coalesce(waiting_since, p_now) end
    where id = p_conversation returning * into v_conversation;
  insert into messages (id, organization_id, conversation_id, run_ordinal, seq, origin, text, agent_id, agent_name, created_at)
    values ((p->>'message_id')::uuid, v_conversation.organization_id, p_conversation, v_conversation.last_ordinal,
            v_conversation.last_seq, p_origin, p->>'text',
            case when p_origin <> 'user' then v_conversation.agent_id end, case when p_origin <> 'user' then p->>'agent_name' end, p_now);
  if jsonb_array_length(p->'attachments') > 0 then
    perform insert_files((p->>'message_id')::uuid, p->'attachments', p_bytes);
  end if;
end $$;
