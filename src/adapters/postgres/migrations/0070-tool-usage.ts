/** What the model calls of tool actions cost. */
export const up = `
-- One row an execution. It outlives one that was asked for by itself, which is forgotten after a day.
create table tool_usage (
  execution_id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  -- Where an agent asked for it, the run's step carries the credits too.
  conversation_id uuid references conversations on delete cascade,
  model text not null,
  input_tokens integer not null,
  output_tokens integer not null,
  credits double precision not null,
  created_at timestamptz not null default now()
);
create index tool_usage_direct on tool_usage (organization_id, created_at) where conversation_id is null;
create index tool_usage_of_conversation on tool_usage (conversation_id) where conversation_id is not null;
`;
