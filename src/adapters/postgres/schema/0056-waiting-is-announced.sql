-- True if the wait began because the agent handed the conversation over; false if it began with a message.
alter table conversations add column waiting_handed_over boolean not null default false;
