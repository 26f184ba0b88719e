-- Records the decision on an approval, and releases or ends its tool call. If decisions race, the first one wins. A
-- decided approval changes only from approved to refused, and only before its call has begun.
-- p_status: approved, refused or expired. p_kind, p_by: the actor who decides. p_note: the actor's note or, if Parley
-- itself decides, the reason. p_result: the result that the model reads if the call is not executed.
-- Locks: the tool call; the caller holds the lock of the approval's row. Returns true if this call decided, false if it
-- changed nothing.
create or replace function write_approval(p_id uuid, p_status text, p_kind text, p_by text, p_note text, p_result text, p_now timestamptz)
returns boolean language plpgsql as $$
begin
  update tool_calls t
    set status = case when p_status = 'approved' then 'pending' else 'failed' end,
        result = case when p_status <> 'approved' then p_result end,
        finished_at = case when p_status <> 'approved' then p_now end
    from approvals a
    where a.id = p_id and t.run_id = a.run_id and t.step = a.step and t.position = a.position
      and (a.status = 'waiting' and t.status = 'waiting'
        or a.status = 'approved' and p_status <> 'approved' and t.status = 'pending');
  if not found then return false; end if;
  update approvals set status = p_status, decided_at = p_now, decided_by_kind = p_kind, decided_by = p_by, note = p_note,
      finished_at = case when p_status <> 'approved' then p_now end
    where id = p_id;
  return true;
end $$;
