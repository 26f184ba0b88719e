-- Finds the newest runs of each version of an agent. Replaces an index that has the same first columns.
create index runs_of_agent_version_by_end on runs (agent_id, agent_version, finished_at);
drop index runs_of_agent_version;

-- The last test of a provider: when, with which of its models, and why it failed; null if it answered. A provider is
-- tested before it is stored or changed.
alter table model_providers
  add column tested_at timestamptz,
  add column tested_model text,
  add column test_error text;
update model_providers set tested_at = updated_at, tested_model = models[1];
