/** The WhatsApp channel of an agent, its events, contacts and sends. Text stands in messages alone. */
export const up = `
create table channels (
  agent_id uuid primary key references agents on delete cascade,
  organization_id uuid not null references organizations on delete cascade,
  state text not null default 'not_connected'
    check (state in ('not_connected', 'awaiting_webhook', 'connected', 'inactive')),
  base_url text,
  instance_token text,               -- sealed
  webhook_secret text not null,      -- sealed: its URL must be shown again
  webhook_secret_hash bytea not null,
  connected_number text,
  last_error jsonb,
  pause_minutes integer not null default 720,
  alert_url text,
  alert_after_minutes integer not null default 10,
  -- The session as it was last seen; no check is due while next_check_at is null.
  live_status text,
  live_reason text,
  live_checked_at timestamptz,
  next_check_at timestamptz,
  down_since timestamptz,
  alerted_at timestamptz,
  credentials_refused_at timestamptz,
  last_inbound_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index channels_to_check on channels (next_check_at) where next_check_at is not null;

-- One row a step of the connection: what was asked and what came of it. Its token is sealed, and gone at the end.
create table channel_checks (
  id uuid primary key,
  agent_id uuid not null references channels on delete cascade,
  trigger text not null check (trigger in ('connect', 'verify', 'edit', 'disconnect')),
  base_url text,
  instance_token text,
  outcome jsonb,
  created_at timestamptz not null default now(),
  claimed_at timestamptz,
  finished_at timestamptz
);
create index channel_checks_by_age on channel_checks (created_at);

-- A person may be known by a phone, by a LID, or by both: either finds the one conversation.
create table channel_contacts (
  id uuid primary key,
  agent_id uuid not null references channels on delete cascade,
  contact_id text not null,
  phone text,
  lid text,
  created_at timestamptz not null default now(),
  unique (agent_id, phone),
  unique (agent_id, lid)
);

-- What the gateway told and what became of it. A kept message's id is taken once.
create table gateway_events (
  id uuid primary key,
  agent_id uuid not null references channels on delete cascade,
  gateway_message_id text,
  outcome text not null check (outcome in ('accepted', 'stored', 'edited', 'takeover', 'ignored')),
  reason text,
  message_id uuid,
  conversation_id uuid,
  repeats integer not null default 0,
  received_at timestamptz not null default now()
);
create unique index gateway_events_once on gateway_events (agent_id, gateway_message_id) where outcome <> 'ignored';
create index gateway_events_of_agent on gateway_events (agent_id, id);
create index gateway_events_by_age on gateway_events (received_at);

-- One row a part of a reply, written before its first byte leaves. 'retry': surely not sent.
create table gateway_sends (
  delivery_id uuid not null references deliveries on delete cascade,
  part_no integer not null,
  agent_id uuid not null,
  status text not null check (status in ('attempting', 'retry', 'sent', 'unknown', 'failed')),
  attempts integer not null default 1,
  doubts integer not null default 0, -- attempts that may have landed
  checks integer not null default 0,
  attempted_at timestamptz not null,
  finished_at timestamptz,
  gateway_message_id text,
  error text,
  primary key (delivery_id, part_no)
);
create index gateway_sends_message on gateway_sends (agent_id, gateway_message_id) where gateway_message_id is not null;

alter table conversations add paused_until timestamptz, add paused_by text;
alter table messages add by_person boolean not null default false;

create function channel_contact(p_agent uuid, p_phone text, p_lid text, p_new uuid) returns channel_contacts language plpgsql as $$
declare
  v_contact channel_contacts;
begin
  for attempt in 1..3 loop
    select * into v_contact from channel_contacts
      where agent_id = p_agent and (phone = p_phone or lid = p_lid) order by (phone = p_phone) desc nulls last, created_at limit 1;
    if found then
      update channel_contacts c set phone = coalesce(c.phone, p_phone), lid = coalesce(c.lid, p_lid)
        where c.id = v_contact.id and (c.phone is null or c.lid is null)
          and not exists (select from channel_contacts o where o.agent_id = p_agent and o.id <> c.id
                          and (o.phone = p_phone or o.lid = p_lid))
        returning * into v_contact;
      if found then return v_contact; end if;
      select * into v_contact from channel_contacts
        where agent_id = p_agent and (phone = p_phone or lid = p_lid) order by (phone = p_phone) desc nulls last, created_at limit 1;
      return v_contact;
    end if;
    insert into channel_contacts (id, agent_id, contact_id, phone, lid)
      values (p_new, p_agent, 'whatsapp:' || coalesce(p_phone, p_lid), p_phone, p_lid) on conflict do nothing;
  end loop;
  raise exception 'contact is being written elsewhere' using errcode = '40001';
end $$;

-- A message that starts no run: kept in the history, between the runs.
create function store_quiet_message(p jsonb, p_conversation uuid, p_now timestamptz) returns void language plpgsql as $$
declare
  v_conversation conversations;
  v_person boolean := p->>'kind' = 'takeover';
begin
  update conversations set last_seq = last_seq + 1, last_ordinal = last_ordinal + 1, updated_at = p_now,
      contact_name = coalesce(p->>'contact_name', contact_name)
    where id = p_conversation returning * into v_conversation;
  -- Of no agent: nothing follows up on it.
  insert into runs (id, organization_id, conversation_id, ordinal, mode, state, opened_at, closes_at, cap_at, message_count, finished_at)
    values ((p->>'run_id')::uuid, v_conversation.organization_id, p_conversation, v_conversation.last_ordinal, 'single', 'answered',
            p_now, p_now, p_now, 1, p_now);
  insert into messages (id, organization_id, conversation_id, run_id, run_ordinal, seq, role, text, agent_id, agent_name, by_person, created_at)
    values ((p->>'message_id')::uuid, v_conversation.organization_id, p_conversation, (p->>'run_id')::uuid, v_conversation.last_ordinal,
            v_conversation.last_seq, case when v_person then 'agent' else 'user' end, p->>'text',
            case when v_person then v_conversation.agent_id end, case when v_person then 'A person' end, v_person, p_now);
  if jsonb_array_length(p->'attachments') > 0 then
    insert into attachments (id, organization_id, conversation_id, message_id, position, filename, content_type, url, content, size)
      select (a->>'id')::uuid, v_conversation.organization_id, p_conversation, (p->>'message_id')::uuid, n, a->>'filename',
             a->>'content_type', a->>'url', decode(a->>'content_base64', 'base64'), (a->>'size')::integer
        from jsonb_array_elements(p->'attachments') with ordinality as given(a, n);
  end if;
end $$;

-- The agent keeps silent towards this contact; what waited for it is left to the person.
create function pause_conversation(p_conversation uuid, p_until timestamptz, p_by text, p_now timestamptz) returns void language sql as $$
  select from conversations where id = p_conversation for no key update;
  update conversations set paused_until = greatest(p_until, case when paused_until > p_now then paused_until end), paused_by = p_by,
    updated_at = p_now where id = p_conversation;
  update runs set state = 'answered', finished_at = p_now, error = 'left to a person'
    where conversation_id = p_conversation and state in ('collecting', 'ready') and mode <> 'sync';
$$;

-- A person writes to the contact through us: kept, and to be delivered; the agent is paused.
-- p: { kind: takeover, text, attachments, message_id, run_id, delivery_id, minutes?, by }
create function send_as_person(p jsonb, p_conversation uuid, p_now timestamptz) returns void language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
begin
  perform pause_conversation(p_conversation, v_now + make_interval(mins => coalesce((p->>'minutes')::integer,
    (select h.pause_minutes from channels h join conversations c on c.target_id = h.agent_id where c.id = p_conversation), 720)),
    p->>'by', v_now);
  perform store_quiet_message(p, p_conversation, v_now);
  insert into deliveries (id, organization_id, conversation_id, run_id, message_id, event, url, created_at)
    select (p->>'delivery_id')::uuid, c.organization_id, c.id, (p->>'run_id')::uuid, (p->>'message_id')::uuid, 'message.completed',
           'whatsapp:' || coalesce(k.phone, k.lid), v_now
      from conversations c join channel_contacts k on k.agent_id = c.target_id and k.contact_id = c.contact_id where c.id = p_conversation;
end $$;

-- p: { agent_id, organization_id, gateway_message_id, kind: message | edit | takeover, phone, lid, contact_name, text,
--   attachments, stale, original_id, quoted_id, event_id, contact_row_id, message_id, run_id, new_conversation_id }
-- outcome: accepted (with accept_input's columns) | stored | edited | takeover | duplicate | sent_by_api | inactive
create function accept_gateway_message(p jsonb, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_agent uuid := (p->>'agent_id')::uuid;
  v_kind text := p->>'kind';
  v_event gateway_events;
  v_fresh boolean;
  v_contact channel_contacts;
  v_reply_to text;
  v_conversation conversations;
  v_accepted accepted_input;
  v_original uuid;
begin
  if v_kind = 'takeover' and exists (select from gateway_sends s where s.agent_id = v_agent
      and s.gateway_message_id = p->>'gateway_message_id') then
    return jsonb_build_object('outcome', 'sent_by_api');
  end if;
  insert into gateway_events (id, agent_id, gateway_message_id, outcome, received_at)
    values ((p->>'event_id')::uuid, v_agent, p->>'gateway_message_id',
            case v_kind when 'edit' then 'edited' when 'takeover' then 'takeover' else 'accepted' end, v_now)
    on conflict (agent_id, gateway_message_id) where outcome <> 'ignored' do update set repeats = gateway_events.repeats + 1
    returning * into v_event;
  v_fresh := v_event.id = (p->>'event_id')::uuid;
  if not v_fresh then return jsonb_build_object('outcome', 'duplicate'); end if;
  -- Not at every message: the row's lock would put all messages of a channel in one line.
  update channels set last_inbound_at = v_now where agent_id = v_agent and v_kind <> 'takeover'
    and coalesce(last_inbound_at < v_now - interval '5 s', true);

  if v_kind = 'edit' then
    select message_id into v_original from gateway_events
      where agent_id = v_agent and gateway_message_id = p->>'original_id' and outcome in ('accepted', 'stored', 'takeover');
    if v_original is not null then
      update messages set text = p->>'text' where id = v_original;
      update gateway_events set message_id = v_original where id = v_event.id;
      return jsonb_build_object('outcome', 'edited');
    end if;
    -- The original never came: its new text is the message.
  end if;

  v_contact := channel_contact(v_agent, p->>'phone', p->>'lid', (p->>'contact_row_id')::uuid);
  -- The phone, where any event has told it: every gateway takes one.
  v_reply_to := 'whatsapp:' || coalesce(v_contact.phone, v_contact.lid);
  select * into v_conversation from conversations where target_id = v_agent and contact_id = v_contact.contact_id for no key update;

  if v_kind = 'takeover' or (p->>'stale')::boolean or v_conversation.paused_until > v_now then
    if v_conversation.id is null then
      insert into conversations (id, organization_id, target_id, agent_id, contact_id, contact_name, channel, webhook_url)
        values ((p->>'new_conversation_id')::uuid, (p->>'organization_id')::uuid, v_agent, v_agent, v_contact.contact_id, p->>'contact_name',
                'whatsapp', v_reply_to)
        on conflict (target_id, contact_id) where contact_id is not null do update set updated_at = v_now
        returning * into v_conversation;
    end if;
    if v_kind = 'takeover' then
      perform pause_conversation(v_conversation.id, v_now + make_interval(mins => (select pause_minutes from channels where agent_id = v_agent)),
                                 'phone', v_now);
    end if;
    perform store_quiet_message(p, v_conversation.id, v_now);
    update gateway_events set message_id = (p->>'message_id')::uuid, conversation_id = v_conversation.id,
        outcome = case when v_kind = 'takeover' then 'takeover' else 'stored' end,
        reason = case when v_kind = 'takeover' then null when (p->>'stale')::boolean then 'stale' else 'paused' end
      where id = v_event.id;
    return jsonb_build_object('outcome', case when v_kind = 'takeover' then 'takeover' else 'stored' end,
                              'conversation_id', v_conversation.id);
  end if;

  v_accepted := accept_input(p || jsonb_build_object('target_id', v_agent, 'contact_id', v_contact.contact_id, 'sync', false,
    'webhook_url', v_reply_to, 'channel', 'whatsapp'), null, v_now);
  if v_accepted.outcome <> 'accepted' then
    delete from gateway_events where id = v_event.id;
    return jsonb_build_object('outcome', 'inactive');
  end if;
  if p->>'quoted_id' is not null then
    update messages set quotes = coalesce(
        (select e.message_id from gateway_events e where e.agent_id = v_agent and e.gateway_message_id = p->>'quoted_id'
           and e.outcome <> 'ignored' and e.conversation_id = v_accepted.conversation_id),
        (select d.message_id from gateway_sends s join deliveries d on d.id = s.delivery_id where s.agent_id = v_agent
           and s.gateway_message_id = p->>'quoted_id' and d.conversation_id = v_accepted.conversation_id limit 1))
      where id = v_accepted.message_id;
  end if;
  update gateway_events set message_id = v_accepted.message_id, conversation_id = v_accepted.conversation_id, outcome = 'accepted'
    where id = v_event.id;
  return jsonb_strip_nulls(jsonb_build_object('outcome', 'accepted', 'conversation_id', v_accepted.conversation_id,
    'answering_agent_id', v_accepted.agent_id, 'wake_at_ms', floor(extract(epoch from v_accepted.wake_at) * 1000)));
end $$;
`;
