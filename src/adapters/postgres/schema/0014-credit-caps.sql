-- Caps on credits that are never exceeded: see functions/reserve_credits.sql. Null: no cap.
-- { day, month, contact_day, contact_month, conversation_day, conversation_month }; a token has only day and month.
alter table organizations add column credit_caps jsonb;
alter table api_tokens add column credit_caps jsonb;
alter table agents
  add column credit_caps jsonb,
  add column cap_message text; -- what the agent answers if a cap allows no model call; null: the run fails

-- Credits of the calls that began in one day or month (UTC), of one organization, token, agent, contact or
-- conversation.
create table credit_windows (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations on delete cascade,
  scope text not null check (scope in ('organization', 'token', 'agent', 'contact', 'conversation')),
  subject uuid not null,
  period text not null check (period in ('day', 'month')),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  max_credits numeric not null,                -- the cap at the newest reservation, or at the first refusal
  settled numeric(20, 6) not null default 0,   -- credits of the calls that have ended
  reserved numeric(20, 6) not null default 0,  -- the maximum cost of the calls in progress
  warned_at timestamptz,                       -- when the audit event at 80 % was written
  reached_at timestamptz,                      -- when the audit event at the first refusal was written
  unique (organization_id, scope, subject, period, starts_at)
);
create index credit_windows_by_end on credit_windows (ends_at);

-- Calls in progress to which caps apply. Each must end by expires_at. If its worker has not settled the row by then,
-- expire_credits counts the reservation in full, because the cost of the call is unknown.
create table credit_reservations (
  id uuid primary key,
  organization_id uuid not null,
  windows uuid[] not null,
  credits numeric(20, 6) not null,
  expires_at timestamptz not null
);
create index credit_reservations_by_expiry on credit_reservations (expires_at);

-- The error code of a failed run, or of the last failed model call: credit_cap_reached. Null: any other error.
alter table runs add column error_code text;
alter table model_failures add column code text;

-- A cap that applies to a call. starts_at: the beginning of the cap's current day or month.
create type credit_cap as (scope text, subject uuid, period text, starts_at timestamptz, max_credits numeric);
