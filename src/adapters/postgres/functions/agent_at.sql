-- Returns an agent with the settings of its version p_version (the columns of agent_versions). Returns the agent with
-- its current settings if p_version is null, is the published version, is not stored, or was stored incompletely by an
-- earlier version of Parley (agent_versions.created_at is null). Locks nothing. Postgres inlines the function.
create or replace function agent_at(p_agent uuid, p_version integer) returns setof agents language sql stable as $$
  select x.* from agents a
    left join agent_versions v on v.agent_id = a.id and v.version = nullif(p_version, a.version) and v.created_at is not null
    cross join lateral jsonb_populate_record(a, case when v.version is null then '{}'::jsonb
      else to_jsonb(v) - '{organization_id,created_at}'::text[] end) x
    where a.id = p_agent
$$;
