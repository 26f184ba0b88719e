-- Tool calls that a person must approve before they are executed.
alter table agents
  add column tool_policies jsonb not null default '[]'; -- [{ tool, policy, unless?, expires_after_seconds?, on_expiry? }]
alter table agent_versions add column tool_policies jsonb not null default '[]';

-- `waiting`: no person has approved the call yet. Workers of earlier versions execute only calls that are pending.
alter table tool_calls drop constraint tool_calls_status_check;
alter table tool_calls add constraint tool_calls_status_check
  check (status in ('waiting', 'pending', 'attempting', 'succeeded', 'failed', 'unknown'));

create table approvals (
  id uuid primary key,
  organization_id uuid not null,
  conversation_id uuid not null references conversations on delete cascade,
  agent_id uuid not null,
  run_id uuid not null,
  step integer not null,
  position integer not null,
  tool text not null,
  arguments jsonb not null,     -- the arguments that the person who decides sees
  arguments_hash text not null, -- from approval_hash(); compared with the call that is executed
  -- A waiting approval becomes approved, refused or expired. An approved one becomes executed or unknown with its call,
  -- or refused before the call begins.
  status text not null default 'waiting' check (status in ('waiting', 'approved', 'refused', 'expired', 'executed', 'unknown')),
  on_expiry text not null check (on_expiry in ('refuse', 'approve')),
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  decided_by_kind text check (decided_by_kind in ('person', 'token', 'system')),
  decided_by text, -- name of the person or the token; null for the system
  note text,       -- the person's note, or the reason of the system's decision
  finished_at timestamptz, -- when the call ended, or when the approval was refused or expired
  foreign key (run_id, step, position) references tool_calls on delete cascade,
  unique (run_id, step, position)
);
create index approvals_open on approvals (conversation_id) where status in ('waiting', 'approved');
create index approvals_of_agent_open on approvals (agent_id) where status in ('waiting', 'approved');
create index approvals_of_conversation on approvals (organization_id, conversation_id, id);
create index approvals_of_agent on approvals (agent_id, organization_id, id);
create index approvals_of_agent_status on approvals (agent_id, status, organization_id, id);
create index approvals_of_status on approvals (status, organization_id, id);
create index approvals_of_organization on approvals (organization_id, id);

create trigger end_approval_of_call after update of status on tool_calls for each row
  when (old.status = 'attempting' and new.status in ('succeeded', 'failed', 'unknown'))
  execute function end_approval_of_call();
create trigger end_approvals_of_agent after update of active, deleted_at on agents for each row
  when ((old.active and old.deleted_at is null) and not (new.active and new.deleted_at is null))
  execute function end_approvals_of_agent();

-- A request for an approval is, like an error, a delivery that has a run but no message. The index must exclude
-- requests, because a run can have several.
drop index deliveries_error;
create unique index deliveries_error on deliveries (run_id)
  where message_id is null and resend_of is null and event = 'message.error';
alter table deliveries add column approval_id uuid references approvals on delete cascade; -- of an approval.requested
create index deliveries_of_approval on deliveries (approval_id) where approval_id is not null;
