-- The content of a callback before it is claimed, or null when it is gone. An alert's body is in its row. Locks nothing.
create or replace function delivery_view(p_delivery uuid) returns jsonb language sql as $$
  select jsonb_build_object(
    'status', d.status, 'url', d.url, 'event', d.event, 'conversation_id', d.conversation_id, 'organization_id', d.organization_id,
    'alert', case when d.agent_id is not null then d.request_body end,
    'agent_id', coalesce(m.agent_id, r.agent_id, d.agent_id), 'message_id', m.id, 'response', m.text, 'model', m.model,
    'credits_used', m.credits_used, 'responding_agent_name', m.agent_name, 'pre_transfer', m.pre_transfer, 'error', r.error,
    'followup_attempt', r.follow_up_attempt,
    'attachments_processed', (select count(*) from attachments f join messages i on i.id = f.message_id
      where i.conversation_id = r.conversation_id and i.run_ordinal = r.ordinal),
    'metadata', run_metadata(coalesce(r.follow_up_of, r.id))::text,
    'attempted_ms_ago', extract(epoch from clock_timestamp() - d.attempted_at) * 1000)
  from deliveries d left join runs r on r.id = d.run_id left join messages m on m.id = d.message_id
  where d.id = p_delivery
$$;
