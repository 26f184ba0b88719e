/** Tables of organizations, agents and conversations. Never edited after a release: add a migration. */
export const up = `
create table organizations (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null default now()
);

create table api_tokens (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  name text not null,
  prefix text not null,
  secret_hash bytea not null unique,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  last_used_at timestamptz,
  call_count bigint not null default 0
);
create index api_tokens_of_organization on api_tokens (organization_id, id);

create table agents (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  name text not null,
  description text not null default '',
  instructions text not null default '',
  model text,
  script jsonb,
  active boolean not null default true,
  grouping_window_seconds double precision not null default 0,
  grouping_max_seconds double precision,
  grouping_max_messages integer,
  follow_ups jsonb not null default '[]',
  transfers_to uuid[] not null default '{}',
  tools text[] not null default '{}',
  inbox_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index agents_name on agents (organization_id, name) where deleted_at is null;
create index agents_of_organization on agents (organization_id, id);

create table inboxes (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  agent_id uuid not null references agents
);

create table conversations (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  target_id uuid not null,
  agent_id uuid not null references agents,
  contact_id text,
  contact_name text,
  channel text not null default 'api',
  webhook_url text,
  last_seq integer not null default 0,
  last_ordinal integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index conversations_contact on conversations (target_id, contact_id) where contact_id is not null;
create index conversations_of_organization on conversations (organization_id, id);

-- A run is one execution of the agent: over a group of inputs, or for a follow-up. While 'collecting' it is
-- the conversation's open group; its id is the group_id on the wire.
create table runs (
  id uuid primary key,
  organization_id uuid not null,
  conversation_id uuid not null references conversations on delete cascade,
  ordinal integer not null,
  mode text not null check (mode in ('single', 'window', 'sync', 'follow_up')),
  state text not null check (state in ('collecting', 'ready', 'running', 'answered', 'failed')),
  opened_at timestamptz not null,
  closes_at timestamptz not null,
  cap_at timestamptz not null,
  message_count integer not null default 0,
  max_messages integer not null default 1,
  agent_id uuid references agents,
  follow_up_of uuid,
  follow_up_attempt integer,
  transfers integer not null default 0,
  claimed_at timestamptz,
  -- The activity that claimed it: its repeat reads back what it came to.
  claimed_by text,
  finished_at timestamptz,
  error text,
  prices jsonb,
  unique (conversation_id, ordinal)
);
create unique index runs_collecting on runs (conversation_id) where state = 'collecting';
create unique index runs_follow_up on runs (follow_up_of, follow_up_attempt) where follow_up_of is not null;
create index runs_unfinished on runs (closes_at) where state in ('collecting', 'ready', 'running');

create table messages (
  id uuid primary key,
  organization_id uuid not null,
  conversation_id uuid not null references conversations on delete cascade,
  run_id uuid not null,
  run_ordinal integer not null,
  seq integer not null,
  role text not null check (role in ('user', 'agent')),
  text text not null,
  webhook_url text,
  metadata json,
  agent_id uuid,
  agent_name text,
  model text,
  credits_used double precision,
  pre_transfer boolean not null default false,
  quotes uuid, -- the message that this one answers by quoting it
  created_at timestamptz not null default now(),
  unique (conversation_id, seq)
);
create index messages_in_run_order on messages (conversation_id, run_ordinal, seq);

create table attachments (
  id uuid primary key,
  organization_id uuid not null,
  conversation_id uuid not null references conversations on delete cascade,
  message_id uuid not null references messages on delete cascade,
  position integer not null,
  filename text,
  content_type text,
  size integer,
  url text,
  content bytea,
  error text
);
create index attachments_of_message on attachments (message_id, position);
create index attachments_of_conversation on attachments (conversation_id);

-- One row a model call of a run. The first writer of a step wins: a repeated activity reads it back.
-- Text is kept beside tool calls alone; an answer's stands in its message.
create table run_steps (
  run_id uuid not null references runs on delete cascade,
  step integer not null,
  agent_id uuid not null,
  kind text not null check (kind in ('tools', 'transfer', 'answer')),
  text text not null,
  model text not null,
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  credits double precision not null default 0,
  message_id uuid,
  delivery_id uuid,
  created_at timestamptz not null default now(),
  primary key (run_id, step)
);

create table tool_calls (
  run_id uuid not null references runs on delete cascade,
  step integer not null,
  position integer not null,
  call_id text not null,
  name text not null,
  input jsonb not null,
  status text not null default 'pending' check (status in ('pending', 'attempting', 'succeeded', 'failed', 'unknown')),
  result text,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (run_id, step, position)
);

-- Failed model calls of a step: three in all, however often a worker dies in between.
create table model_failures (
  run_id uuid not null references runs on delete cascade,
  step integer not null,
  count integer not null,
  last_error text not null,
  primary key (run_id, step)
);

-- How often a scripted rule has failed in a conversation.
create table script_failures (
  conversation_id uuid not null references conversations on delete cascade,
  rule text not null,
  count integer not null,
  primary key (conversation_id, rule)
);

create table deliveries (
  id uuid primary key,
  organization_id uuid not null,
  conversation_id uuid not null references conversations on delete cascade,
  run_id uuid not null,
  message_id uuid,
  event text not null,
  url text not null,
  status text not null default 'pending'
    check (status in ('pending', 'attempting', 'delivered', 'failed', 'blocked', 'unknown')),
  http_status integer,
  request_body text,
  response_body text,
  error text,
  created_at timestamptz not null default now(),
  attempted_at timestamptz,
  finished_at timestamptz,
  duration_ms integer
);
create unique index deliveries_message on deliveries (message_id) where message_id is not null;
create unique index deliveries_error on deliveries (run_id) where message_id is null;
create index deliveries_of_organization on deliveries (organization_id, id);
create index deliveries_of_conversation on deliveries (conversation_id, id);
create index deliveries_unfinished on deliveries (conversation_id) where status in ('pending', 'attempting');

create table idempotency_keys (
  token_id uuid not null references api_tokens on delete cascade,
  path text not null,
  key text not null,
  request_hash bytea not null,
  conversation_id uuid not null,
  run_id uuid not null,
  message_id uuid not null,
  debounced boolean not null,
  status integer,
  body json,
  created_at timestamptz not null default now(),
  primary key (token_id, path, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
`;
