-- Records what each model call received, so that members can see why an agent gave an answer.
alter table agents
  add column version integer not null default 1; -- the published version: see keep_agent_version

-- The settings of an agent that models read, as they were before a change. Since 0015, the published version has a row
-- too.
create table agent_versions (
  agent_id uuid not null references agents on delete cascade,
  version integer not null,
  organization_id uuid not null,
  instructions text not null,
  follow_ups jsonb not null,
  tools text[] not null,
  transfers_to uuid[] not null,
  replaced_at timestamptz not null default clock_timestamp(),
  primary key (agent_id, version)
);
create trigger keep_agent_version before update on agents for each row
  when ((old.instructions, old.follow_ups, old.tools, old.transfers_to)
    is distinct from (new.instructions, new.follow_ups, new.tools, new.transfers_to))
  execute function keep_agent_version();

-- These columns are null in steps that earlier versions of Parley recorded.
alter table run_steps
  add column agent_version integer, -- the version of the agent that the run used
  add column model_id text,         -- provider/name, as in the price table; `model` is the name from the provider
  add column model_ms integer,      -- duration of the model call that succeeded
  add column history_turns integer, -- number of earlier messages that the model received
  add column was_cut boolean;       -- true if a text was cut to fit the model's context window

alter table model_failures
  -- The first failed calls, at most 5, oldest first: [{ at, ms, error, provider_message, agent_id, agent_version }].
  add column calls jsonb not null default '[]';
