-- Cancels a conversation's unfinished runs, and refuses its open approvals unless their calls have begun. Recorded
-- messages, callbacks and tool results remain.
-- Locks: the conversation, then its open approvals (see end_approvals). Returns a JSON array with the ids of the inputs
-- of these runs, which will not be answered.
create or replace function cancel_runs(p_conversation uuid, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_runs uuid[];
begin
  perform from conversations where id = p_conversation for no key update;
  with cancelled as (
    update runs set state = 'cancelled', finished_at = v_now
      where conversation_id = p_conversation and state in ('collecting', 'ready', 'running') returning id
  ) select coalesce(array_agg(id), '{}') into v_runs from cancelled;
  perform end_approvals(array[p_conversation], 'run_cancelled', v_now);
  perform pg_notify('run_ended', id::text), pg_notify('run_changed', id::text) from unnest(v_runs) as id;
  return coalesce((select jsonb_agg(m.id order by m.seq) from messages m
    where m.conversation_id = p_conversation and m.run_id = any(v_runs) and m.origin = 'user'), '[]');
end $$;
