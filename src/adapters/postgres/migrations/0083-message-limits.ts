/** How many messages a month may bring, beside what it may cost. */
export const up = `
alter table organizations add monthly_message_limit integer check (monthly_message_limit >= 0);
alter table api_tokens add monthly_message_limit integer check (monthly_message_limit >= 0);

-- As in 0062-usage, and messages.
create or replace function credit_limits(p_organization uuid, p_token uuid, p_since timestamptz) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'organization', (select jsonb_build_object('limit', o.monthly_credit_limit, 'used', coalesce(sum(u.credits), 0),
        'message_limit', o.monthly_message_limit, 'messages', coalesce(sum(u.messages), 0))
      from usage_since(p_organization, p_since, null) u),
    'token', case when t.id is not null then (select jsonb_build_object('limit', t.monthly_credit_limit, 'used', coalesce(sum(u.credits), 0),
        'message_limit', t.monthly_message_limit, 'messages', coalesce(sum(u.messages), 0))
      from usage_since(p_organization, p_since, t.id) u) end)
  from organizations o left join api_tokens t on t.id = p_token and t.organization_id = o.id where o.id = p_organization
$$;

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
        else monthly_message_limit end
    where id = (p->>'organization_id')::uuid returning * into v_organization;
  if found and v_set <> '{}' then perform audit_by(p, 'organization_changed', v_set::text); end if;
  return v_organization;
end $$;

-- p: { organization_id, token, set, … what audit_by takes }. A process from before this migration says limit in place of set.
create or replace function limit_token(p jsonb) returns boolean language plpgsql as $$
declare
  v_name text;
  v_set jsonb := coalesce(p->'set', jsonb_build_object('monthly_credit_limit', p->'limit'));
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
`;
