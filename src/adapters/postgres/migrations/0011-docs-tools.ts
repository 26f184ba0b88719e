/** Connections to document workspaces, the runs of tool actions with their recorded steps, and the pace of each workspace. */
export const up = `
create table tool_connections (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  auth text not null check (auth in ('API_KEY', 'OAUTH2')),
  status text not null check (status in ('pending', 'connected', 'needs_reconnect')),
  bot_id text,
  workspace_id text,
  workspace_name text,
  integration_name text,
  -- Sealed: see encryption.ts.
  access_token text,
  refresh_token text,
  last_error text,
  -- OAuth: SHA-256 of the one state that finishes it, cleared by its use.
  state_hash bytea,
  state_expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index tool_connections_bot on tool_connections (organization_id, bot_id) where bot_id is not null;
create unique index tool_connections_state on tool_connections (state_hash) where state_hash is not null;
create index tool_connections_of_organization on tool_connections (organization_id, id);

-- One run of an action, whoever asked for it. \`origin\` names the asking: the same one never runs twice.
create table tool_executions (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  conversation_id uuid references conversations on delete cascade,
  origin text not null unique,
  request_hash text,
  action text not null,
  connection_id uuid,
  -- JSON as text: jsonb takes no \\u0000, and nothing asks for its parts.
  input text not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  failures integer not null default 0,
  data text,
  error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index tool_executions_of_conversation on tool_executions (conversation_id) where conversation_id is not null;
create index tool_executions_direct_by_age on tool_executions (created_at) where conversation_id is null;

-- What a run has done so far: claimed before a request that must not be sent twice, recorded after it.
create table tool_steps (
  execution_id uuid not null references tool_executions on delete cascade,
  name text not null,
  claimed_at timestamptz,
  value text,
  primary key (execution_id, name)
);

-- One pace for each workspace over all workers.
create table tool_rates (
  workspace text primary key,
  arrives_at timestamptz not null,
  blocked_until timestamptz not null
);
`;
