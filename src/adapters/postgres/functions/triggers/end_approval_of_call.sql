-- Sets the approval of an approved tool call to executed or unknown when the call ends, in the transaction that records
-- the call's result. Locks: the approval.
create or replace function end_approval_of_call() returns trigger language plpgsql as $$
begin
  update approvals set status = case new.status when 'unknown' then 'unknown' else 'executed' end, finished_at = new.finished_at
    where run_id = new.run_id and step = new.step and position = new.position and status = 'approved';
  return null;
end $$;
