-- Settles an approval that is waiting or approved. Refuses it if its call has not begun and can no longer be executed:
-- the run has ended; the agent was switched off or deleted, or has lost the tool; or the call differs from the one that
-- was shown. If the approval expired while it was waiting, approves it if on_expiry is approve, or else sets it to
-- expired.
-- p_lost: true if the worker that executed the call was lost. If such a call cannot be claimed again, because its run
-- has ended or the call was changed, its outcome becomes unknown.
-- Locks: the conversation, then the approval, then its tool call. Returns the approval; null if it does not exist.
create or replace function settle_approval(p_id uuid, p_lost boolean, p_now timestamptz) returns approvals language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_approval approvals;
  v_call tool_calls;
  v_run_state text;
  v_agent agents;
  v_reason text;
begin
  perform from conversations where id = (select conversation_id from approvals where id = p_id) for no key update;
  select * into v_approval from approvals where id = p_id for update;
  if not found then return null; end if;
  if v_approval.status not in ('waiting', 'approved') then return v_approval; end if;
  select * into v_call from tool_calls
    where run_id = v_approval.run_id and step = v_approval.step and position = v_approval.position for no key update;
  select state into v_run_state from runs where id = v_approval.run_id;
  select * into v_agent from agents where id = v_approval.agent_id;
  v_reason := case
    when v_run_state <> 'running' then 'run_ended'
    when not v_agent.active or v_agent.deleted_at is not null then 'agent_off'
    when not v_approval.tool = any(v_agent.tools) then 'tool_removed'
    when approval_hash(v_call.name, v_call.input) <> v_approval.arguments_hash
      or approval_hash(v_approval.tool, v_approval.arguments) <> v_approval.arguments_hash
      then 'call_changed' end;
  if v_call.status = 'attempting' and p_lost and (v_run_state <> 'running' or approval_hash(v_call.name, v_call.input) <> v_approval.arguments_hash) then
    update tool_calls set status = 'unknown', result = (select result from approval_reasons where code = 'worker_lost'), finished_at = v_now
      where run_id = v_approval.run_id and step = v_approval.step and position = v_approval.position;
  elsif v_reason is not null then
    perform decide_as_system(p_id, 'refused', v_reason, v_now);
  elsif v_approval.status = 'waiting' and v_approval.expires_at <= v_now then
    perform decide_as_system(p_id, case v_approval.on_expiry when 'approve' then 'approved' else 'expired' end, 'undecided', v_now);
  end if;
  select * into v_approval from approvals where id = p_id;
  return v_approval;
end $$;
