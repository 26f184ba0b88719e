-- Adds a contact's message without a run to usage_kept before the message is deleted, so that it still counts as usage.
-- Locks: the organization's row of usage_kept for the day (UTC) on which the message was created.
create or replace function keep_message_usage() returns trigger language plpgsql as $$
begin
  insert into usage_kept (organization_id, token_id, day, messages, runs, credits)
    values (old.organization_id, null, (old.created_at at time zone 'utc')::date, 1, 0, 0)
    on conflict (organization_id, day, token_id) do update set messages = usage_kept.messages + 1;
  return old;
end $$;
