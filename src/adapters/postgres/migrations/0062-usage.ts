/** What is used, by day and token, and how much of it a month may cost. Numbers stay when the texts are erased. */
export const up = `
alter table organizations add monthly_credit_limit double precision check (monthly_credit_limit >= 0);
alter table api_tokens add monthly_credit_limit double precision check (monthly_credit_limit >= 0);

-- The token whose call opened the run.
create table run_tokens (
  run_id uuid primary key references runs on delete cascade,
  organization_id uuid not null,
  token_id uuid not null
);

-- Of runs that are erased. A token_id of zeros: of no token.
create table usage_kept (
  organization_id uuid not null references organizations on delete cascade,
  token_id uuid not null,
  day date not null,
  messages integer not null,
  runs integer not null,
  credits double precision not null,
  primary key (organization_id, day, token_id)
);

create function keep_usage() returns trigger language plpgsql as $$
begin
  if old.finished_at is null and old.message_count = 0 then return old; end if;
  insert into usage_kept (organization_id, token_id, day, messages, runs, credits)
    select old.organization_id,
           coalesce((select token_id from run_tokens where run_id = old.id), '00000000-0000-0000-0000-000000000000'),
           (coalesce(old.finished_at, old.opened_at) at time zone 'utc')::date, old.message_count, 1,
           coalesce((select sum(credits) from run_steps where run_id = old.id), 0)
    on conflict (organization_id, day, token_id) do update set messages = usage_kept.messages + excluded.messages,
      runs = usage_kept.runs + 1, credits = usage_kept.credits + excluded.credits;
  return old;
end $$;
create trigger keep_usage before delete on runs for each row execute function keep_usage();

-- One row a run that has ended, or that was erased. p_token null: of all.
create function usage_since(p_organization uuid, p_since timestamptz, p_token uuid)
returns table (day date, messages bigint, runs bigint, credits double precision) language sql stable as $$
  select (r.finished_at at time zone 'utc')::date, r.message_count::bigint, 1::bigint,
         coalesce((select sum(s.credits) from run_steps s where s.run_id = r.id), 0)
    from runs r where r.organization_id = p_organization and r.finished_at >= p_since
      and (p_token is null or exists (select from run_tokens t where t.run_id = r.id and t.token_id = p_token))
  union all
  select k.day, k.messages, k.runs, k.credits from usage_kept k
    where k.organization_id = p_organization and k.day >= (p_since at time zone 'utc')::date
      and (p_token is null or k.token_id = p_token)
$$;

-- The limits of an organization and of a token, with what is used of each since p_since.
create function credit_limits(p_organization uuid, p_token uuid, p_since timestamptz) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'organization', jsonb_build_object('limit', o.monthly_credit_limit, 'used',
      (select coalesce(sum(credits), 0) from usage_since(p_organization, p_since, null))),
    'token', case when t.id is not null then jsonb_build_object('limit', t.monthly_credit_limit, 'used',
      (select coalesce(sum(credits), 0) from usage_since(p_organization, p_since, t.id))) end)
  from organizations o left join api_tokens t on t.id = p_token and t.organization_id = o.id where o.id = p_organization
$$;

-- As in 0061-retention, and the limit.
create or replace function change_organization(p jsonb) returns organizations language plpgsql as $$
declare
  v_organization organizations;
  v_set jsonb := p->'set';
begin
  update organizations set
      retention_days = case when v_set ? 'retention_days' then (v_set->>'retention_days')::integer else retention_days end,
      monthly_credit_limit = case when v_set ? 'monthly_credit_limit' then (v_set->>'monthly_credit_limit')::double precision
        else monthly_credit_limit end
    where id = (p->>'organization_id')::uuid returning * into v_organization;
  if found and v_set <> '{}' then perform audit_by(p, 'organization_changed', v_set::text); end if;
  return v_organization;
end $$;

-- p: { organization_id, token, limit, … what audit_by takes }
create function limit_token(p jsonb) returns boolean language plpgsql as $$
declare
  v_name text;
begin
  update api_tokens set monthly_credit_limit = (p->>'limit')::double precision
    where id = (p->>'token')::uuid and organization_id = (p->>'organization_id')::uuid returning name into v_name;
  if not found then return false; end if;
  perform audit_by(p, 'token_limited', v_name || ': ' || coalesce(p->>'limit', 'no limit'));
  return true;
end $$;
`;
