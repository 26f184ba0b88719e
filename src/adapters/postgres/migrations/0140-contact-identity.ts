/** Who a WhatsApp contact is, and where replies go: a LID names the person, a phone only the address they write from. */
export const up = `
-- reply_to: where the contact's last message came from, digits or a LID; addressed_at: when that message was written;
-- moved_at: when they last wrote from another phone than before.
alter table channel_contacts add reply_to text, add addressed_at timestamptz, add moved_at timestamptz;

-- A conversation knows its contact by the row: names follow the addresses. continued_by: the conversation in which the
-- same contact writes now, after two rows of one person were merged.
alter table conversations
  add channel_contact_id uuid references channel_contacts on delete set null,
  add continued_by uuid references conversations on delete set null;
update conversations c set channel_contact_id = k.id from channel_contacts k
  where k.agent_id = c.target_id and k.contact_id = c.contact_id;
create index conversations_of_channel_contact on conversations (channel_contact_id) where channel_contact_id is not null;
create index conversations_continued_by on conversations (continued_by) where continued_by is not null;

create function contact_address(p_contact channel_contacts) returns text language sql immutable as $$
  select 'whatsapp:' || coalesce(p_contact.reply_to, p_contact.phone, p_contact.lid)
$$;

-- The contact's name: one of its addresses. With a suffix if another contact or an API conversation bears it.
create function contact_label(p_contact channel_contacts, p_suffix uuid) returns text language sql stable as $$
  select case when exists (select from conversations where target_id = p_contact.agent_id and contact_id = label)
                or exists (select from channel_contacts where agent_id = p_contact.agent_id and contact_id = label and id <> p_contact.id)
              then label || '#' || right(p_suffix::text, 8) else label end
    from (select 'whatsapp:' || coalesce(p_contact.phone, p_contact.lid) as label) natural_label
$$;

-- Writes the addresses of a contact. Replies that are still pending go to the new address; a name made of a phone that
-- the contact has no longer is replaced, since somebody else may have that phone now.
create function write_contact(p_contact channel_contacts) returns channel_contacts language plpgsql as $$
declare
  v_before channel_contacts;
  v_contact channel_contacts := p_contact;
  v_lost text;
  v_conversation uuid;
begin
  select * into v_before from channel_contacts where id = p_contact.id;
  if v_before is not distinct from p_contact then return v_before; end if;
  v_lost := case when v_before.phone is distinct from p_contact.phone then 'whatsapp:' || v_before.phone end;
  if v_lost is not null then
    for v_conversation in select id from conversations
        where channel_contact_id = p_contact.id and split_part(contact_id, '#', 1) = v_lost order by id loop
      update conversations set contact_id = contact_label(p_contact, v_conversation) where id = v_conversation;
    end loop;
    if split_part(v_before.contact_id, '#', 1) = v_lost then
      v_contact.contact_id := 'whatsapp:' || coalesce(p_contact.phone, p_contact.lid);
    end if;
  end if;
  update channel_contacts set contact_id = v_contact.contact_id, phone = p_contact.phone, lid = p_contact.lid,
      reply_to = p_contact.reply_to, addressed_at = p_contact.addressed_at, moved_at = p_contact.moved_at
    where id = p_contact.id returning * into v_contact;
  if contact_address(v_contact) is distinct from contact_address(v_before) then
    update deliveries d set url = contact_address(v_contact) from conversations c
      where c.channel_contact_id = v_contact.id and d.conversation_id = c.id and d.status = 'pending' and d.url like 'whatsapp:%';
  end if;
  return v_contact;
end $$;

-- The phone belongs to somebody else now; the contact keeps its LID.
create function release_phone(p_contact channel_contacts) returns void language plpgsql as $$
begin
  if p_contact.reply_to = p_contact.phone then p_contact.reply_to := p_contact.lid; end if;
  p_contact.phone := null;
  perform write_contact(p_contact);
end $$;

-- A pause holds for the contact: for each of its conversations.
create or replace function pause_conversation(p_conversation uuid, p_until timestamptz, p_by text, p_now timestamptz, p_by_name text default null)
returns void language plpgsql as $$
declare
  v_all uuid[];
begin
  v_all := conversations_of_same_contact(p_conversation);
  update conversations set paused_until = greatest(p_until, case when paused_until > p_now then paused_until end), paused_by = p_by,
    paused_by_name = p_by_name, updated_at = p_now where id = any(v_all);
  update runs set state = 'answered', finished_at = p_now, error = 'left to a person'
    where conversation_id = any(v_all) and state in ('collecting', 'ready') and mode <> 'sync';
end $$;

-- The function is called once, not for each conversation.
create function resume_conversation(p_conversation uuid) returns void language plpgsql as $$
declare
  v_all uuid[] := conversations_of_same_contact(p_conversation);
begin
  update conversations set paused_until = null, paused_by = null, paused_by_name = null, updated_at = clock_timestamp()
    where id = any(v_all);
end $$;

-- Locked in one order: two that lock them do not wait for each other.
create function conversations_of_same_contact(p_conversation uuid) returns uuid[] language plpgsql as $$
declare
  v_contact uuid;
  v_all uuid[];
begin
  select channel_contact_id into v_contact from conversations where id = p_conversation;
  select array_agg(id) into v_all from (select id from conversations
    where id = p_conversation or channel_contact_id = v_contact order by id for no key update) locked;
  return coalesce(v_all, '{}');
end $$;

-- Two rows are of one person. No conversation is moved or deleted: each keeps its messages, runs and replies, and the one
-- written in last continues.
create function merge_contacts(p_kept channel_contacts, p_gone channel_contacts, p_now timestamptz) returns channel_contacts
language plpgsql as $$
declare
  v_kept channel_contacts := p_kept;
  v_current uuid;
  v_pause conversations;
begin
  perform from conversations where channel_contact_id in (p_kept.id, p_gone.id) order by id for no key update;
  update conversations set channel_contact_id = p_kept.id where channel_contact_id = p_gone.id;
  delete from channel_contacts where id = p_gone.id;
  select c.id into v_current from conversations c where c.channel_contact_id = p_kept.id and c.continued_by is null
    order by (select m.created_at from messages m where m.conversation_id = c.id order by m.seq desc limit 1) desc nulls last, c.id desc limit 1;
  update conversations set continued_by = v_current
    where channel_contact_id = p_kept.id and continued_by is null and id <> v_current;
  select * into v_pause from conversations where channel_contact_id = p_kept.id and paused_until > p_now
    order by paused_until desc limit 1;
  if found then
    perform pause_conversation(v_pause.id, v_pause.paused_until, v_pause.paused_by, p_now, v_pause.paused_by_name);
  end if;
  v_kept.phone := coalesce(p_kept.phone, p_gone.phone);
  if coalesce(p_gone.addressed_at > p_kept.addressed_at, p_kept.addressed_at is null) then
    v_kept.reply_to := coalesce(p_gone.reply_to, p_kept.reply_to);
    v_kept.addressed_at := p_gone.addressed_at;
  end if;
  return write_contact(v_kept);
end $$;

drop function channel_contact(uuid, text, text, uuid);
-- The contact of an event, made if it is new. p_wrote: the contact wrote it, so the event's address is theirs; what is
-- typed on the business's phone moves no address. p_written: an older message does not undo what a newer one said.
create function channel_contact(p_agent uuid, p_phone text, p_lid text, p_new uuid, p_written timestamptz, p_wrote boolean,
                                p_now timestamptz) returns channel_contacts language plpgsql as $$
declare
  v_by_lid channel_contacts;
  v_by_phone channel_contacts;
  v_contact channel_contacts;
  v_is_news boolean;
begin
  -- One event at a time for each address: no two make, move or merge the same contact.
  perform pg_advisory_xact_lock(key) from (
    select distinct hashtextextended('channel contact ' || p_agent || ' ' || address, 0) as key
      from unnest(array[p_phone, p_lid]) as address where address is not null order by 1) keys;
  perform from channel_contacts where agent_id = p_agent and (phone = p_phone or lid = p_lid) order by id for update;
  select * into v_by_lid from channel_contacts where agent_id = p_agent and lid = p_lid;
  select * into v_by_phone from channel_contacts where agent_id = p_agent and phone = p_phone;
  -- Nobody moves twice a day: a gateway that names one LID for several people does not make them one.
  if p_wrote and v_by_lid.phone <> p_phone and p_written between v_by_lid.moved_at and v_by_lid.moved_at + interval '1 day' then
    v_by_lid := null;
    p_lid := null;
  end if;
  v_is_news := p_wrote and p_written >= greatest(v_by_lid.addressed_at, v_by_phone.addressed_at, '-infinity');

  if v_by_phone.id <> v_by_lid.id then
    if v_by_phone.lid is null and (v_is_news or v_by_lid.phone is null) then
      v_by_lid := merge_contacts(v_by_lid, v_by_phone, p_now);
    elsif v_is_news then
      perform release_phone(v_by_phone);
    elsif p_wrote then
      p_phone := null;
    else
      v_by_lid := null;
      p_lid := null;
    end if;
  elsif v_by_lid.id is null and v_by_phone.lid <> p_lid then
    if v_is_news then
      -- The number has a new holder.
      perform release_phone(v_by_phone);
      v_by_phone := null;
    elsif p_wrote then
      v_by_phone := null;
      p_phone := null;
    else
      p_lid := null;
    end if;
  end if;

  v_contact := case when v_by_lid.id is null then v_by_phone else v_by_lid end;
  if v_contact.id is null then
    v_contact.id := p_new;
    v_contact.agent_id := p_agent;
    v_contact.phone := p_phone;
    v_contact.lid := p_lid;
    insert into channel_contacts (id, agent_id, contact_id, phone, lid, reply_to, addressed_at)
      values (p_new, p_agent, contact_label(v_contact, p_new), p_phone, p_lid, coalesce(p_phone, p_lid),
              case when p_wrote then p_written end)
      returning * into v_contact;
    return v_contact;
  end if;
  if v_is_news then
    if v_contact.phone <> p_phone then v_contact.moved_at := p_written; end if;
    v_contact.phone := coalesce(p_phone, v_contact.phone);
    v_contact.reply_to := coalesce(p_phone, p_lid);
    v_contact.addressed_at := p_written;
  elsif not p_wrote then
    v_contact.phone := coalesce(v_contact.phone, p_phone);
  end if;
  v_contact.lid := coalesce(v_contact.lid, p_lid);
  return write_contact(v_contact);
end $$;

-- As in 0050-takeover-by-whom, at the contact's present address.
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

-- As in 0003-runs. A reply through the channel goes to the contact's address of now, not of the message it answers.
create or replace function run_webhook(p_run runs) returns text language sql stable as $$
  select case when stored.url like 'whatsapp:%' then coalesce((select contact_address(k) from conversations c
      join channel_contacts k on k.id = c.channel_contact_id where c.id = p_run.conversation_id), stored.url) else stored.url end
    from (select case p_run.mode
      when 'sync' then null
      when 'follow_up' then (select webhook_url from conversations where id = p_run.conversation_id)
      else (select m.webhook_url from messages m where m.conversation_id = p_run.conversation_id
              and m.run_ordinal = p_run.ordinal and m.webhook_url is not null order by m.seq desc limit 1) end as url) stored
$$;

-- As in 0010-channels; the contact's row decides the conversation, and an edit changes only the editor's own messages.
create or replace function accept_gateway_message(p jsonb, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_agent uuid := (p->>'agent_id')::uuid;
  v_kind text := p->>'kind';
  v_event gateway_events;
  v_contact channel_contacts;
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
  if v_event.id <> (p->>'event_id')::uuid then return jsonb_build_object('outcome', 'duplicate'); end if;
  -- Not at every message: the row's lock would put all messages of a channel in one line.
  update channels set last_inbound_at = v_now where agent_id = v_agent and v_kind <> 'takeover'
    and coalesce(last_inbound_at < v_now - interval '5 s', true);

  v_contact := channel_contact(v_agent, p->>'phone', p->>'lid', (p->>'contact_row_id')::uuid,
    coalesce(to_timestamp((p->>'written_at_ms')::double precision / 1000), v_now), v_kind <> 'takeover', v_now);
  perform from conversations where channel_contact_id = v_contact.id order by id for no key update;
  select * into v_conversation from conversations where channel_contact_id = v_contact.id and continued_by is null
    order by id desc limit 1;

  if v_kind = 'edit' then
    select e.message_id into v_original from gateway_events e join conversations c on c.id = e.conversation_id
      where e.agent_id = v_agent and e.gateway_message_id = p->>'original_id' and e.outcome in ('accepted', 'stored')
        and c.channel_contact_id = v_contact.id;
    if v_original is not null then
      update messages set text = p->>'text' where id = v_original;
      update gateway_events set message_id = v_original where id = v_event.id;
      return jsonb_build_object('outcome', 'edited');
    end if;
    -- The original never came: its new text is the message.
  end if;

  if v_kind = 'takeover' or (p->>'stale')::boolean or v_conversation.paused_until > v_now then
    if v_conversation.id is null then
      insert into conversations (id, organization_id, target_id, agent_id, contact_id, contact_name, channel, webhook_url, channel_contact_id)
        values ((p->>'new_conversation_id')::uuid, (p->>'organization_id')::uuid, v_agent, v_agent, v_contact.contact_id, p->>'contact_name',
                'whatsapp', contact_address(v_contact), v_contact.id)
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

  v_accepted := accept_input(p || jsonb_build_object('target_id', v_agent, 'conversation_id', v_conversation.id,
    'contact_id', v_contact.contact_id, 'sync', false, 'webhook_url', contact_address(v_contact), 'channel', 'whatsapp'), null, v_now);
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
  update gateway_events set message_id = v_accepted.message_id, conversation_id = v_accepted.conversation_id, outcome = 'accepted'
    where id = v_event.id;
  return jsonb_strip_nulls(jsonb_build_object('outcome', 'accepted', 'conversation_id', v_accepted.conversation_id,
    'answering_agent_id', v_accepted.agent_id, 'wake_at_ms', floor(extract(epoch from v_accepted.wake_at) * 1000)));
end $$;

-- The rows of a contact in all channels of an organization, by name, phone or LID. Two LIDs are two people, also if one
-- phone was theirs one after the other. offset 0 keeps the look-ups by agent and number, which have an index.
create function contact_rows(p_organization uuid, p_contact text) returns uuid[] language plpgsql stable as $$
declare
  v_address text := case when p_contact like 'whatsapp:%' then split_part(substr(p_contact, 10), '#', 1) end;
  v_rows uuid[];
  v_more uuid[];
begin
  select array_agg(id) into v_more from (
    select k.id from channel_contacts k join channels h on h.agent_id = k.agent_id
      where k.contact_id = p_contact and h.organization_id = p_organization
    union select k.id from channels h join channel_contacts k on k.agent_id = h.agent_id and k.phone = v_address
      where h.organization_id = p_organization
    union select k.id from channels h join channel_contacts k on k.agent_id = h.agent_id and k.lid = v_address
      where h.organization_id = p_organization
    union select channel_contact_id from conversations
      where organization_id = p_organization and contact_id = p_contact and channel_contact_id is not null) named;
  while v_more is not null loop
    v_rows := v_rows || v_more;
    select array_agg(same.id) into v_more from channel_contacts k join channels h on h.organization_id = p_organization
      cross join lateral (
        select o.id from channel_contacts o where o.agent_id = h.agent_id and o.lid = k.lid
        union
        select o.id from channel_contacts o where o.agent_id = h.agent_id and o.phone = k.phone
          and (o.lid is null or k.lid is null)
        offset 0) same
      where k.id = any(v_rows) and same.id <> all(v_rows);
  end loop;
  return coalesce(v_rows, '{}');
end $$;

-- contact_rows and conversations_of_contact take its place.
drop function contact_names(uuid, text);

-- Those through a channel by its row, whatever their names; those of the API by the caller's own key.
create function conversations_of_contact(p_organization uuid, p_contact text) returns setof uuid language sql stable as $$
  select id from conversations where channel_contact_id = any((select contact_rows(p_organization, p_contact))::uuid[])
  union
  select id from conversations where organization_id = p_organization and contact_id = p_contact and channel_contact_id is null
$$;

-- As in 0060-erasures; what a contact has is found by its rows.
create or replace function request_erasure(p jsonb) returns uuid language plpgsql as $$
declare
  v_organization uuid := (p->>'organization_id')::uuid;
  v_kind text := p->>'kind';
  v_key text := p->>'key';
  v_target text;
  v_id uuid;
begin
  if v_kind = 'conversation' then
    select id::text into v_target from conversations where organization_id = v_organization and id = v_key::uuid;
  elsif v_kind = 'contact' then
    select 'conversations ' || coalesce(string_agg(id::text, ', ' order by id), 'none') into v_target
      from conversations_of_contact(v_organization, v_key) as id
      having count(*) > 0 or contact_rows(v_organization, v_key) <> '{}';
  else
    select id::text into v_target from organizations where id = v_organization;
  end if;
  if v_target is null then return null; end if;

  insert into erasures (id, organization_id, kind, key, due_at)
    values ((p->>'id')::uuid, v_organization, v_kind, v_key,
            clock_timestamp() + case when v_kind = 'organization' then interval '0' else interval '15 s' end)
    on conflict (organization_id, kind, key) do update set due_at = excluded.due_at returning id into v_id;
  perform audit_by(p, v_kind || '_erased', v_target);
  if v_kind = 'organization' then perform close_organization(v_organization); end if;
  return v_id;
end $$;

-- A contact without conversations. One that has written again meanwhile is a new one, and stays: it is locked before its
-- conversations are looked for, as a message locks it before it begins one.
create or replace function erase_contact(p_organization uuid, p_contact text) returns void language plpgsql as $$
declare
  v_rows uuid[];
begin
  select array_agg(id) into v_rows from (select id from channel_contacts
    where id = any((select contact_rows(p_organization, p_contact))::uuid[]) order by id for update) locked;
  delete from channel_contacts k where k.id = any(v_rows)
    and not exists (select from conversations c where c.channel_contact_id = k.id);
end $$;

-- As in 0061-retention; the contact goes with its last conversation.
create or replace function erase_expired(p_conversation uuid, p_before timestamptz, p_note uuid) returns void language plpgsql as $$
declare
  v_contact uuid;
  v_runs uuid[];
  v_messages uuid[];
begin
  select channel_contact_id into v_contact from conversations where id = p_conversation;
  perform from channel_contacts where id = v_contact for update;
  perform from conversations where id = p_conversation for update;
  if not found then return; end if;
  if not exists (select from runs where conversation_id = p_conversation and (finished_at is null or finished_at >= p_before)) then
    perform erase_conversation(p_conversation, p_note);
    delete from channel_contacts k where k.id = v_contact
      and not exists (select from conversations c where c.channel_contact_id = k.id);
    return;
  end if;
  select array_agg(id) into v_runs from (select id from runs where conversation_id = p_conversation and finished_at < p_before
    order by ordinal limit 20) old;
  select array_agg(m.id) into v_messages from messages m join runs r on r.id = any(v_runs)
    where m.conversation_id = p_conversation and m.run_ordinal = r.ordinal;
  delete from gateway_events where message_id = any(v_messages);
  delete from idempotency_keys where conversation_id = p_conversation and run_id = any(v_runs);
  delete from tool_executions where conversation_id = p_conversation and created_at < p_before;
  delete from deliveries where conversation_id = p_conversation and run_id = any(v_runs);
  delete from messages where id = any(v_messages);
  delete from runs where id = any(v_runs);
end $$;
`;
