-- Refuses the open approvals of conversations, unless their calls have begun. p_reason: a code of approval_reasons.
-- Locks: the approvals, in the order of their ids, then each one's tool call; the caller holds the locks of the
-- conversations. Returns the number of approvals that were refused.
create or replace function end_approvals(p_conversations uuid[], p_reason text, p_now timestamptz) returns integer language plpgsql as $$
declare
  v_id uuid;
  v_ended integer := 0;
begin
  for v_id in select id from approvals where conversation_id = any(p_conversations) and status in ('waiting', 'approved')
      order by id for update loop
    if decide_as_system(v_id, 'refused', p_reason, p_now) then
      v_ended := v_ended + 1;
    end if;
  end loop;
  return v_ended;
end $$;
