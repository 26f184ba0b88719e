-- Writes the delivery of a run's message p_message, or of its error if p_message is null: a callback to a webhook_url,
-- or a reply through the conversation's channel to the contact's current address. p_target_of maps the run's mode to
-- its target (see src/domain/conversations/answer-target.ts): `inputs` is the target of the run's last input that has
-- one; `conversation` is the conversation's webhook_url, or its channel if that is null; null writes no delivery.
-- The caller holds the conversation's lock. Returns p_delivery, or null if no delivery is due.
create or replace function write_delivery(p_run runs, p_message uuid, p_delivery uuid, p_target_of jsonb, p_now timestamptz)
returns uuid language plpgsql as $$
declare
  v_delivery uuid;
begin
  insert into deliveries (id, organization_id, conversation_id, run_id, message_id, of_agent_id, event, kind, url, recipient, created_at)
    select p_delivery, p_run.organization_id, p_run.conversation_id, p_run.id, p_message, p_run.agent_id,
           case when p_message is null then 'message.error' else 'message.completed' end,
           case when target.url is null then 'channel_reply' else 'callback' end,
           target.url, case when target.url is null then contact_address(k) end, p_now
      from conversations c left join channel_contacts k on k.id = c.channel_contact_id cross join lateral (
        select c.webhook_url as url where p_target_of->>p_run.mode = 'conversation'
        union all
        (select m.webhook_url from messages m
           where p_target_of->>p_run.mode = 'inputs' and m.conversation_id = c.id and m.run_ordinal = p_run.ordinal
             and (m.webhook_url is not null or m.from_channel)
           order by m.seq desc limit 1)) target
      where c.id = p_run.conversation_id and (target.url is not null or k.id is not null)
    returning id into v_delivery;
  return v_delivery;
end $$;
