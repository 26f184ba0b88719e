-- Adds agent versions that can be listed, compared and published again; one draft per agent; and candidate
-- versions, which a share of the new conversations gets.
alter table agents
  add column last_version integer not null default 1, -- the highest number that a version of the agent has had
  -- The version that candidate_percent of the new conversations get instead of agents.version. Null: none.
  add column candidate_version integer,
  add column candidate_percent integer check (candidate_percent between 0 and 100),
  add constraint agents_candidate check ((candidate_version is null) = (candidate_percent is null));
update agents set last_version = version;

-- From now on, each version has a row as soon as it exists, with all settings that affect answers, in columns named as
-- in agents (see keep_agent_version and agent_at). After the transaction that creates a row, only replaced_at changes.
alter table agent_versions
  alter column replaced_at drop not null, -- null: never published, or not replaced
  alter column replaced_at drop default,
  add column model text,
  add column script jsonb,
  add column connections uuid[],
  add column bytes integer not null default 0, -- total size of its texts
  -- Null in versions that an earlier version of Parley stored. It did not store their model, script and connections.
  add column created_at timestamptz,
  add column author_id uuid, -- the member or token
  add column author text,    -- null: unknown
  add column note text,
  add column restores integer; -- the version whose content this one published again
update agent_versions set bytes = octet_length(instructions) + octet_length(follow_ups::text);
insert into agent_versions (agent_id, version, organization_id, instructions, follow_ups, tools, transfers_to,
                            model, script, connections, bytes, created_at)
  select id, version, organization_id, instructions, follow_ups, tools, transfers_to, model, script, connections,
         octet_length(instructions) + octet_length(follow_ups::text) + coalesce(octet_length(script::text), 0), updated_at
    from agents;

drop trigger keep_agent_version on agents;
create trigger keep_agent_version before update on agents for each row execute function keep_agent_version();
create trigger keep_first_version after insert on agents for each row execute function keep_agent_version();

-- The draft of an agent's next version, which a member or a token has saved.
create table agent_drafts (
  agent_id uuid primary key references agents on delete cascade,
  organization_id uuid not null,
  base_version integer not null, -- agents.version when the draft was begun
  content jsonb not null,        -- the fields of a version
  author_id uuid,
  author text not null,
  updated_at timestamptz not null
);

alter table conversations
  -- The version that the conversation got when it began, and the version's agent. A candidate version applies while it
  -- is the agent's candidate. A negative number, a version of a draft (see draft_to_try), always applies.
  add column candidate_agent_id uuid,
  add column candidate_version integer;

alter table runs
  add column agent_version integer; -- the version of agent_id that the run uses; null in runs before this column
create index runs_of_agent_version on runs (agent_id, agent_version);
drop index runs_of_agent;
-- Finds runs that used a version and then left its agent by a transfer. runs_of_agent_version finds the other runs.
create index run_steps_of_transfers on run_steps (agent_id, agent_version) where kind = 'transfer';
