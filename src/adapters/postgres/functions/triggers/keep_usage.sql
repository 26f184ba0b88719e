-- Adds the usage of a run to usage_kept before the run is deleted. Does not count a run that has no inputs and has not
-- ended. Locks: the row of usage_kept for the organization, the run's token, and the day (UTC) on which the run ended
-- or, if it has not ended, was opened.
create or replace function keep_usage() returns trigger language plpgsql as $$
begin
  if old.finished_at is null and old.message_count = 0 then return old; end if;
  insert into usage_kept (organization_id, token_id, day, messages, runs, credits)
    select old.organization_id,
           (select token_id from run_tokens where run_id = old.id),
           (coalesce(old.finished_at, old.opened_at) at time zone 'utc')::date, old.message_count, 1,
           coalesce((select sum(credits) from run_steps where run_id = old.id), 0)
    on conflict (organization_id, day, token_id) do update set messages = usage_kept.messages + excluded.messages,
      runs = usage_kept.runs + 1, credits = usage_kept.credits + excluded.credits;
  return old;
end $$;
