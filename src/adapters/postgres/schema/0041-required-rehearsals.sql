-- True: a new version of the agent needs a passed rehearsal of exactly its content.
alter table agents add column requires_rehearsal boolean not null default false;
