-- True if the wait began because the agent handed the conversation over; false if it began with a message.
alter table conversations add column waiting_handed_over boolean not null default false;

-- Whether the member gets an email when a conversation begins to wait for a person.
alter table console_members add column mails_waiting boolean not null default false;
create index console_members_mailed on console_members (organization_id) where mails_waiting;

-- Conversations that began to wait, until an API process takes the row and sends the emails.
create table waiting_mails (
  conversation_id uuid primary key references conversations on delete cascade,
  organization_id uuid not null,
  created_at timestamptz not null default clock_timestamp()
);
create index waiting_mails_of_organization on waiting_mails (organization_id, created_at);

-- Counts an agent's pending alerts, and finds all pending ones.
create index deliveries_pending_alerts_of_agent on deliveries (agent_id, created_at) where kind = 'alert' and status = 'pending';
drop index deliveries_pending_alerts;

create trigger announce_wait after update of waiting_since on conversations for each row
  when (old.waiting_since is null and new.waiting_since is not null and not new.is_test) execute function announce_wait();
