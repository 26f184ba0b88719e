-- When a caller last had the gateway checked, so that callers together cause at most one check within a few seconds.
alter table channels add column looked_at timestamptz;
-- True if the check may move the number from other agents to this one.
alter table channel_checks add column take_over boolean not null default false;

-- One row per test message ("hello") of a channel. The row is written before the message is sent, and the message is
-- never sent again. 'attempting': it is being sent, or its process ended before the outcome was recorded.
create table channel_hellos (
  id uuid primary key,                -- also the first part of the track id at the gateway
  agent_id uuid not null references channels on delete cascade,
  request_id uuid not null,           -- the caller's; a call that repeats it sends nothing
  number text not null,               -- digits
  compared text not null,             -- with which the number of a reply is compared
  status text not null default 'attempting' check (status in ('attempting', 'sent', 'unknown', 'failed')),
  problem jsonb,                      -- { code, message }
  gateway_message_id text,
  attempted_at timestamptz not null default clock_timestamp(),
  asks integer not null default 0,    -- how often the gateway was asked for the message's state
  asked_at timestamptz,
  arrived_at timestamptz,
  arrived_by text check (arrived_by in ('event', 'reply', 'gateway')),
  unique (agent_id, request_id)
);
create index channel_hellos_by_age on channel_hellos (attempted_at);
