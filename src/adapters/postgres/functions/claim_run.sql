-- Claims the next run of a conversation. p_flush: true if the open group does not wait for its window.
-- Locks: the conversation. Returns kind:
--   ended     outcome; only if p_repeated: an earlier attempt of the activity p_claimant has ended the run
--   gone      the conversation is erased
--   deliver   delivery_id; an open delivery is sent before the next run, so that messages keep their order: a human
--             agent's message, or a callback of an interrupted workflow
--   idle      no run is open; outcome of the last run if it was answered; follow_up_of and attempt of the last run if
--             it was a follow-up
--   waiting   wake_at, wait_ms; the group is still open
--   run       run, as run_view returns it
create or replace function claim_run(p_conversation uuid, p_prices jsonb, p_claimant text, p_repeated boolean, p_flush boolean,
                          p_now timestamptz) returns jsonb language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_conversation conversations;
  v_run runs;
  v_delivery uuid;
begin
  select * into v_conversation from conversations where id = p_conversation for no key update;
  if not found then return jsonb_build_object('kind', 'gone'); end if;
  if p_repeated then
    select * into v_run from runs where conversation_id = p_conversation and claimed_by = p_claimant
      and state in ('answered', 'failed') order by ordinal desc limit 1;
    if found then return jsonb_build_object('kind', 'ended', 'outcome', run_outcome(v_run.id, null)); end if;
  end if;
  select id into v_delivery from deliveries where conversation_id = p_conversation and status in ('pending', 'attempting')
    order by id limit 1;
  if found then return jsonb_build_object('kind', 'deliver', 'delivery_id', v_delivery); end if;
  select * into v_run from runs where conversation_id = p_conversation and state in ('collecting', 'ready', 'running')
    order by ordinal limit 1;
  if not found then
    -- A workflow that missed the end of the last run (its worker died, an operator reset it) plans the follow-up from
    -- this outcome.
    select * into v_run from runs where conversation_id = p_conversation order by ordinal desc limit 1;
    return jsonb_strip_nulls(jsonb_build_object('kind', 'idle', 'follow_up_of', v_run.follow_up_of, 'attempt', v_run.follow_up_attempt,
      'outcome', case when v_run.state = 'answered' then run_outcome(v_run.id, null) end));
  end if;
  if v_run.state = 'collecting' and v_now < v_run.closes_at and not p_flush then
    return jsonb_build_object('kind', 'waiting', 'wake_at', ceil(extract(epoch from v_run.closes_at) * 1000),
      'wait_ms', ceil(extract(epoch from v_run.closes_at - v_now) * 1000));
  end if;
  if v_run.state <> 'running' then
    update runs set state = 'running', claimed_at = v_now, agent_id = v_conversation.agent_id, prices = p_prices,
        claimed_by = p_claimant
      where id = v_run.id;
  end if;
  return jsonb_build_object('kind', 'run', 'run', run_view(v_run.id));
end $$;
