-- The follow-up that is due after the conversation's last run, or null. Locks nothing.
-- A workflow that missed the end of that run (its worker died, an operator reset it) plans its follow-up from here.
create or replace function silence(p_conversation uuid) returns jsonb language sql stable as $$
  select jsonb_build_object('of', coalesce(last.follow_up_of, last.id), 'attempt', coalesce(last.follow_up_attempt, 0) + 1,
      'since', ceil(extract(epoch from last.finished_at) * 1000), 'after', follow_ups_after(last))
    from runs last
    where last.conversation_id = p_conversation and last.state = 'answered'
      and last.ordinal = (select max(ordinal) from runs where conversation_id = p_conversation) and jsonb_array_length(follow_ups_after(last)) > coalesce(last.follow_up_attempt, 0)
$$;
