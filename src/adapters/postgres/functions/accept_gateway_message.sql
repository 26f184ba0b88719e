-- Stores one message of the gateway: an input, a quiet message (one that no run answers), an edit, or a takeover from
-- the phone.
-- p: { agent_id, organization_id, gateway_message_id, kind: message | edit | takeover, phone, lid, contact_name, text,
--   compared (the phone in the form in which a hello's number is compared), attachments, written_at_ms (epoch ms),
--   answered_for (an interval; a message that is older is not answered, but an edit is), original_id, quoted_id,
--   event_id, agent_name (of the human agent who wrote on the phone), contact_row_id, message_id, run_id,
--   new_conversation_id }
-- Locks: the gateway message's id (by the unique index gateway_events_once); the channel, if the call updates its
-- last_inbound_at; the hellos that the call counts as arrived; the contact (see channel_contact); the contact's
-- conversations.
-- Returns outcome:
--   accepted     conversation_id; answering_agent_id, wake_at_ms (epoch ms) and served_by: see agent_id, wake_at
--                and served_by of accept_input. Null fields are absent
--   stored       conversation_id; the message is in the history, but no run answers it, because it is stale, the agent
--                is paused, the contact is in a loop, or a daily limit is reached
--   edited       the new text replaced the text of an earlier message of the same contact, and keep_edit stored the old
--                text. If the text is the same, or a later edit has already arrived, the message did not change
--   takeover     conversation_id; the business wrote from its phone, so the agent is paused
--   duplicate    the gateway has sent this message before
--   sent_by_api  the message is the echo of one that Parley sent
--   inactive     the agent is inactive or deleted; the message is not stored
-- An edit of an unknown message is stored as a new message and returns the outcome of a new message.
create or replace function accept_gateway_message(p jsonb, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_agent uuid := (p->>'agent_id')::uuid;
  v_kind text := p->>'kind';
  v_written timestamptz := coalesce(to_timestamp((p->>'written_at_ms')::double precision / 1000), v_now);
  v_stale boolean := v_kind = 'message' and v_now - v_written > (p->>'answered_for')::interval;
  v_event gateway_events;
  v_contact channel_contacts;
  v_conversation conversations;
  v_accepted accepted_input;
  v_original uuid;
  v_limit text;
  v_run uuid;
begin
  if v_kind = 'takeover' and (exists (select from gateway_sends s where s.agent_id = v_agent
        and s.gateway_message_id = p->>'gateway_message_id')
      or exists (select from approval_messages s where s.agent_id = v_agent
        and s.gateway_message_id = p->>'gateway_message_id')
      or exists (select from channel_hellos s where s.agent_id = v_agent
        and s.gateway_message_id = p->>'gateway_message_id')) then
    return jsonb_build_object('outcome', 'sent_by_api');
  end if;
  insert into gateway_events (id, agent_id, gateway_message_id, outcome, received_at)
    values ((p->>'event_id')::uuid, v_agent, p->>'gateway_message_id',
            case v_kind when 'edit' then 'edited' when 'takeover' then 'takeover' else 'accepted' end, v_now)
    on conflict (agent_id, gateway_message_id) where outcome <> 'ignored' do update set repeats = gateway_events.repeats + 1
    returning * into v_event;
  if v_event.id <> (p->>'event_id')::uuid then return jsonb_build_object('outcome', 'duplicate'); end if;
  -- Updates the channel at most once in 5 s. Concurrent messages of the channel that would also update it wait until
  -- this transaction ends.
  update channels set last_inbound_at = v_now where agent_id = v_agent and v_kind <> 'takeover'
    and coalesce(last_inbound_at < v_now - interval '5 s', true);
  -- Counts a hello that has not failed as arrived if this message comes from its number or quotes it, and was written
  -- after it. Allows for a difference of one minute between the clocks of WhatsApp and Postgres.
  update channel_hellos set status = 'sent', problem = null, arrived_at = v_now, arrived_by = 'reply'
    where agent_id = v_agent and v_kind <> 'takeover' and arrived_at is null and status <> 'failed'
      and (compared = p->>'compared' or gateway_message_id = p->>'quoted_id')
      and attempted_at < v_written + interval '1 minute';

  v_contact := channel_contact(v_agent, p->>'phone', p->>'lid', (p->>'contact_row_id')::uuid,
    v_written, v_kind <> 'takeover', v_now);
  perform from conversations where channel_contact_id = v_contact.id order by id for no key update;
  select * into v_conversation from conversations where channel_contact_id = v_contact.id and continued_by is null
    order by id desc limit 1;

  if v_kind = 'edit' then
    select m.id into v_original from gateway_events e join messages m on m.id = e.message_id
        join conversations c on c.id = m.conversation_id
      where e.agent_id = v_agent and e.gateway_message_id = p->>'original_id' and e.outcome in ('accepted', 'stored')
        and m.origin = 'user' and c.channel_contact_id = v_contact.id;
    if v_original is not null then
      -- Edits can arrive out of order. An edit does not replace the text of an edit that was written later.
      update messages set text = p->>'text', edits = keep_edit(edits, text, v_now), edited_at = v_written
        where id = v_original and text <> p->>'text' and coalesce(edited_at <= v_written, true);
      update gateway_events set message_id = v_original where id = v_event.id;
      return jsonb_build_object('outcome', 'edited');
    end if;
    -- The original message is unknown, so the new text is stored as a new message.
  end if;

  if v_kind <> 'takeover' and not v_stale and coalesce(v_conversation.paused_until <= v_now, true) then
    v_limit := channel_limit(v_agent, v_conversation.id, v_event.id, v_now);
  end if;
  if v_limit = 'loop' then
    perform pause_conversation(v_conversation.id, v_now + make_interval(mins => (select pause_minutes from channels where agent_id = v_agent)),
                               'loop', v_now);
  end if;
  if v_limit in ('contact_minute', 'channel_minute') then
    -- A message over a limit per minute joins the open group. If no group with fewer than 100 messages is open, the
    -- message opens one that stays open for a minute (see below).
    select id into v_run from runs where conversation_id = v_conversation.id and state = 'collecting' and closes_at > v_now
      and message_count < 100;
  end if;

  if v_kind = 'takeover' or v_stale or v_conversation.paused_until > v_now or v_limit in ('loop', 'contact_day', 'channel_day') then
    if v_conversation.id is null then
      insert into conversations (id, organization_id, target_id, agent_id, contact_id, contact_name, channel, channel_contact_id,
                                 candidate_agent_id, candidate_version)
        select (p->>'new_conversation_id')::uuid, (p->>'organization_id')::uuid, a.id, a.id, v_contact.contact_id, p->>'contact_name',
               'whatsapp', v_contact.id, case when draws then a.id end, case when draws then a.candidate_version end
          from agents a, draws_candidate(a, (p->>'new_conversation_id')::uuid) draws where a.id = v_agent
        returning * into v_conversation;
    end if;
    if v_kind = 'takeover' then
      perform pause_conversation(v_conversation.id, v_now + make_interval(mins => (select pause_minutes from channels where agent_id = v_agent)),
                                 'phone', v_now);
    end if;
    perform store_quiet_message(
      p || jsonb_build_object('unanswered', case when v_kind = 'takeover' then null when v_stale then 'stale' else coalesce(v_limit, 'paused') end),
      case when v_kind = 'takeover' then 'phone' else 'user' end, v_conversation.id, v_now);
    update gateway_events set message_id = (p->>'message_id')::uuid, conversation_id = v_conversation.id,
        outcome = case when v_kind = 'takeover' then 'takeover' else 'stored' end,
        reason = case when v_kind = 'takeover' then null when v_stale then 'stale' else coalesce(v_limit, 'paused') end
      where id = v_event.id;
    return jsonb_build_object('outcome', case when v_kind = 'takeover' then 'takeover' else 'stored' end,
                              'conversation_id', v_conversation.id);
  end if;

  v_accepted := accept_input(p || jsonb_build_object('target_id', v_agent, 'conversation_id', v_conversation.id,
    'contact_id', v_contact.contact_id, 'sync', false, 'channel', 'whatsapp',
    'join_run', v_run), null, v_now);
  if v_accepted.outcome <> 'accepted' then
    delete from gateway_events where id = v_event.id;
    return jsonb_build_object('outcome', 'inactive');
  end if;
  if v_conversation.id is null then
    update conversations set channel_contact_id = v_contact.id where id = v_accepted.conversation_id;
  end if;
  if p->>'quoted_id' is not null then
    update messages set quotes = coalesce(
        (select e.message_id from gateway_events e where e.agent_id = v_agent and e.gateway_message_id = p->>'quoted_id'
           and e.outcome <> 'ignored' and e.conversation_id = v_accepted.conversation_id),
        (select d.message_id from gateway_sends s join deliveries d on d.id = s.delivery_id where s.agent_id = v_agent
           and s.gateway_message_id = p->>'quoted_id' and d.conversation_id = v_accepted.conversation_id limit 1))
      where id = v_accepted.message_id;
  end if;
  if v_limit in ('contact_minute', 'channel_minute') and v_run is null then
    update runs set state = 'collecting', closes_at = v_now + interval '1 minute', cap_at = v_now + interval '1 minute', max_messages = 100
      where id = v_accepted.run_id and state in ('collecting', 'ready') returning closes_at into v_accepted.wake_at;
  end if;
  update gateway_events set message_id = v_accepted.message_id, conversation_id = v_accepted.conversation_id, outcome = 'accepted',
      reason = v_limit
    where id = v_event.id;
  perform sort_group_as_written(v_accepted.message_id, v_written);
  return jsonb_strip_nulls(jsonb_build_object('outcome', 'accepted', 'conversation_id', v_accepted.conversation_id,
    'answering_agent_id', v_accepted.agent_id, 'wake_at_ms', floor(extract(epoch from v_accepted.wake_at) * 1000),
    'served_by', v_accepted.served_by));
end $$;
