-- Returns the first of these limits that a message has reached, in this order: loop, contact_day, channel_day,
-- contact_minute, channel_minute; null if it has reached none. p_conversation: the contact's conversation; null if
-- there is none yet. p_event: the message's own gateway event, which does not count. Locks nothing.
create or replace function channel_limit(p_agent uuid, p_conversation uuid, p_event uuid, p_now timestamptz) returns text language plpgsql stable as $$
declare
  v_channel channels;
  v_day timestamptz := date_trunc('day', p_now at time zone 'utc') at time zone 'utc';
begin
  select * into v_channel from channels where agent_id = p_agent;
  if p_conversation is not null then
    -- Counts the latest consecutive rounds in which the contact wrote within loop_seconds after the agent's answer.
    if v_channel.loop_rounds <= (
      with last as (
        select origin, created_at, row_number() over (order by seq desc) as n
          from (select * from messages where conversation_id = p_conversation order by seq desc limit 2 * v_channel.loop_rounds) m
      ), rounds as (
        -- `u` is the message after the answer `a`; null if that is the message of p_event, which is not stored yet.
        select a.n, a.origin = 'agent' and coalesce(u.origin = 'user', true)
                 and coalesce(u.created_at, p_now) - a.created_at < make_interval(secs => v_channel.loop_seconds) as quick
          from last a left join last u on u.n = a.n - 1 where a.n % 2 = 1
      )
      select coalesce(min(n) filter (where not quick) / 2, count(*)) from rounds
    ) then return 'loop'; end if;
    if v_channel.contact_answers_per_day is not null and (select count(*) from (select state, finished_at from runs where conversation_id = p_conversation
          order by ordinal desc limit 2 * v_channel.contact_answers_per_day) r
        where state = 'answered' and finished_at >= v_day) >= v_channel.contact_answers_per_day then
      return 'contact_day';
    end if;
  end if;
  if (select answers from channel_answers where agent_id = p_agent and day = (p_now at time zone 'utc')::date)
      >= v_channel.channel_answers_per_day then return 'channel_day'; end if;
  if v_channel.contact_messages_per_minute is not null and (select count(*) from (select origin, created_at from messages where conversation_id = p_conversation
        order by seq desc limit 2 * v_channel.contact_messages_per_minute) m
      where origin = 'user' and created_at > p_now - interval '1 minute') >= v_channel.contact_messages_per_minute then
    return 'contact_minute';
  end if;
  if v_channel.channel_messages_per_minute is not null and (select count(*) from (select outcome, received_at from gateway_events where agent_id = p_agent and id <> p_event
        order by id desc limit v_channel.channel_messages_per_minute) e
      where outcome = 'accepted' and received_at > p_now - interval '1 minute') >= v_channel.channel_messages_per_minute then
    return 'channel_minute';
  end if;
  return null;
end $$;
