-- Claims the next run of a conversation. p_flush: true to claim the open group before its window ends.
-- p_claimant: id of the activity that claims. p_repeated: true if an earlier attempt of it may have claimed a run.
-- p_serve: null, or { by, warm_ms, lingering }, where `by` is the activity attempt (see conversations.served_by).
--   lingering: true if the attempt has answered a run and waits for the next input. Such an attempt claims only if it
--   still serves the conversation.
--   Any other claim first ends the serving by an earlier attempt. If p_serve is given, attempt `by` then serves the
--   conversation if the run was opened before the previous run's answer, or less than warm_ms milliseconds after it.
-- Locks: the conversation. Returns next:
--   gone        the conversation is erased
--   idle        every run has ended; last: outcome of the last run if it was answered; follow_up_of and attempt of the
--               last run if it was a follow-up. These three are absent if a message without a run is newer
--   waiting     the group is still open, or deliveries come first; wake_at (epoch ms): when to claim again; wait_ms:
--              the milliseconds until then
--   superseded  only if lingering is true: another attempt serves the conversation, or none does
--   run         run, as run_view returns it; served: true if p_serve.by serves the conversation
-- If p_repeated is true, and p_claimant has claimed a run that was answered or has failed, returns the outcome of the
-- last such run as run_outcome does, unless another run is in progress.
-- idle and waiting also return `deliveries`, if there are any: the ids and kinds of at most 20 unfinished deliveries.
-- These are messages of human agents, resent callbacks, and deliveries that an interrupted workflow left behind. The
-- workflow sends them before it claims again, so that messages keep their order. If there are 20, next is waiting even
-- if every run has ended, because there may be more deliveries.
create or replace function claim_run(p_conversation uuid, p_prices jsonb, p_claimant text, p_repeated boolean, p_flush boolean,
                          p_now timestamptz, p_serve jsonb default null) returns jsonb language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_conversation conversations;
  v_run runs;
  v_deliveries jsonb;
  v_lingers boolean := coalesce((p_serve->>'lingering')::boolean, false);
  v_serves boolean := v_lingers;
begin
  select * into v_conversation from conversations where id = p_conversation for no key update;
  if not found then return jsonb_build_object('next', 'gone'); end if;
  if v_lingers and v_conversation.served_by is distinct from p_serve->>'by' then
    return jsonb_build_object('next', 'superseded');
  elsif not v_lingers and v_conversation.served_by is not null then
    update conversations set served_by = null, served_until = null where id = p_conversation;
  end if;
  if p_repeated then
    select * into v_run from runs where conversation_id = p_conversation and claimed_by = p_claimant
      and state in ('answered', 'failed') order by ordinal desc limit 1;
    -- If the earlier attempt has claimed another run after this one, this attempt continues that run below.
    if found and not exists (select from runs where conversation_id = p_conversation and state = 'running') then
      return run_outcome(v_run.id, null);
    end if;
  end if;
  select jsonb_agg(jsonb_build_object('id', due.id, 'kind', due.kind) order by due.id) into v_deliveries
    from (select id, kind from deliveries where conversation_id = p_conversation and status in ('pending', 'attempting')
            order by id limit 20) due;
  select * into v_run from runs where conversation_id = p_conversation and state in ('collecting', 'ready', 'running')
    order by ordinal limit 1;
  if not found and coalesce(jsonb_array_length(v_deliveries), 0) < 20 then
    -- From this outcome, a workflow that missed the end of the last run plans the follow-up. It misses the end if its
    -- worker dies or an operator resets it.
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
  if not v_lingers and p_serve is not null then
    v_serves := exists (select from runs where conversation_id = p_conversation and ordinal = v_run.ordinal - 1
      and state = 'answered' and v_run.opened_at < finished_at + (p_serve->>'warm_ms')::double precision * interval '1 ms');
    if v_serves then
      update conversations set served_by = p_serve->>'by', served_until = v_now + interval '15 minutes'
        where id = p_conversation;
    end if;
  end if;
  if v_run.state <> 'running' then
    update runs set state = 'running', claimed_at = v_now, agent_id = v_conversation.agent_id,
        agent_version = (select version_to_run(v_conversation, a) from agents a where a.id = v_conversation.agent_id),
        prices = p_prices, claimed_by = p_claimant
      where id = v_run.id;
  end if;
  return jsonb_build_object('next', 'run', 'run', run_view(v_run.id), 'served', v_serves);
end $$;
