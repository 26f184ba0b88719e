-- People who decide on an agent's tool calls by replying to a WhatsApp message.
alter table agents add column approvers jsonb not null default '[]'; -- [{ name, phone }]
alter table agent_versions add column approvers jsonb not null default '[]';
-- Existing rehearsals and drafts get the new field, because rehearsals are compared with versions field by field, and
-- the content of a draft is published unchanged.
update rehearsals set content = content || '{"approvers": []}';
update agent_drafts set content = content || '{"approvers": []}';

alter table approvals
  add column code text,             -- identifies the approval in a reply on WhatsApp; null if nobody is asked there
  add column decided_by_phone text; -- phone of the person who decided by a reply on WhatsApp; null: decided otherwise

-- One row per approver of an approval: the message that asks this person. The row is claimed before the message is
-- sent. Status `pending`: the message was certainly not sent.
create table approval_messages (
  approval_id uuid not null references approvals on delete cascade,
  position integer not null, -- place of the person among the approvers of the agent's version
  name text not null,
  phone text not null,       -- + and digits, as in agents.approvers
  number text not null,      -- the phone in the form in which it is compared with the sender of a reply
  status text not null default 'pending' check (status in ('pending', 'attempting', 'sent', 'unknown', 'failed')),
  tries integer not null default 0,
  agent_id uuid,             -- the agent whose channel sends the message; null before the claim
  shows_all boolean,         -- false: the arguments were cut, so a reply cannot approve
  attempted_at timestamptz,
  gateway_message_id text,
  error text,
  primary key (approval_id, position)
);
create index approval_messages_of_number on approval_messages (agent_id, number) where agent_id is not null;
create index approval_messages_sent on approval_messages (agent_id, gateway_message_id) where gateway_message_id is not null;

create index channels_of_organization on channels (organization_id) where state = 'connected';

-- `approval`: an approver's reply, which is not stored as a message of a conversation.
alter table gateway_events drop constraint gateway_events_outcome_check;
alter table gateway_events add constraint gateway_events_outcome_check
  check (outcome in ('accepted', 'stored', 'edited', 'takeover', 'approval', 'ignored'));
