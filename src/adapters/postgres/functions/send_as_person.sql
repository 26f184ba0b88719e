-- Stores a message that a human agent writes to the contact through the API or the console, and pauses the agent. If
-- the conversation has a channel contact, or a webhook_url, also writes the delivery that sends the message.
-- p: { text, attachments, message_id, delivery_id, minutes? (length of the pause; default: the channel's setting),
--   default_minutes (length of the pause if there is no channel), by, by_name }
-- attachments and p_bytes: see insert_files. Locks: see pause_conversation.
create or replace function send_as_person(p jsonb, p_conversation uuid, p_bytes bytea) returns void language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  perform pause_conversation(p_conversation, v_now + make_interval(mins => coalesce((p->>'minutes')::integer,
    (select h.pause_minutes from channels h join conversations c on c.target_id = h.agent_id where c.id = p_conversation),
    (p->>'default_minutes')::integer)), p->>'by', v_now, p->>'by_name');
  perform store_quiet_message(p, 'human_agent', p_conversation, v_now, p_bytes);
  insert into deliveries (id, organization_id, conversation_id, message_id, of_agent_id, event, kind, url, recipient, created_at)
    select (p->>'delivery_id')::uuid, c.organization_id, c.id, (p->>'message_id')::uuid, c.agent_id, 'message.completed',
           case when k.id is null then 'callback' else 'channel_reply' end, case when k.id is null then c.webhook_url end,
           case when k.id is not null then contact_address(k) end, v_now
      from conversations c left join channel_contacts k on k.id = c.channel_contact_id
      where c.id = p_conversation and (k.id is not null or c.webhook_url is not null);
end $$;
