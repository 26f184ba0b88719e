/** What runs tell those who watch them: kept for a short time, so that any API process can tell it, and again. */
export const up = `
-- There is a row where somebody watches: a run without one writes nothing here.
create table run_streams (
  run_id uuid primary key references runs on delete cascade,
  organization_id uuid not null,
  last integer not null default 0,
  -- The attempt of a model call whose text counts: what an earlier one still writes is dropped.
  writer uuid,
  created_at timestamptz not null default now()
);

create table run_stream_events (
  run_id uuid not null references run_streams on delete cascade,
  number integer not null,
  organization_id uuid not null,
  step integer not null,
  event text not null,
  data text not null,
  once text, -- what is told once, however often it is tried
  primary key (run_id, number)
);
create unique index run_stream_events_once on run_stream_events (run_id, once) where once is not null;

-- An attempt of a model call begins to write. Text of an earlier attempt at this step is taken back.
create function begin_streamed_step(p_run uuid, p_step integer, p_writer uuid) returns void language plpgsql as $$
begin
  update run_streams set writer = p_writer where run_id = p_run;
  if (select event from run_stream_events where run_id = p_run and step = p_step and event in ('delta', 'restart')
        order by number desc limit 1) = 'delta' then
    perform append_stream_events(jsonb_build_array(jsonb_build_object('run_id', p_run, 'step', p_step, 'event', 'restart',
      'data', jsonb_build_object('step', p_step)::text)));
  end if;
end $$;

-- p_events: [{ run_id, step, event, data, writer?, once? }], of at most 100 runs, whose ids fit into one notification.
create function append_stream_events(p_events jsonb) returns void language sql as $$
  with given as (
    select n, (e->>'run_id')::uuid as run_id, (e->>'step')::integer as step, e->>'event' as event, e->>'data' as data,
           (e->>'writer')::uuid as writer, e->>'once' as once
      from jsonb_array_elements(p_events) with ordinality as given(e, n)
  ), watched as (
    select run_id, organization_id, last, writer from run_streams where run_id in (select run_id from given)
      order by run_id for no key update
  ), fresh as (
    select g.*, w.organization_id, w.last + row_number() over (partition by g.run_id order by g.n) as number
      from given g join watched w on w.run_id = g.run_id
      where (g.writer is null or g.writer = w.writer)
        and not exists (select from run_stream_events e where e.run_id = g.run_id and e.once = g.once)
  ), written as (
    insert into run_stream_events (run_id, number, organization_id, step, event, data, once)
      select run_id, number, organization_id, step, event, data, once from fresh returning run_id, number
  ), counted as (
    update run_streams s set last = w.last from (select run_id, max(number) as last from written group by run_id) w
      where s.run_id = w.run_id returning s.run_id
  )
  select pg_notify('run_told', string_agg(run_id::text, ',')) from counted having count(*) > 0
$$;

-- As in 0003-runs, and whether somebody watches.
create or replace function run_view(p_run uuid) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'id', r.id, 'conversation_id', r.conversation_id, 'organization_id', r.organization_id, 'ordinal', r.ordinal,
    'mode', r.mode, 'state', r.state, 'transfers', r.transfers, 'follow_up_attempt', r.follow_up_attempt,
    'channel', c.channel, 'prices', r.prices,
    'streamed', exists (select from run_streams w where w.run_id = r.id),
    'steps', (select count(*) from run_steps s where s.run_id = r.id),
    'agent', jsonb_build_object('id', a.id, 'name', a.name, 'instructions', a.instructions, 'model', a.model,
      'script', a.script, 'transfers_to', to_jsonb(a.transfers_to), 'tools', to_jsonb(a.tools), 'follow_ups', a.follow_ups),
    'inputs', coalesce((select jsonb_agg(case when q.id is null then m.text
        else '[In reply to: ' || left(q.text, 300) || ']' || chr(10) || m.text end order by m.seq)
      from messages m left join messages q on q.id = m.quotes
      where m.conversation_id = r.conversation_id and m.run_ordinal = r.ordinal and m.role = 'user'), '[]'),
    'unfetched', coalesce((select jsonb_agg(f.id) from messages m join attachments f on f.message_id = m.id
      where m.conversation_id = r.conversation_id and m.run_ordinal = r.ordinal
        and f.url is not null and f.content is null and f.error is null), '[]'))
  from runs r join conversations c on c.id = r.conversation_id join agents a on a.id = r.agent_id
  where r.id = p_run
$$;
`;
