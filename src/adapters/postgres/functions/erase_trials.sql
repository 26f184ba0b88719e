-- Erases at most 20 trials of a conversation: those of the runs p_runs, or of all runs if p_runs is null. The limit
-- keeps the statement within its timeout. Returns true if any such trials remain. Locks: the trials.
create or replace function erase_trials(p_conversation uuid, p_runs uuid[]) returns boolean language plpgsql as $$
declare
  v_trial uuid;
begin
  for v_trial in select id from conversations
      where tries_conversation = p_conversation and (p_runs is null or tries_run = any(p_runs)) order by id limit 20 loop
    perform erase_conversation(v_trial, gen_random_uuid());
  end loop;
  return exists (select from conversations
    where tries_conversation = p_conversation and (p_runs is null or tries_run = any(p_runs)));
end $$;
