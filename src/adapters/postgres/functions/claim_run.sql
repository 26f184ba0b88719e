-- Claims the next run of a conversation. p_flush: true if the open group does not wait for its window.
-- Locks: the conversation. Returns next:
--   gone      the conversation is erased
--   idle      no run is open; last: outcome of the last run if it was answered; follow_up_of and attempt of the last run
--             if it was a follow-up; none of them if a message without a run has come since
--   waiting   wake_at, wait_ms: when to claim again; the group is still open, or deliveries come first
--   run       run, as run_view returns it
--   or, only if p_repeated, the outcome as run_outcome returns it of a run that an earlier attempt of the activity
--   p_claimant has ended
-- idle and waiting have deliveries, if there are any: ids and kinds of those that are sent before the next run, so that
-- messages keep their order: messages of a human agent, and what an interrupted workflow left behind. At most 20 at once.
create or replace function claim_run(p_conversation uuid, p_prices jsonb, p_claimant text, p_repeated boolean, p_flush boolean,
                          p_now timestamptz) returns jsonb language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_conversation conversations;
  v_run runs;
  v_deliveries jsonb;
begin
  select * into v_conversation from conversations where id = p_conversation for no key update;
  if not found then return jsonb_build_object('next', 'gone'); end if;
  if p_repeated then
    select * into v_run from runs where conversation_id = p_conversation and claimed_by = p_claimant
      and state in ('answered', 'failed') order by ordinal desc limit 1;
    if found then return run_outcome(v_run.id, null); end if;
  end if;
  select jsonb_agg(jsonb_build_object('id', due.id, 'kind', due.kind) order by due.id) into v_deliveries
    from (select id, kind from deliveries where conversation_id = p_conversation and status in ('pending', 'attempting')
            order by id limit 20) due;
  select * into v_run from runs where conversation_id = p_conversation and state in ('collecting', 'ready', 'running')
    order by ordinal limit 1;
  if not found and coalesce(jsonb_array_length(v_deliveries), 0) < 20 then
    -- A workflow that missed the end of the last run (its worker died, an operator reset it) plans the follow-up from
    -- this outcome.
    select * into v_run from runs where conversation_id = p_conversation order by ordinal desc limit 1;
    if exists (select from messages where conversation_id = p_conversation and run_id is null and run_ordinal > v_run.ordinal) then
      v_run := null;
    end if;
    return jsonb_strip_nulls(jsonb_build_object('next', 'idle', 'deliveries', v_deliveries,
      'follow_up_of', v_run.follow_up_of, 'attempt', v_run.follow_up_attempt,
      'last', case when v_run.state = 'answered' then run_outcome(v_run.id, null) end));
  end if;
  if v_deliveries is not null or (v_run.state = 'collecting' and v_now < v_run.closes_at and not p_flush) then
    return jsonb_strip_nulls(jsonb_build_object('next', 'waiting', 'deliveries', v_deliveries,
      'wake_at', ceil(extract(epoch from coalesce(v_run.closes_at, v_now)) * 1000),
      'wait_ms', ceil(extract(epoch from coalesce(v_run.closes_at, v_now) - v_now) * 1000)));
  end if;
  if v_run.state <> 'running' then
    update runs set state = 'running', claimed_at = v_now, agent_id = v_conversation.agent_id, prices = p_prices,
        claimed_by = p_claimant
      where id = v_run.id;
  end if;
  return jsonb_build_object('next', 'run', 'run', run_view(v_run.id));
end $$;
