-- Starts an attempt at a model call in the run's stream: makes p_writer the stream's current writer. If an earlier
-- attempt at this step has published text, publishes `restart`, so that readers discard that text. Does nothing if the
-- run has no stream. Locks: the run's stream.
create or replace function begin_streamed_step(p_run uuid, p_step integer, p_writer uuid) returns void language plpgsql as $$
begin
  update run_streams set writer = p_writer where run_id = p_run;
  if (select event from run_stream_events where run_id = p_run and step = p_step and event in ('delta', 'restart')
        order by number desc limit 1) = 'delta' then
    perform append_stream_events(jsonb_build_array(jsonb_build_object('run_id', p_run, 'step', p_step, 'event', 'restart',
      'data', jsonb_build_object('step', p_step)::text)));
  end if;
end $$;
