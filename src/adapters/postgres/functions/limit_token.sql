-- Sets those of a token's limits that p.set contains, and records the change in the audit log. Locks: the token.
-- p: { organization_id, token, set: { monthly_credit_limit?, monthly_message_limit? }, … the fields of audit_by }
-- Returns false if there is no such token.
create or replace function limit_token(p jsonb) returns boolean language plpgsql as $$
declare
  v_name text;
  v_set jsonb := p->'set';
begin
  update api_tokens set
      monthly_credit_limit = case when v_set ? 'monthly_credit_limit' then (v_set->>'monthly_credit_limit')::double precision
        else monthly_credit_limit end,
      monthly_message_limit = case when v_set ? 'monthly_message_limit' then (v_set->>'monthly_message_limit')::integer
        else monthly_message_limit end
    where id = (p->>'token')::uuid and organization_id = (p->>'organization_id')::uuid returning name into v_name;
  if not found then return false; end if;
  perform audit_by(p, 'token_limited', v_name || ': ' || concat_ws(', ',
    case when v_set ? 'monthly_credit_limit' then coalesce((v_set->>'monthly_credit_limit') || ' credits', 'no limit of credits') end,
    case when v_set ? 'monthly_message_limit' then coalesce((v_set->>'monthly_message_limit') || ' messages', 'no limit of messages') end));
  return true;
end $$;
