alter table agents
  add column connections uuid[]; -- workspaces that the agent's tools use; null: the organization's only workspace

alter table channels
  -- Hash of the secret before the last renewal. That secret is accepted until previous_webhook_until.
  add column previous_webhook_hash bytea,
  add column previous_webhook_until timestamptz;

alter table conversations
  add column begun_by uuid, -- the token or member whose call began the conversation; null: none, or unknown
  -- The activity attempt that answers this conversation's inputs one after another, as `worker/attempt` (two UUIDs).
  -- Its worker is notified of inputs instead of the workflow. served_by and served_until are not indexed, so that their
  -- updates stay cheap.
  add column served_by text,
  add column served_until timestamptz; -- after this time, served_by has no effect: its worker may have died

create index runs_due on runs (organization_id, closes_at) where state in ('collecting', 'ready');

alter type accepted_input
  add attribute served_by text; -- the attempt whose worker is notified of the input instead of the workflow; null: none

alter table messages
  add column edits jsonb; -- earlier texts (see keep_edit); null: never edited

alter table model_failures
  add column model text; -- provider/name, as the agent or the organization chose it; null: the installation's default

alter table deliveries
  -- Host and port of the URL, without credentials. Queries find and count deliveries by host.
  add column host text generated always as (lower(substring(url from '^[a-zA-Z]+://(?:[^/?#]*@)?([^/?#@]+)'))) stored;
create index deliveries_by_host on deliveries (organization_id, host, id) where host is not null;
create index deliveries_not_delivered_by_agent on deliveries (of_agent_id, organization_id, status, id) where status <> 'delivered';

alter table gateway_sends
  add column failures integer not null default 0; -- attempts that the gateway failed or postponed, or did not receive

-- The actor of the audit event, which is written when the execution ends. Earlier versions of Parley did not store it.
alter table tool_executions
  add column requested_by jsonb not null default '{"kind": "system", "name": "an earlier version"}';
alter table tool_executions alter column requested_by drop default;

alter table audit_log
  alter column at type timestamptz(3), -- in milliseconds, because the API returns milliseconds and the hash covers them
  -- The entry's place in its organization's hash chain, and its hash. Null until a worker seals the entry.
  add column position bigint,
  add column hash bytea,
  add check ((position is null) = (hash is null));
create unique index audit_log_positions on audit_log (organization_id, position) where position is not null;
create index audit_log_unsealed on audit_log (organization_id, id) where position is null;

-- The end of each organization's hash chain, and the last entry that retention has deleted. There is no foreign key,
-- because the entries outlive their organization.
create table audit_chains (
  organization_id uuid primary key,
  position bigint not null default 0,
  hash bytea not null default decode(repeat('00', 32), 'hex'),
  deleted_to bigint not null default 0,
  deleted_hash bytea not null default decode(repeat('00', 32), 'hex'),
  retention_days integer default 365 check (retention_days between 30 and 36500) -- null: kept forever
);

-- Attempts to sign in per account, per address, and per account at an address. Each key is an HMAC, so that the table
-- contains no email and no address.
create table sign_in_counters (
  key bytea primary key,
  attempts integer not null default 0,
  attempted_at timestamptz not null default clock_timestamp(),
  next_at timestamptz not null default clock_timestamp(), -- attempts before this time are refused
  -- Set by a successful sign-in. In the row of an account at an address: until this time, only attempts under this key
  -- can delay a sign-in with the account's password at this address. In other rows it has no effect.
  known_until timestamptz,
  expires_at timestamptz not null default clock_timestamp()
);
create index sign_in_counters_by_expiry on sign_in_counters (expires_at);
