-- Returns an agent with what its version p_version had of the columns that change answers (those of agent_versions). Null,
-- the published version, or one that is no longer kept: the agent as it is now. Locks nothing. Postgres inlines it.
create or replace function agent_at(p_agent uuid, p_version integer) returns setof agents language sql stable as $$
  select x.* from agents a
    left join agent_versions v on v.agent_id = a.id and v.version = nullif(p_version, a.version) and v.created_at is not null
    cross join lateral jsonb_populate_record(a, case when v.version is null then '{}'::jsonb
      else to_jsonb(v) - '{organization_id,created_at}'::text[] end) x
    where a.id = p_agent
$$;
