-- Stores and schedules a message that a human agent writes to the contact through the API or the console; pauses the
-- agent.
-- p: { kind: takeover, text, attachments, message_id, run_id, delivery_id, minutes?, by, by_name? }
-- Locks: all conversations of the contact.
create or replace function send_as_person(p jsonb, p_conversation uuid, p_now timestamptz) returns void language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
begin
  perform pause_conversation(p_conversation, v_now + make_interval(mins => coalesce((p->>'minutes')::integer,
    (select h.pause_minutes from channels h join conversations c on c.target_id = h.agent_id where c.id = p_conversation), 720)),
    p->>'by', v_now, p->>'by_name');
  perform store_quiet_message(p, p_conversation, v_now);
  insert into deliveries (id, organization_id, conversation_id, run_id, message_id, event, url, created_at)
    select (p->>'delivery_id')::uuid, c.organization_id, c.id, (p->>'run_id')::uuid, (p->>'message_id')::uuid, 'message.completed',
           contact_address(k), v_now
      from conversations c join channel_contacts k on k.id = c.channel_contact_id where c.id = p_conversation;
end $$;
