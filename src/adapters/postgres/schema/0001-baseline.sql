-- The schema, grouped by feature. Changes after a release go into a new file, such as 0002-what-changes.sql; a released
-- file is never edited. Functions are in ../functions, row security in ../row-security.ts.

-- ---------------------------------------------------------------------------------------------------------------
-- Organizations and their agents
-- ---------------------------------------------------------------------------------------------------------------

create table organizations (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null default now(),
  -- better-auth writes slug, logo and metadata.
  slug text unique,
  logo text,
  metadata text,
  -- Limits of the organization. Null: no limit.
  retention_days integer check (retention_days between 1 and 36500),
  monthly_credit_limit double precision check (monthly_credit_limit >= 0),
  monthly_message_limit integer check (monthly_message_limit >= 0),
  -- Null: the installation's default applies, the value of storage_limit_megabytes in the table installation.
  storage_limit_megabytes integer check (storage_limit_megabytes >= 0),
  -- The model of agents that name none, as provider/name. Null: the installation's default applies.
  default_model text
);

-- Settings of the whole installation, by name.
create table installation (
  name text primary key,
  value text not null
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
  call_count bigint not null default 0,
  monthly_credit_limit double precision check (monthly_credit_limit >= 0),
  monthly_message_limit integer check (monthly_message_limit >= 0)
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
  input_during_run text not null default 'next_group' check (input_during_run in ('next_group', 'cancel_and_merge')),
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

-- An organization's own model providers, with their keys. A model's id is provider/name. Its provider is the
-- organization's provider of that name or, if the organization has none, the installation's.
create table model_providers (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  name text not null check (name not in ('scripted', 'custom')),
  kind text not null check (kind in ('openai', 'anthropic', 'google', 'compatible')),
  base_url text,
  api_key text,                      -- encrypted
  models text[] not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index model_providers_name on model_providers (organization_id, name);

-- API inboxes. Each agent is created with one, whose id callers can use instead of the agent's. If an inbox is bound to
-- another agent, that agent answers the inbox's new conversations.
create table inboxes (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  agent_id uuid not null references agents
);
-- Erasing an organization deletes its agents. Without an index on each reference to an agent, Postgres would read the
-- whole referring table for every agent. The other indexes "…_of_agent" serve this too.
create index inboxes_of_agent on inboxes (agent_id);

-- ---------------------------------------------------------------------------------------------------------------
-- WhatsApp channels and contacts
-- ---------------------------------------------------------------------------------------------------------------

create table channels (
  agent_id uuid primary key references agents on delete cascade,
  organization_id uuid not null references organizations on delete cascade,
  state text not null default 'not_connected'
    check (state in ('not_connected', 'awaiting_webhook', 'connected', 'inactive')),
  base_url text,
  instance_token text,               -- encrypted
  -- Hash of the gateway's URL and the token. Finds channels of the same instance without decrypting their tokens.
  instance_key text,
  webhook_secret text not null,      -- encrypted, not only hashed, because the URL that contains it is shown again
  webhook_secret_hash bytea not null,
  webhook_state text check (webhook_state in ('right', 'wrong', 'unread')),
  -- When a check first found that the gateway's webhook settings are wrong. Cleared when a check finds them right, when
  -- the channel gets new credentials, and when it is disconnected. If messages arrive after this time, the settings are
  -- no problem: for example, a relay forwards the messages.
  webhook_wrong_since timestamptz,
  connected_number text,
  last_error jsonb,
  pause_minutes integer not null default 720,
  alert_url text,
  alert_after_minutes integer not null default 10,
  -- The state of the gateway's session at the last check. While next_check_at is null, no check is due.
  live_status text,
  live_reason text,
  live_checked_at timestamptz,
  next_check_at timestamptz,
  down_since timestamptz,
  alerted_at timestamptz,
  credentials_refused_at timestamptz,
  last_inbound_at timestamptz,
  -- WhatsApp refuses new chats from this number until this time (error 463).
  timelocked_until timestamptz,
  -- Limits. Null: no limit. A loop is loop_rounds consecutive rounds in which the contact wrote within loop_seconds of
  -- the agent's answer.
  contact_messages_per_minute integer default 30 check (contact_messages_per_minute between 1 and 1000),
  channel_messages_per_minute integer default 1000 check (channel_messages_per_minute between 1 and 10000),
  contact_answers_per_day integer default 300 check (contact_answers_per_day between 1 and 10000),
  channel_answers_per_day integer check (channel_answers_per_day between 1 and 1000000),
  loop_rounds integer default 12 check (loop_rounds between 3 and 50),
  loop_seconds integer not null default 8 check (loop_seconds between 1 and 60),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index channels_to_check on channels (next_check_at) where next_check_at is not null;

-- One row per channel check: the request and its outcome. The token is encrypted, and deleted when the check ends.
create table channel_checks (
  id uuid primary key,
  agent_id uuid not null references channels on delete cascade,
  trigger text not null check (trigger in ('connect', 'verify', 'edit', 'disconnect')),
  base_url text,
  instance_token text,
  requested_by jsonb not null, -- the actor of the audit event, which is written with the change
  outcome jsonb,
  created_at timestamptz not null default now(),
  claimed_at timestamptz,
  finished_at timestamptz
);
create index channel_checks_by_age on channel_checks (created_at);

-- A contact has a phone, a LID, or both. The LID identifies the person; the phone is only an address.
create table channel_contacts (
  id uuid primary key,
  agent_id uuid not null references channels on delete cascade,
  contact_id text not null,
  phone text,
  lid text,
  reply_to text,                     -- address of the contact's last message: digits or a LID
  addressed_at timestamptz,          -- when that message was written
  moved_at timestamptz,              -- when the contact last changed the phone
  created_at timestamptz not null default now(),
  unique (agent_id, phone),
  unique (agent_id, lid)
);
create index channel_contacts_by_contact on channel_contacts (contact_id);

-- Number of agents' replies per channel and UTC day, for the channel's daily limit.
create table channel_answers (
  agent_id uuid not null references channels on delete cascade,
  day date not null,
  answers integer not null,
  primary key (agent_id, day)
);

-- The times at which messages were sent through a gateway instance, for its limit per minute. When a message takes a
-- slot, times that are older than a minute are removed.
create unlogged table gateway_rates (
  instance text primary key,
  sent_at timestamptz[] not null
);

-- ---------------------------------------------------------------------------------------------------------------
-- Conversations, their runs and messages
-- ---------------------------------------------------------------------------------------------------------------

create table conversations (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  target_id uuid not null,
  agent_id uuid not null references agents,
  contact_id text,
  contact_name text,
  channel text not null default 'api' check (channel in ('api', 'whatsapp')),
  webhook_url text, -- from the newest message that has one; a message through the channel sets it to null
  last_seq integer not null default 0,
  last_ordinal integer not null default 0,
  -- Set by a takeover or a detected loop: the agent does not answer before this time.
  paused_until timestamptz,
  paused_by text check (paused_by in ('phone', 'console', 'api', 'loop')),
  paused_by_name text,
  -- References the contact's row by its id, because contact_id changes with the contact's addresses.
  channel_contact_id uuid references channel_contacts on delete set null,
  -- The conversation in which the contact's messages continued when two contact rows of one person were merged. A later
  -- merge can set its continued_by too. Null: new messages of the contact are stored here.
  continued_by uuid references conversations on delete set null,
  -- True if a member began the conversation to try an agent, or if it tries a draft or an earlier run. The overview
  -- excludes it.
  is_test boolean not null default false,
  -- Since when the contact has waited for a human agent, because no agent will answer a message. Null: the contact does
  -- not wait.
  waiting_since timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index conversations_contact on conversations (target_id, contact_id) where contact_id is not null;
create index conversations_of_organization on conversations (organization_id, id);
create index conversations_by_activity on conversations (organization_id, updated_at desc, id desc);
-- Indexes for the lists that the console polls. Each list contains few conversations.
create index conversations_waiting on conversations (organization_id, updated_at desc, id desc) where waiting_since is not null;
create index conversations_of_tests on conversations (organization_id, updated_at desc, id desc) where is_test;
create index conversations_by_contact on conversations (organization_id, contact_id) where contact_id is not null;
create index conversations_of_channel_contact on conversations (channel_contact_id) where channel_contact_id is not null;
create index conversations_continued_by on conversations (continued_by) where continued_by is not null;
create index conversations_of_agent on conversations (agent_id, organization_id, id);

-- One execution of the agent, over a group of inputs or for a follow-up. A run in state 'collecting' is the
-- conversation's open group; its id is the group_id of the API.
create table runs (
  id uuid primary key,
  organization_id uuid not null,
  conversation_id uuid not null references conversations on delete cascade,
  ordinal integer not null,
  mode text not null check (mode in ('single', 'window', 'sync', 'follow_up')),
  -- answered: an agent answered; handed_over: the agent was paused before the run began, by a takeover or a loop.
  state text not null
    check (state in ('collecting', 'ready', 'running', 'answered', 'handed_over', 'failed', 'cancelled')),
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
  -- The activity that claimed the run, so that its retry finds the outcome.
  claimed_by text,
  finished_at timestamptz,
  error text,
  prices jsonb,
  fetched_bytes bigint not null default 0, -- total of the files fetched for the run
  unique (conversation_id, ordinal)
);
create unique index runs_collecting on runs (conversation_id) where state = 'collecting';
create unique index runs_follow_up on runs (follow_up_of, follow_up_attempt) where follow_up_of is not null;
create index runs_unfinished on runs (closes_at) where state in ('collecting', 'ready', 'running');
create index runs_failed on runs (organization_id, conversation_id) where state = 'failed';
create index runs_of_organization_by_end on runs (organization_id, finished_at) where finished_at is not null;
create index runs_of_agent on runs (agent_id);
create trigger keep_usage before delete on runs for each row execute function keep_usage();

create table messages (
  id uuid primary key,
  organization_id uuid not null,
  conversation_id uuid not null references conversations on delete cascade,
  -- Null: no run answers the message, because a human agent wrote it, or because it arrived during a pause, in a loop,
  -- over a daily limit or too late.
  run_id uuid,
  -- Place among the conversation's runs: the run's ordinal, or a separate ordinal for a message without a run.
  run_ordinal integer not null,
  seq integer not null,
  -- The author: user is the contact; human_agent wrote through the API or the console; phone is a human agent who wrote
  -- on the business's phone.
  origin text not null check (origin in ('user', 'agent', 'human_agent', 'phone')),
  text text not null,
  webhook_url text,
  from_channel boolean not null default false, -- arrived through the conversation's channel; its answer goes there too
  metadata json,
  -- Both are null if the contact wrote the message. agent_id: the agent that wrote the message, or the conversation's
  -- agent if a human agent wrote it. agent_name: the author's name.
  agent_id uuid,
  agent_name text,
  model text,
  credits_used double precision,
  pre_transfer boolean not null default false,
  truncated boolean not null default false, -- the model's answer was cut off
  quotes uuid,                              -- the message that this one quotes
  replaced_by uuid,                         -- the run that regenerated the answer; models no longer read this message
  -- The reason why no agent answers a contact's message; otherwise null.
  unanswered text check (unanswered in ('paused', 'stale', 'contact_day', 'channel_day', 'loop')),
  written_at timestamptz,                   -- by the sender's clock; created_at is by the database's clock
  created_at timestamptz not null default now(),
  unique (conversation_id, seq),
  constraint messages_to_contact check ((origin <> 'user') = (agent_id is not null) and (origin <> 'user') = (agent_name is not null))
);
create index messages_in_run_order on messages (conversation_id, run_ordinal, seq);
create index messages_of_organization_by_day on messages (organization_id, created_at);
-- Each word contains its organization's id: see message_words(). The pending list (at most 512 kB) is short, because
-- each search reads all of it.
create index messages_by_words on messages using gin (message_words(organization_id, text)) with (gin_pending_list_limit = 512);
-- ANALYZE must not sample customers' words: samples would outlive deleted messages (see ../unsampled-text.ts).
alter index messages_by_words alter column 1 set statistics 0;
create index messages_without_run on messages (conversation_id, run_ordinal) where run_id is null;
create index messages_without_run_by_day on messages (organization_id, created_at) where run_id is null;
create trigger keep_usage before delete on messages for each row
  when (old.run_id is null and old.origin = 'user') execute function keep_message_usage();

create table attachments (
  id uuid primary key,
  organization_id uuid not null,
  conversation_id uuid not null references conversations on delete cascade,
  message_id uuid not null references messages on delete cascade,
  position integer not null,
  -- unfetched: not fetched yet; if the message has a run, the run waits for the file. later: not fetched in time;
  -- fetched again once no run waits for it. stored: its bytes are in content. All other states are final: the file is
  -- never stored.
  state text not null check (state in ('unfetched', 'later', 'stored', 'too_large', 'storage_full', 'unavailable')),
  filename text,
  content_type text,
  size integer,
  url text, -- the sender's URL, from which the file is fetched
  gateway_message_id text, -- the gateway's message with the file; the gateway makes a link to the file on request
  content bytea,
  error text, -- why the file is not stored
  constraint attachments_from_one check (num_nonnulls(url, gateway_message_id) <= 1),
  constraint attachments_stored check ((state = 'stored') = (content is not null))
);
create index attachments_of_message on attachments (message_id, position);
create index attachments_of_conversation on attachments (conversation_id);
-- Finds files that are not fetched yet and that no run waits for: files of messages without a run, and files that were
-- not fetched in time.
create index attachments_for_later on attachments (message_id)
  where state in ('unfetched', 'later');
create trigger count_storage_of_new after insert on attachments for each row
  when (new.content is not null) execute function count_storage();
create trigger count_storage_of_changed after update of content on attachments for each row execute function count_storage();
create trigger count_storage_of_deleted after delete on attachments for each row
  when (old.content is not null) execute function count_storage();

-- Parts of files that are being fetched. Unlogged, because after a crash a file is fetched again.
create unlogged table attachment_pieces (
  attachment_id uuid not null references attachments on delete cascade,
  attempt uuid not null, -- two attempts at one file may overlap
  position integer not null,
  bytes bytea not null,
  created_at timestamptz not null default now(),
  primary key (attachment_id, attempt, position)
);
alter table attachment_pieces alter bytes set storage external;
create index attachment_pieces_by_age on attachment_pieces (created_at);

-- One row per recorded step of a run: a model call, or the agent's cap_message instead of one (then model is none). The
-- first writer of a step wins; a retried activity reads that writer's row. `text` is empty except for the kind `tools`:
-- the text of an answer or a transfer is in its message.
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

-- Counts the failed model calls of a step, so that the maximum of three holds even if workers die in between.
create table model_failures (
  run_id uuid not null references runs on delete cascade,
  step integer not null,
  count integer not null,
  last_error text not null,
  provider_message text, -- the provider's own error text
  last_at timestamptz not null default now(),
  primary key (run_id, step)
);

-- Counts how often a scripted rule has failed in a conversation.
create table script_failures (
  conversation_id uuid not null references conversations on delete cascade,
  rule text not null,
  count integer not null,
  primary key (conversation_id, rule)
);

-- Callbacks, replies through a channel, and alerts of a channel. Each is written before it is sent. A callback or alert
-- is claimed here, once; the parts of a reply are claimed in gateway_sends. An alert belongs to an agent's channel, any
-- other delivery to a conversation.
create table deliveries (
  id uuid primary key,
  organization_id uuid not null,
  conversation_id uuid references conversations on delete cascade,
  run_id uuid,
  message_id uuid,
  agent_id uuid references agents on delete cascade,
  -- The agent in whose list the delivery appears: the channel's agent for an alert, the conversation's agent for a
  -- human agent's message, and the run's agent for any other delivery.
  of_agent_id uuid not null,
  event text not null,
  kind text not null check (kind in ('callback', 'channel_reply', 'alert')),
  url text, -- of a callback or an alert
  recipient text, -- of a channel reply: the contact's number or LID, updated while the reply is pending
  status text not null default 'pending'
    check (status in ('pending', 'attempting', 'delivered', 'failed', 'blocked', 'unknown')),
  http_status integer,
  request_body text,
  response_body text,
  error text,
  created_at timestamptz not null default now(),
  attempted_at timestamptz,
  unresolved_since timestamptz, -- since when DNS has not resolved the receiver's host name
  finished_at timestamptz,
  duration_ms integer,
  constraint deliveries_of_one check ((kind = 'alert') = (agent_id is not null) and num_nonnulls(conversation_id, agent_id) = 1),
  constraint deliveries_to_one check ((kind = 'channel_reply') = (recipient is not null) and num_nonnulls(url, recipient) = 1)
);
create unique index deliveries_message on deliveries (message_id) where message_id is not null;
create unique index deliveries_error on deliveries (run_id) where message_id is null;
create index deliveries_of_organization on deliveries (organization_id, id);
create index deliveries_of_conversation on deliveries (conversation_id, id);
create index deliveries_of_run on deliveries (run_id) where run_id is not null;
create index deliveries_unfinished on deliveries (conversation_id) where status in ('pending', 'attempting');
-- Finds deliveries with any status other than delivered. They are few, and users search for them.
create index deliveries_not_delivered on deliveries (status, organization_id, id) where status <> 'delivered';
create index deliveries_pending_alerts on deliveries (created_at) where kind = 'alert' and status = 'pending';
create index deliveries_of_agent on deliveries (agent_id) where agent_id is not null;
create index deliveries_by_agent on deliveries (of_agent_id, organization_id, id);
create trigger count_channel_answer after insert on deliveries for each row
  when (new.kind = 'channel_reply' and new.message_id is not null) execute function count_channel_answer();

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
create index idempotency_keys_of_conversation on idempotency_keys (conversation_id);
create index idempotency_keys_of_message on idempotency_keys (message_id);

-- The result of accept_input.
create type accepted_input as (
  outcome text,          -- see accept_input
  conversation_id uuid,
  run_id uuid,
  message_id uuid,
  agent_id uuid,
  debounced boolean,
  wake_at timestamptz    -- when the workflow must check for due work; null if the workflow needs no nudge
);

-- Streams of runs. A run has a row if its caller asked for a stream; without a row, it publishes nothing. The cleanup
-- deletes rows of ended runs.
create table run_streams (
  run_id uuid primary key references runs on delete cascade,
  organization_id uuid not null,
  last integer not null default 0,
  -- Id of the current attempt at a model call. Text of other attempts is dropped.
  writer uuid,
  created_at timestamptz not null default now()
);

create table run_stream_events (
  run_id uuid not null references run_streams on delete cascade,
  number integer not null,
  organization_id uuid not null,
  step integer not null,
  event text not null,
  data text not null,
  once text, -- key of an event that is published once per run, even if a retry publishes it again
  primary key (run_id, number)
);
create unique index run_stream_events_once on run_stream_events (run_id, once) where once is not null;

-- The traces of a run's inputs; the run continues the first of them. They are stored, because the run may begin much
-- later in another process, and an input that joins an open group sends no signal that could carry its trace.
create table run_traces (
  run_id uuid not null references runs on delete cascade,
  organization_id uuid not null,
  traceparent text not null,
  accepted_at timestamptz not null default clock_timestamp(),
  primary key (run_id, traceparent)
);

-- Conversations that recovery found stalled. Recovery replaces a workflow whose due work makes no progress. There is no
-- foreign key, because the conversation may be erased while recovery writes its row. The cleanup deletes old rows.
create table recoveries (
  conversation_id uuid primary key,
  organization_id uuid not null,
  -- The due work and its state. A change shows that the workflow makes progress.
  due text not null,
  since timestamptz not null default clock_timestamp(),
  looked_at timestamptz not null default clock_timestamp(),
  looks integer not null default 1,
  replaced integer not null default 0
);
create index recoveries_by_look on recoveries (looked_at);

-- ---------------------------------------------------------------------------------------------------------------
-- WhatsApp events and sends. Text is stored in messages only.
-- ---------------------------------------------------------------------------------------------------------------

-- One row per event of the gateway that was stored or ignored. `repeats` counts how often the gateway repeated a stored
-- message. Echoes of messages that Parley sent have no row.
create table gateway_events (
  id uuid primary key,
  agent_id uuid not null references channels on delete cascade,
  gateway_message_id text,
  outcome text not null check (outcome in ('accepted', 'stored', 'edited', 'takeover', 'ignored')),
  reason text,
  message_id uuid,
  conversation_id uuid,
  repeats integer not null default 0,
  received_at timestamptz not null default now()
);
create unique index gateway_events_once on gateway_events (agent_id, gateway_message_id) where outcome <> 'ignored';
create index gateway_events_of_agent on gateway_events (agent_id, id);
create index gateway_events_by_age on gateway_events (received_at);
create index gateway_events_of_conversation on gateway_events (conversation_id) where conversation_id is not null;
create index gateway_events_of_message on gateway_events (message_id) where message_id is not null;
create index gateway_events_limited on gateway_events (agent_id, id)
  where reason in ('contact_minute', 'channel_minute', 'contact_day', 'channel_day', 'loop');

-- One row per part of a reply, written before the part is sent. Status `retry`: the part was certainly not sent.
create table gateway_sends (
  delivery_id uuid not null references deliveries on delete cascade,
  part_no integer not null,
  agent_id uuid not null,
  status text not null check (status in ('attempting', 'retry', 'sent', 'unknown', 'failed')),
  attempts integer not null default 1,
  uncertain_attempts integer not null default 0, -- attempts that may have sent the part
  checks integer not null default 0,
  attempted_at timestamptz not null,
  finished_at timestamptz,
  gateway_message_id text,
  error text,
  as_link boolean not null default false, -- the gateway refused the file: the part is a text with a link to it
  primary key (delivery_id, part_no)
);
create index gateway_sends_message on gateway_sends (agent_id, gateway_message_id) where gateway_message_id is not null;

-- ---------------------------------------------------------------------------------------------------------------
-- Document workspaces
-- ---------------------------------------------------------------------------------------------------------------

create table tool_connections (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  auth text not null check (auth in ('API_KEY', 'OAUTH2')),
  status text not null check (status in ('pending', 'connected', 'needs_reconnect')),
  bot_id text,
  workspace_id text,
  workspace_name text,
  integration_name text,
  access_token text,                 -- encrypted
  refresh_token text,                -- encrypted
  last_error text,
  -- SHA-256 of the OAuth state and, if only the member who started the authorization may complete it, of the member's
  -- id. Cleared when the state is used.
  state_hash bytea,
  state_expires_at timestamptz,
  -- When the workspace first refused the token. A refused connection is checked again at growing intervals.
  refused_at timestamptz,
  next_check_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index tool_connections_bot on tool_connections (organization_id, bot_id) where bot_id is not null;
create unique index tool_connections_state on tool_connections (state_hash) where state_hash is not null;
create index tool_connections_of_organization on tool_connections (organization_id, id);
create index tool_connections_to_check on tool_connections (next_check_at) where status = 'needs_reconnect';

-- One execution of an action. `origin` identifies the request: repeated requests share one execution.
create table tool_executions (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  conversation_id uuid references conversations on delete cascade,
  origin text not null unique,
  request_hash text,
  action text not null,
  connection_id uuid,
  -- JSON as text, because jsonb rejects \u0000 and no query reads its parts.
  input text not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  failures integer not null default 0,
  data text,
  error text,
  waited_ms double precision not null default 0, -- total wait before retries
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index tool_executions_of_conversation on tool_executions (conversation_id) where conversation_id is not null;
create index tool_executions_direct_by_age on tool_executions (created_at) where conversation_id is null;

-- The steps of an execution. A step is claimed before a request that must not be sent twice. `value` is its result.
create table tool_steps (
  execution_id uuid not null references tool_executions on delete cascade,
  name text not null,
  claimed_at timestamptz,
  value text,
  primary key (execution_id, name)
);

-- The rate limit of each workspace, for all workers together. arrives_at: when the next call is due at the steady rate.
-- blocked_until: when the workspace's Retry-After ends.
create table tool_rates (
  workspace text primary key,
  arrives_at timestamptz not null,
  blocked_until timestamptz not null
);

-- ---------------------------------------------------------------------------------------------------------------
-- Accounts: people, sessions, roles, MCP clients, audit. better-auth and ../accounts write the tables console_*.
-- ---------------------------------------------------------------------------------------------------------------

create table console_users (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table console_sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references console_users on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  active_organization_id uuid references organizations on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index console_sessions_of_user on console_sessions (user_id);

create table console_accounts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references console_users on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index console_accounts_of_user on console_accounts (user_id);

create table console_verifications (
  id uuid primary key default gen_random_uuid(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index console_verifications_by_identifier on console_verifications (identifier);

create table console_members (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations on delete cascade,
  user_id uuid not null references console_users on delete cascade,
  role text not null,
  -- Messages from before this time count as read. Initially the time at which the member joined.
  inbox_read_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default now(),
  unique (organization_id, user_id)
);
create index console_members_of_user on console_members (user_id);

-- A member has seen the messages of a conversation up to seen_seq. Messages from before the member's
-- console_members.inbox_read_at count as seen too, even without a row here.
create table conversation_reads (
  conversation_id uuid not null references conversations on delete cascade,
  user_id uuid not null references console_users on delete cascade,
  organization_id uuid not null,
  seen_seq integer not null,
  primary key (conversation_id, user_id)
);
create index conversation_reads_of_user on conversation_reads (user_id);

create table console_invitations (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations on delete cascade,
  email text not null,
  role text,
  status text not null default 'pending',
  expires_at timestamptz not null,
  inviter_id uuid not null references console_users on delete cascade,
  token_hash text, -- SHA-256 of the secret in the link; the link itself is not stored
  created_at timestamptz not null default now()
);
create index console_invitations_of_organization on console_invitations (organization_id);
create unique index console_invitations_by_token on console_invitations (token_hash);

-- `role` is the id that console_members.role contains; `label` is the name that users gave the role.
create table console_roles (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations on delete cascade,
  role text not null,
  label text not null,
  permission text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz,
  unique (organization_id, role)
);
create unique index console_roles_label on console_roles (organization_id, lower(label));

-- MCP clients register themselves. At most 1,000 clients without a consent are kept (see ../accounts/mcp-grants.ts).
-- The cleanup deletes clients without a grant after a day.
create table mcp_clients (
  id uuid primary key,
  name text not null,
  redirect_uris text[] not null,
  consented boolean not null default false, -- a member has consented at least once
  created_at timestamptz not null default now()
);
create index mcp_clients_by_age on mcp_clients (created_at);
create index mcp_clients_unused on mcp_clients (created_at) where not consented;

-- One consent of one member for one organization, from its code to its last tokens. Secrets are stored as SHA-256 only.
create table mcp_grants (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  user_id uuid not null references console_users on delete cascade,
  client_id uuid not null references mcp_clients on delete cascade,
  resource text not null,
  redirect_uri text not null,
  code_challenge text not null,
  code_hash bytea not null unique,
  code_used_at timestamptz,
  access_hash bytea unique,
  access_expires_at timestamptz,
  refresh_hash bytea unique,
  -- The previous refresh token. If it is used again, it may be stolen, and the grant is deleted.
  previous_refresh_hash bytea unique,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index mcp_grants_of_organization on mcp_grants (organization_id, user_id);
create index mcp_grants_by_creation on mcp_grants (organization_id, created_at);
create index mcp_grants_of_user on mcp_grants (user_id);
create index mcp_grants_of_client on mcp_grants (client_id);
create index mcp_grants_by_expiry on mcp_grants (expires_at);

-- Append-only: see refuse_audit_change(). There are no foreign keys, because an entry outlives its actor and its
-- organization.
create table audit_log (
  id uuid primary key,
  organization_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  actor_id uuid,
  actor text not null,
  action text not null,
  target text not null,
  address text
);
create index audit_log_of_organization on audit_log (organization_id, id);
create index audit_log_by_action on audit_log (action, organization_id, id);
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_log_never_emptied before truncate on audit_log
  for each statement execute function refuse_audit_change();

-- The table of the library rate-limiter-flexible, which counts calls per caller and per address.
-- ../accounts/hourly-counters.ts uses it too.
create unlogged table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

-- ---------------------------------------------------------------------------------------------------------------
-- Usage, storage and erasure
-- ---------------------------------------------------------------------------------------------------------------

-- The API token to which a run's usage is assigned: the first token whose call opened the run or added an input to it.
create table run_tokens (
  run_id uuid primary key references runs on delete cascade,
  organization_id uuid not null,
  token_id uuid not null
);

-- Usage of erased runs and messages, and the credits of rehearsals. token_id is null for runs without a row in
-- run_tokens, for messages without a run, and for rehearsals.
create table usage_kept (
  organization_id uuid not null references organizations on delete cascade,
  token_id uuid,
  day date not null,
  messages integer not null,
  runs integer not null,
  credits double precision not null,
  unique nulls not distinct (organization_id, day, token_id)
);

-- Usage of the model calls of tool actions, one row per execution. The row of a direct execution remains when the
-- execution is deleted after a day.
create table tool_usage (
  execution_id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  -- Set if an agent requested the action; the credits are then in the run's step too.
  conversation_id uuid references conversations on delete cascade,
  model text not null,
  input_tokens integer not null,
  output_tokens integer not null,
  credits double precision not null,
  created_at timestamptz not null default now()
);
create index tool_usage_direct on tool_usage (organization_id, created_at) where conversation_id is null;
create index tool_usage_of_conversation on tool_usage (conversation_id) where conversation_id is not null;

-- Total bytes of each organization's files. Triggers on attachments update it.
create table storage_used (
  organization_id uuid primary key references organizations on delete cascade,
  bytes bigint not null
);

-- Requested erasures that are not complete. Kind 'workflow' erases the workflow histories of an erased conversation: a
-- worker searches for them until none is left. For a contact, `key` is the contact_id, which is deleted with this row.
create table erasures (
  id uuid primary key,
  organization_id uuid not null,
  kind text not null check (kind in ('conversation', 'contact', 'organization', 'workflow')),
  key text not null,
  requested_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null default clock_timestamp(),
  unique (organization_id, kind, key)
);
create index erasures_due on erasures (due_at);

-- ---------------------------------------------------------------------------------------------------------------
-- Workers
-- ---------------------------------------------------------------------------------------------------------------

-- A worker updates its row every 2 s, and sets `leaving` when it stops on purpose.
create table worker_processes (
  id uuid primary key,
  seen_at timestamptz not null default clock_timestamp(),
  leaving boolean not null default false
);
create index worker_processes_by_age on worker_processes (seen_at);

-- Attempts at work. A row is written when the attempt begins, and deleted when it ends or fails. If a row's worker is
-- lost (see lost_workers), it was lost during the attempt.
create table work_attempts (
  id uuid primary key,
  unit text not null,
  worker uuid not null,
  begun_at timestamptz not null default clock_timestamp()
);
create index work_attempts_of_unit on work_attempts (unit);
create index work_attempts_by_age on work_attempts (begun_at);
