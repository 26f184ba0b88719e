-- Records a decision of Parley itself on an approval, as write_approval does. p_reason: a code of approval_reasons.
-- Locks: as write_approval. Returns as write_approval. Raises if the code is unknown.
create or replace function decide_as_system(p_id uuid, p_status text, p_reason text, p_now timestamptz) returns boolean language plpgsql as $$
declare
  v_reason approval_reasons;
begin
  select * into strict v_reason from approval_reasons where code = p_reason;
  return write_approval(p_id, p_status, 'system', null, v_reason.note, v_reason.result, p_now);
end $$;
