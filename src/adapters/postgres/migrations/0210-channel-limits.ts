/** Limits of a channel: messages a minute, answers a day, and an end to two bots that answer each other. */
export const up = `
-- Null: no limit. A loop: so many rounds in a row in which the contact wrote within so many seconds of an answer.
alter table channels
  add contact_messages_per_minute integer default 30 check (contact_messages_per_minute between 1 and 1000),
  add channel_messages_per_minute integer default 1000 check (channel_messages_per_minute between 1 and 10000),
  add contact_answers_per_day integer default 300 check (contact_answers_per_day between 1 and 10000),
  add channel_answers_per_day integer check (channel_answers_per_day between 1 and 1000000),
  add loop_rounds integer default 12 check (loop_rounds between 3 and 50),
  add loop_seconds integer not null default 8 check (loop_seconds between 1 and 60);

-- Why the agent does not answer this message: paused, stale, contact_day, channel_day, loop.
alter table messages add unanswered text;

create index gateway_events_limited on gateway_events (agent_id, id)
  where reason in ('contact_minute', 'channel_minute', 'contact_day', 'channel_day', 'loop');

create table channel_answers (
  agent_id uuid not null references channels on delete cascade,
  day date not null,
  answers integer not null,
  primary key (agent_id, day)
);

create function count_channel_answer() returns trigger language plpgsql as $$
begin
  insert into channel_answers (agent_id, day, answers)
    select c.target_id, (clock_timestamp() at time zone 'utc')::date, 1
      from conversations c join messages m on m.id = new.message_id
      where c.id = new.conversation_id and not m.by_person and exists (select from channels h where h.agent_id = c.target_id)
    on conflict (agent_id, day) do update set answers = channel_answers.answers + 1;
  return new;
end $$;
create trigger count_channel_answer after insert on deliveries for each row
  when (new.url like 'whatsapp:%' and new.message_id is not null) execute function count_channel_answer();

-- The rounds at the end of a conversation in which the contact wrote within p_seconds of an answer of the agent.
create function quick_rounds(p_conversation uuid, p_rounds integer, p_seconds integer, p_now timestamptz) returns integer language sql stable as $$
  with last as (
    select role, by_person, created_at, row_number() over (order by seq desc) as n
      from (select * from messages where conversation_id = p_conversation order by seq desc limit 2 * p_rounds) m
  ), rounds as (
    -- What comes after an answer: the next message, or the one that is being taken now.
    select a.n, a.role = 'agent' and not a.by_person and coalesce(u.role = 'user', true)
             and coalesce(u.created_at, p_now) - a.created_at < make_interval(secs => p_seconds) as quick
      from last a left join last u on u.n = a.n - 1 where a.n % 2 = 1
  )
  select coalesce(min(n) filter (where not quick) / 2, count(*))::integer from rounds
$$;

-- The limit that a message has reached: loop, contact_day, channel_day, contact_minute, channel_minute, or null.
create function channel_limit(p_agent uuid, p_conversation uuid, p_text text, p_event uuid, p_now timestamptz) returns text language plpgsql stable as $$
declare
  v_channel channels;
  v_day timestamptz := date_trunc('day', p_now at time zone 'utc') at time zone 'utc';
begin
  select * into v_channel from channels where agent_id = p_agent;
  if p_conversation is not null then
    if v_channel.loop_rounds is not null and quick_rounds(p_conversation, v_channel.loop_rounds, v_channel.loop_seconds, p_now) >= v_channel.loop_rounds then return 'loop'; end if;
    if v_channel.contact_answers_per_day is not null and (select count(*) from (select state, agent_id, finished_at from runs where conversation_id = p_conversation
          order by ordinal desc limit 2 * v_channel.contact_answers_per_day) r
        where state = 'answered' and agent_id is not null and finished_at >= v_day) >= v_channel.contact_answers_per_day then
      return 'contact_day';
    end if;
  end if;
  if (select answers from channel_answers where agent_id = p_agent and day = (p_now at time zone 'utc')::date)
      >= v_channel.channel_answers_per_day then return 'channel_day'; end if;
  if v_channel.contact_messages_per_minute is not null and (select count(*) from (select role, created_at from messages where conversation_id = p_conversation
        order by seq desc limit 2 * v_channel.contact_messages_per_minute) m
      where role = 'user' and created_at > p_now - interval '1 minute') >= v_channel.contact_messages_per_minute then
    return 'contact_minute';
  end if;
  if v_channel.channel_messages_per_minute is not null and (select count(*) from (select outcome, received_at from gateway_events where agent_id = p_agent and id <> p_event
        order by id desc limit v_channel.channel_messages_per_minute) e
      where outcome = 'accepted' and received_at > p_now - interval '1 minute') >= v_channel.channel_messages_per_minute then
    return 'channel_minute';
  end if;
  return null;
end $$;

-- A further message of the group that waits for its minute.
create function join_group(p jsonb, p_run uuid, p_webhook text, p_now timestamptz) returns void language plpgsql as $$
declare
  v_run runs;
  v_seq integer;
begin
  update runs set message_count = message_count + 1 where id = p_run returning * into v_run;
  update conversations set last_seq = last_seq + 1, updated_at = p_now, webhook_url = p_webhook,
      contact_name = coalesce(p->>'contact_name', contact_name)
    where id = v_run.conversation_id returning last_seq into v_seq;
  insert into messages (id, organization_id, conversation_id, run_id, run_ordinal, seq, role, text, webhook_url, created_at)
    values ((p->>'message_id')::uuid, v_run.organization_id, v_run.conversation_id, v_run.id, v_run.ordinal, v_seq, 'user',
            p->>'text', p_webhook, p_now);
  insert into attachments (id, organization_id, conversation_id, message_id, position, filename, content_type, url, size)
    select (a->>'id')::uuid, v_run.organization_id, v_run.conversation_id, (p->>'message_id')::uuid, n, a->>'filename',
           a->>'content_type', a->>'url', (a->>'size')::integer
      from jsonb_array_elements(p->'attachments') with ordinality as given(a, n);
end $$;

-- As in 0140-contact-identity, within the channel's limits.
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
  v_limit text;
  v_run uuid;
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

  if v_kind <> 'takeover' and not (p->>'stale')::boolean and coalesce(v_conversation.paused_until <= v_now, true) then
    v_limit := channel_limit(v_agent, v_conversation.id, p->>'text', v_event.id, v_now);
  end if;
  if v_limit = 'loop' then
    perform pause_conversation(v_conversation.id, v_now + make_interval(mins => (select pause_minutes from channels where agent_id = v_agent)),
                               'loop', v_now);
  end if;
  if v_limit like '%_minute' then
    -- Not lost: answered together with what else comes until the minute is over.
    select id into v_run from runs where conversation_id = v_conversation.id and state = 'collecting' and closes_at > v_now
      and message_count < 100;
    if found then
      perform join_group(p, v_run, contact_address(v_contact), v_now);
      update gateway_events set message_id = (p->>'message_id')::uuid, conversation_id = v_conversation.id, reason = v_limit
        where id = v_event.id;
      return jsonb_build_object('outcome', 'accepted', 'conversation_id', v_conversation.id);
    end if;
  end if;

  if v_kind = 'takeover' or (p->>'stale')::boolean or v_conversation.paused_until > v_now or v_limit in ('loop', 'contact_day', 'channel_day') then
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
        reason = case when v_kind = 'takeover' then null when (p->>'stale')::boolean then 'stale' else coalesce(v_limit, 'paused') end
      where id = v_event.id;
    update messages set unanswered = case when (p->>'stale')::boolean then 'stale' else coalesce(v_limit, 'paused') end
      where id = (p->>'message_id')::uuid and role = 'user';
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
  if v_limit like '%_minute' then
    update runs set state = 'collecting', closes_at = v_now + interval '1 minute', cap_at = v_now + interval '1 minute', max_messages = 100
      where id = v_accepted.run_id and state in ('collecting', 'ready') returning closes_at into v_accepted.wake_at;
  end if;
  update gateway_events set message_id = v_accepted.message_id, conversation_id = v_accepted.conversation_id, outcome = 'accepted',
      reason = v_limit
    where id = v_event.id;
  return jsonb_strip_nulls(jsonb_build_object('outcome', 'accepted', 'conversation_id', v_accepted.conversation_id,
    'answering_agent_id', v_accepted.agent_id, 'wake_at_ms', floor(extract(epoch from v_accepted.wake_at) * 1000)));
end $$;
`;
