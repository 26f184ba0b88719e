-- True: a new version of the agent is refused unless a rehearsal of exactly its content has passed.
alter table agents add column requires_rehearsal boolean not null default false;
