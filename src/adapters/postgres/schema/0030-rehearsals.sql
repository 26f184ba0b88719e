-- Recorded turns of an agent that are asked again with a draft, another version or another model. Nothing is sent.
create table rehearsals (
  id uuid primary key,
  organization_id uuid not null,
  agent_id uuid not null references agents on delete cascade,
  status text not null default 'running' check (status in ('running', 'completed', 'cancelled', 'failed')),
  version integer,        -- null: that of the draft
  content jsonb not null, -- what the agent has in the rehearsal: the fields of a version
  model text,             -- replaces the model of the content; null: none was named
  source text not null check (source in ('recent', 'test_set')),
  runs_read_only_tools boolean not null,
  checks jsonb not null,  -- { rules, accepts, judge }: what a turn must meet to pass
  turns integer not null, -- at the beginning; erased conversations take theirs with them
  author_id uuid,
  author text not null,
  error text,             -- why it failed
  created_at timestamptz not null,
  begun_at timestamptz not null,  -- when it was begun or resumed last
  due_at timestamptz,             -- recovery starts its workflow again if it still runs at this time; null: it has ended
  finished_at timestamptz
);
create index rehearsals_of_agent on rehearsals (agent_id, organization_id, id);
create index rehearsals_due on rehearsals (due_at) where due_at is not null;
create index rehearsals_of_organization on rehearsals (organization_id, status);
create index rehearsals_by_age on rehearsals (created_at);

-- A turn is a run of a conversation up to the agent's answer or transfer. Deleted with its run.
create table rehearsal_turns (
  rehearsal_id uuid not null references rehearsals on delete cascade,
  position integer not null,
  organization_id uuid not null,
  run_id uuid not null references runs on delete cascade,
  -- Null: it is still to be asked.
  outcome text check (outcome in ('same', 'other_text', 'other_tool', 'other_arguments', 'other_transfer', 'refused', 'failed')),
  diverged boolean not null default false, -- it stopped at a tool call without a recorded result
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

-- The test set of an agent: turns that its rehearsals ask again. Deleted with its run.
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

-- Finds the newest turns of an agent, which the first step of a run belongs to.
create index run_steps_of_first_agent on run_steps (agent_id, run_id) where step = 0;
