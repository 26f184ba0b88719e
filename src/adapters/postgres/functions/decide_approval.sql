-- Records the decision of a person or a program on an approval. If decisions race, the first one wins.
-- p: { id, organization_id, approve, kind, by, phone? (of a person who replied on WhatsApp), note, result (if the call
--   is refused, the model reads this text as the call's result) }
-- Locks: the conversation, then the approval, then its tool call. Returns null if there is no such approval; otherwise
-- { decided }, which is false if the approval was already decided, has expired, or is refused because its call can no
-- longer be executed.
create or replace function decide_approval(p jsonb, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_id uuid := (p->>'id')::uuid;
  v_approval approvals;
  v_decided boolean;
begin
  perform from approvals where id = v_id and organization_id = (p->>'organization_id')::uuid;
  if not found then return null; end if;
  v_approval := settle_approval(v_id, false, v_now);
  if v_approval.id is null then return null; end if;
  if v_approval.status <> 'waiting' then return jsonb_build_object('decided', false); end if;
  v_decided := write_approval(v_id, case when (p->>'approve')::boolean then 'approved' else 'refused' end,
    p->>'kind', p->>'by', p->>'note', p->>'result', v_now);
  update approvals set decided_by_phone = p->>'phone' where id = v_id and v_decided and p ? 'phone';
  return jsonb_build_object('decided', v_decided);
end $$;
