-- When the conversation was marked as done; null while it is open. What its contact writes opens it again, and so does an
-- agent that hands it over. done_by_name: the member who marked it; null if nothing had happened in it for 7 days (see
-- closeQuiet in ../conversations/inbox-state.ts).
alter table conversations add column done_at timestamptz, add column done_by_name text;
create index conversations_open on conversations (organization_id, updated_at desc, id desc) where done_at is null and not is_test;
create index conversations_open_of_assignee on conversations (organization_id, assignee_id, updated_at desc, id desc)
  where assignee_id is not null and done_at is null;
create index conversations_quiet on conversations (updated_at)
  where done_at is null and waiting_since is null and not is_test;
