-- A rehearsal asks recorded turns of an agent again, with a draft, another version or another model. It sends nothing
-- to contacts.
create table rehearsals (
  id uuid primary key,
  organization_id uuid not null,
  agent_id uuid not null references agents on delete cascade,
  status text not null default 'running' check (status in ('running', 'completed', 'cancelled', 'failed')),
  version integer,        -- null: the draft
  content jsonb not null, -- the fields of the rehearsed version
  model text,             -- used instead of the content's model; null: the content's model is used
  source text not null check (source in ('recent', 'test_set')),
  runs_read_only_tools boolean not null,
  checks jsonb not null,  -- { rules, accepts, judge }: what a turn must meet to pass
  turns integer not null, -- number of turns at the start; erasing a conversation deletes its turns
  author_id uuid,
  author text not null,
  error text,             -- why the rehearsal failed
  created_at timestamptz not null,
  begun_at timestamptz not null,  -- when the rehearsal was started or last resumed
  due_at timestamptz,             -- when recovery starts the workflow again; null: the rehearsal has ended
  finished_at timestamptz
);
create index rehearsals_of_agent on rehearsals (agent_id, organization_id, id);
create index rehearsals_due on rehearsals (due_at) where due_at is not null;
create index rehearsals_of_organization on rehearsals (organization_id, status);
create index rehearsals_by_age on rehearsals (created_at);

-- A turn is a run of a conversation up to the agent's answer or first transfer. It is deleted with its run.
create table rehearsal_turns (
  rehearsal_id uuid not null references rehearsals on delete cascade,
  position integer not null,
  organization_id uuid not null,
  run_id uuid not null references runs on delete cascade,
  -- Null: the turn has not been asked again yet.
  outcome text check (outcome in ('same', 'other_text', 'other_tool', 'other_arguments', 'other_transfer', 'refused', 'failed')),
  diverged boolean not null default false, -- true if the turn stopped at a tool call without a recorded result
  passed boolean,
  rehearsed jsonb, -- { text, calls, transfer_to, broken_rules, judgement, error }
  recorded_credits double precision not null default 0,
  recorded_ms integer not null default 0,
  credits double precision not null default 0,
  model_ms integer not null default 0,
  asked_at timestamptz,
  primary key (rehearsal_id, position)
);
create index rehearsal_turns_of_run on rehearsal_turns (run_id);
create index rehearsal_turns_to_ask on rehearsal_turns (rehearsal_id, position) where outcome is null;

-- The test set of an agent: turns that its rehearsals can ask again. A turn is deleted with its run.
create table test_turns (
  id uuid primary key,
  organization_id uuid not null,
  agent_id uuid not null references agents on delete cascade,
  run_id uuid not null references runs on delete cascade,
  author text not null,
  created_at timestamptz not null,
  unique (agent_id, run_id)
);
create index test_turns_of_agent on test_turns (agent_id, organization_id, id);
create index test_turns_of_run on test_turns (run_id);

-- Finds the newest turns of an agent: the runs whose first step is the agent's.
create index run_steps_of_first_agent on run_steps (agent_id, run_id) where step = 0;
