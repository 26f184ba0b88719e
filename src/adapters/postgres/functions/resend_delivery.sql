-- Writes a delivery p_new that sends the callback p_delivery again, with the same body if one was sent. If p_delivery
-- is itself a resend, p_new counts as a resend of the first delivery. The first delivery does not change. Locks: the
-- conversation.
-- Returns outcome:
--   accepted        id, resend_of; conversation_id, and the agent_id and channel of the conversation
--   not_found       the organization has no such delivery
--   not_a_callback  the delivery is a channel reply or an alert
--   unfinished      the first delivery, or a resend of it, is pending or in progress
--   too_many        the first delivery was sent again p_max times
--   replaced        a regenerated answer replaced the delivery's message; or the delivery has no message, and the
--                   inputs of its run were moved to a new run that answers them again
create or replace function resend_delivery(p_organization uuid, p_delivery uuid, p_new uuid, p_max integer)
returns jsonb language plpgsql as $$
declare
  v_first deliveries;
  v_conversation conversations;
  v_sent integer;
  v_open boolean;
begin
  select * into v_first from deliveries where id = p_delivery and organization_id = p_organization;
  if v_first.resend_of is not null then
    select * into v_first from deliveries where id = v_first.resend_of and organization_id = p_organization;
  end if;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_first.kind <> 'callback' then return jsonb_build_object('outcome', 'not_a_callback'); end if;
  select * into v_conversation from conversations where id = v_first.conversation_id for no key update;
  -- Reads the delivery again under the lock, because it may have changed since the first read.
  select * into v_first from deliveries where id = v_first.id;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  select count(*), coalesce(bool_or(status in ('pending', 'attempting')), false) into v_sent, v_open
    from deliveries where resend_of = v_first.id;
  if v_open or v_first.status in ('pending', 'attempting') then return jsonb_build_object('outcome', 'unfinished'); end if;
  if v_sent >= p_max then return jsonb_build_object('outcome', 'too_many'); end if;
  if exists (select from messages where id = v_first.message_id and replaced_by is not null)
     or v_first.message_id is null and exists (select from runs r where r.id = v_first.run_id and r.mode <> 'follow_up'
       and not exists (select from messages m where m.conversation_id = r.conversation_id and m.run_ordinal = r.ordinal and m.origin = 'user')) then
    return jsonb_build_object('outcome', 'replaced');
  end if;
  insert into deliveries (id, organization_id, conversation_id, run_id, message_id, of_agent_id, event, kind, url,
      request_body, resend_of, created_at)
    values (p_new, v_first.organization_id, v_first.conversation_id, v_first.run_id, v_first.message_id, v_first.of_agent_id,
      v_first.event, 'callback', v_first.url, v_first.request_body, v_first.id, clock_timestamp());
  return jsonb_build_object('outcome', 'accepted', 'id', p_new, 'resend_of', v_first.id,
    'conversation_id', v_conversation.id, 'agent_id', v_conversation.agent_id, 'channel', v_conversation.channel);
end $$;
