-- Ends the serving of a conversation by the activity attempt p_by. If p_by is null, ends the serving by any attempt,
-- and notifies that attempt's worker. Afterwards, new inputs nudge the workflow. Idempotent. Locks: the conversation.
-- Returns when the conversation's earliest unclaimed work is due, because the workflow may not have been nudged for it:
-- when the earliest open group closes, or now if a delivery is pending, such as a human agent's message. Returns null
-- if there is no such work.
create or replace function end_serving(p_conversation uuid, p_by text, p_now timestamptz default null) returns timestamptz
language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_by text;
begin
  select served_by into v_by from conversations where id = p_conversation for no key update;
  if v_by is not null and coalesce(p_by, v_by) = v_by then
    update conversations set served_by = null, served_until = null where id = p_conversation;
  end if;
  if p_by is null and v_by is not null then
    perform pg_notify('warm_' || replace(split_part(v_by, '/', 1), '-', ''), p_conversation::text);
  end if;
  return (select min(due) from (
    select closes_at as due from runs where conversation_id = p_conversation and state in ('collecting', 'ready')
    union all select v_now from deliveries where conversation_id = p_conversation and status = 'pending') waiting);
end $$;
