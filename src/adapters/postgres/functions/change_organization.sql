-- Changes the fields that p.set contains, and records the change in the audit log.
-- p: { organization_id, set: { retention_days?, monthly_credit_limit?, monthly_message_limit?,
--   storage_limit_megabytes? }, … the fields of audit_by }; null removes a limit. Locks: the organization.
-- Returns the organization; all columns are null if it does not exist.
create or replace function change_organization(p jsonb) returns organizations language plpgsql as $$
declare
  v_organization organizations;
  v_set jsonb := p->'set';
begin
  update organizations set
      retention_days = case when v_set ? 'retention_days' then (v_set->>'retention_days')::integer else retention_days end,
      monthly_credit_limit = case when v_set ? 'monthly_credit_limit' then (v_set->>'monthly_credit_limit')::double precision
        else monthly_credit_limit end,
      monthly_message_limit = case when v_set ? 'monthly_message_limit' then (v_set->>'monthly_message_limit')::integer
        else monthly_message_limit end,
      storage_limit_megabytes = case when v_set ? 'storage_limit_megabytes' then (v_set->>'storage_limit_megabytes')::integer
        else storage_limit_megabytes end
    where id = (p->>'organization_id')::uuid returning * into v_organization;
  if found and v_set <> '{}' then perform audit_by(p, 'organization_changed', v_set::text); end if;
  return v_organization;
end $$;
