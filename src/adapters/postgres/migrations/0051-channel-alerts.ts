/** Alerts of a channel are deliveries too: written down with what they say, claimed like a callback, told once. */
export const up = `
-- A delivery belongs to a run of a conversation, or to an agent's channel.
alter table deliveries alter conversation_id drop not null, alter run_id drop not null,
  add agent_id uuid references agents on delete cascade,
  add constraint deliveries_of_one check (num_nonnulls(conversation_id, agent_id) = 1);
create index deliveries_untold on deliveries (created_at) where agent_id is not null and status = 'pending';

-- Until then WhatsApp forbids this number to begin new chats (463).
alter table channels add timelocked_until timestamptz;

-- What a callback says, before it is claimed; an alert's words stand in its row from the start.
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
`;
