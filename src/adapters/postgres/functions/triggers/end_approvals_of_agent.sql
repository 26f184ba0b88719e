-- Refuses the open approvals of an agent that was switched off or deleted, unless their calls have begun. Sends no
-- nudge: a run that waits for such an approval reads the refusal when it checks the call again.
-- Locks: the approvals, in the order of their ids, then each one's tool call.
create or replace function end_approvals_of_agent() returns trigger language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_id uuid;
begin
  for v_id in select id from approvals where agent_id = new.id and status in ('waiting', 'approved') order by id for update loop
    perform decide_as_system(v_id, 'refused', 'agent_off', v_now);
  end loop;
  return null;
end $$;
