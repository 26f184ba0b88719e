-- As accept_gateway_message, and puts the messages of a group into the order in which they were written.
-- p has also: written_at_ms (since 1970), answered_for (an interval; an older message starts no run).
create or replace function keep_gateway_message(p jsonb, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  v_written timestamptz := to_timestamp((p->>'written_at_ms')::double precision / 1000);
  v_result jsonb;
  v_message messages;
  v_ids uuid[];
  v_seqs integer[];
begin
  v_result := accept_gateway_message(p || jsonb_build_object('stale', p->>'kind' = 'message'
    and coalesce(p_now, clock_timestamp()) - v_written > (p->>'answered_for')::interval), p_now);
  if v_result->>'outcome' <> 'accepted' then return v_result; end if;
  update messages set written_at = v_written where id = (p->>'message_id')::uuid returning * into v_message;
  -- Under the conversation's lock: no run begins meanwhile. One that has begun was given its inputs.
  if not exists (select from messages m join runs r on r.id = m.run_id where m.conversation_id = v_message.conversation_id
      and m.run_ordinal = v_message.run_ordinal and m.role = 'user' and m.written_at > v_written
      and r.state in ('collecting', 'ready')) then
    return v_result;
  end if;
  select array_agg(id order by coalesce(written_at, created_at), seq), array_agg(seq order by seq) into v_ids, v_seqs
    from messages where conversation_id = v_message.conversation_id and run_ordinal = v_message.run_ordinal and role = 'user';
  -- In two steps: no two have one place, not even for a moment.
  update messages set seq = -seq where id = any(v_ids);
  update messages m set seq = given.seq from unnest(v_ids, v_seqs) as given(id, seq) where m.id = given.id;
  return v_result;
end $$;
