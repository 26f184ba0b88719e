-- Counts an agent's reply toward the daily limit of its channel (UTC). Replies of human agents do not count.
-- Locks: the channel's row of channel_answers for this day.
create or replace function count_channel_answer() returns trigger language plpgsql as $$
begin
  insert into channel_answers (agent_id, day, answers)
    select c.target_id, (clock_timestamp() at time zone 'utc')::date, 1
      from conversations c join messages m on m.id = new.message_id
      where c.id = new.conversation_id and m.origin = 'agent' and exists (select from channels h where h.agent_id = c.target_id)
    on conflict (agent_id, day) do update set answers = channel_answers.answers + 1;
  return new;
end $$;
