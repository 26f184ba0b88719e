-- Returns the limits of an organization and of a token, each with its usage since p_since, and the organization's caps.
-- Returns null if the organization does not exist; the token's part is null if the token does not exist. Locks nothing.
create or replace function credit_limits(p_organization uuid, p_token uuid, p_since timestamptz) returns jsonb language sql stable as $$
  select jsonb_build_object('credit_caps', o.credit_caps,
    'organization', (select jsonb_build_object('limit', o.monthly_credit_limit, 'used', coalesce(sum(u.credits), 0),
        'message_limit', o.monthly_message_limit, 'messages', coalesce(sum(u.messages), 0))
      from usage_since(p_organization, p_since, null) u),
    'token', case when t.id is not null then (select jsonb_build_object('limit', t.monthly_credit_limit, 'used', coalesce(sum(u.credits), 0),
        'message_limit', t.monthly_message_limit, 'messages', coalesce(sum(u.messages), 0))
      from usage_since(p_organization, p_since, t.id) u) end)
  from organizations o left join api_tokens t on t.id = p_token and t.organization_id = o.id where o.id = p_organization
$$;
