-- People who decide on an agent's tool calls by replying to a WhatsApp message.
alter table agents add column approvers jsonb not null default '[]'; -- [{ name, phone }]
alter table agent_versions add column approvers jsonb not null default '[]';
-- Rehearsals are compared with versions field by field, and drafts are published as they are.
update rehearsals set content = content || '{"approvers": []}';
update agent_drafts set content = content || '{"approvers": []}';

alter table approvals
  add column code text,             -- that a reply on WhatsApp must contain; null without approvers
  add column decided_by_phone text; -- of the person who decided by a reply on WhatsApp

-- One row per approver of an approval: the message that asks this person. The row is claimed before the message is
-- sent. 'pending': the message was certainly not sent.
create table approval_messages (
  approval_id uuid not null references approvals on delete cascade,
  position integer not null, -- in the approvers of the agent's version
  name text not null,
  phone text not null,       -- + and digits, as the agent names it
  number text not null,      -- with which the number of a reply is compared
  status text not null default 'pending' check (status in ('pending', 'attempting', 'sent', 'unknown', 'failed')),
  tries integer not null default 0,
  agent_id uuid,             -- whose channel sends it; null before the claim
  shows_all boolean,         -- false: the arguments were cut, so a reply cannot approve
  attempted_at timestamptz,
  gateway_message_id text,
  error text,
  primary key (approval_id, position)
);
create index approval_messages_of_number on approval_messages (agent_id, number) where agent_id is not null;
create index approval_messages_sent on approval_messages (agent_id, gateway_message_id) where gateway_message_id is not null;

create index channels_of_organization on channels (organization_id) where state = 'connected';

-- `approval`: a reply about an approval, which is not a message of a conversation.
alter table gateway_events drop constraint gateway_events_outcome_check;
alter table gateway_events add constraint gateway_events_outcome_check
  check (outcome in ('accepted', 'stored', 'edited', 'takeover', 'approval', 'ignored'));
