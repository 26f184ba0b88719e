-- Appends events to the streams of runs, and notifies the API processes that read streams.
-- p_events: [{ run_id, step, event, data, writer?, once? }], of at most 100 runs, because one notification contains the
-- ids of all runs, and Postgres limits a notification to 8,000 bytes.
-- Drops events of runs without a stream, of a writer that is not the stream's current one, and events whose `once` key
-- the run's stream already has.
-- Locks: the streams, in the order of their run ids.
create or replace function append_stream_events(p_events jsonb) returns void language sql as $$
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
  select pg_notify('run_events', string_agg(run_id::text, ',')) from counted having count(*) > 0
$$;
