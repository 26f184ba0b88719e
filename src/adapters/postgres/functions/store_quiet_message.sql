-- Stores a message that no run answers, such as one of a human agent.
-- p: { text, attachments, message_id, contact_name?, agent_name (of the human agent who wrote), webhook_url?,
--   unanswered? (see messages.unanswered) }
-- p_origin: user, human_agent or phone. attachments and p_bytes: see insert_files. p_metadata: see messages.metadata.
-- Locks: the conversation.
create or replace function store_quiet_message(p jsonb, p_origin text, p_conversation uuid, p_now timestamptz,
                                               p_bytes bytea default null, p_metadata json default null)
returns void language plpgsql as $$
declare
  v_conversation conversations;
begin
  update conversations set last_seq = last_seq + 1, last_ordinal = last_ordinal + 1, updated_at = p_now,
      webhook_url = coalesce(p->>'webhook_url', webhook_url),
      contact_name = coalesce(p->>'contact_name', contact_name),
      waiting_since = case when p_origin = 'user' then coalesce(waiting_since, p_now) end,
      waiting_handed_over = waiting_handed_over and waiting_since is not null,
      done_at = case when p_origin <> 'user' then done_at end, done_by_name = case when p_origin <> 'user' then done_by_name end
    where id = p_conversation returning * into v_conversation;
  insert into messages (id, organization_id, conversation_id, run_ordinal, seq, origin, text, webhook_url, metadata, unanswered,
                        agent_id, agent_name, created_at)
    values ((p->>'message_id')::uuid, v_conversation.organization_id, p_conversation, v_conversation.last_ordinal,
            v_conversation.last_seq, p_origin, p->>'text', p->>'webhook_url', p_metadata, p->>'unanswered',
            case when p_origin <> 'user' then v_conversation.agent_id end, case when p_origin <> 'user' then p->>'agent_name' end, p_now);
  if jsonb_array_length(p->'attachments') > 0 then
    perform insert_files((p->>'message_id')::uuid, p->'attachments', p_bytes);
  end if;
end $$;
