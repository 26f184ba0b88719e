-- A trial is a separate test conversation that answers the messages of an earlier run again, with other instructions.
alter table conversations
  -- The conversation of the earlier run. Models read its messages from before that run.
  add column tries_conversation uuid references conversations on delete cascade,
  add column tries_run uuid,
  add column trial_instructions text; -- replaces the instructions of the agent with which the trial was started
create index conversations_of_trials on conversations (tries_conversation) where tries_conversation is not null;
