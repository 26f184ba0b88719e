-- Pauses the agent in all conversations of a contact until p_until; never shortens a pause. Runs that have not begun
-- get the state handed_over, so that a human agent answers their inputs; sync runs are not affected. Refuses the open
-- approvals of these conversations, unless their calls have begun.
-- p_by: see conversations.paused_by. Locks: all conversations of the contact, then their open approvals (see
-- end_approvals).
create or replace function pause_conversation(p_conversation uuid, p_until timestamptz, p_by text, p_now timestamptz, p_by_name text default null)
returns void language plpgsql as $$
declare
  v_all uuid[];
begin
  v_all := conversations_of_same_contact(p_conversation);
  update conversations set paused_until = greatest(p_until, case when paused_until > p_now then paused_until end), paused_by = p_by,
    paused_by_name = p_by_name, updated_at = p_now where id = any(v_all);
  with handed_over as (
    update runs set state = 'handed_over', finished_at = p_now
      where conversation_id = any(v_all) and state in ('collecting', 'ready') and mode <> 'sync' returning conversation_id
  ) update conversations set waiting_since = coalesce(waiting_since, p_now),
        waiting_handed_over = waiting_handed_over and waiting_since is not null, done_at = null, done_by_name = null
      where id in (select conversation_id from handed_over);
  perform end_approvals(v_all, 'taken_over', p_now);
end $$;
