-- Returns an agent with the settings of its version p_version (the columns of agent_versions). If p_version is null,
-- published, no longer kept, or incomplete (agent_versions.created_at is null), returns the agent as it is now. Locks
-- nothing. Postgres inlines the function.
create or replace function agent_at(p_agent uuid, p_version integer) returns setof agents language sql stable as $$
  select x.* from agents a
    left join agent_versions v on v.agent_id = a.id and v.version = nullif(p_version, a.version) and v.created_at is not null
    cross join lateral jsonb_populate_record(a, case when v.version is null then '{}'::jsonb
      else to_jsonb(v) - '{organization_id,created_at}'::text[] end) x
    where a.id = p_agent
$$;
