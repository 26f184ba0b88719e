-- Stores when a message was written, and sorts its group by the times at which the contact wrote the messages, because
-- the gateway may send them in another order. Does not sort the inputs of a run that has begun, because the run has
-- read them. Locks: the messages; the caller holds the conversation's lock.
create or replace function sort_group_as_written(p_message uuid, p_written timestamptz) returns void language plpgsql as $$
declare
  v_message messages;
  v_ids uuid[];
  v_seqs integer[];
begin
  update messages set written_at = p_written where id = p_message returning * into v_message;
  if not exists (select from messages m join runs r on r.id = m.run_id where m.conversation_id = v_message.conversation_id
      and m.run_ordinal = v_message.run_ordinal and m.origin = 'user' and m.written_at > p_written
      and r.state in ('collecting', 'ready')) then
    return;
  end if;
  select array_agg(id order by coalesce(written_at, created_at), seq), array_agg(seq order by seq) into v_ids, v_seqs
    from messages where conversation_id = v_message.conversation_id and run_ordinal = v_message.run_ordinal and origin = 'user';
  -- Uses two statements, because Postgres checks after each row that seq is unique.
  update messages set seq = -seq where id = any(v_ids);
  update messages m set seq = given.seq from unnest(v_ids, v_seqs) as given(id, seq) where m.id = given.id;
end $$;
