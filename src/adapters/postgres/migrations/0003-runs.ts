/** Claiming, stepping and ending a run: one statement each, repeatable, under the conversation's row lock. */
export const up = `
-- What a model call needs of a run, in one round trip. Inputs are in the order of acceptance.
create function run_view(p_run uuid) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'id', r.id, 'conversation_id', r.conversation_id, 'organization_id', r.organization_id, 'ordinal', r.ordinal,
    'mode', r.mode, 'state', r.state, 'transfers', r.transfers, 'follow_up_attempt', r.follow_up_attempt,
    'channel', c.channel, 'prices', r.prices,
    'steps', (select count(*) from run_steps s where s.run_id = r.id),
    'agent', jsonb_build_object('id', a.id, 'name', a.name, 'instructions', a.instructions, 'model', a.model,
      'script', a.script, 'transfers_to', to_jsonb(a.transfers_to), 'tools', to_jsonb(a.tools), 'follow_ups', a.follow_ups),
    'inputs', coalesce((select jsonb_agg(case when q.id is null then m.text
        else '[In reply to: ' || left(q.text, 300) || ']' || chr(10) || m.text end order by m.seq)
      from messages m left join messages q on q.id = m.quotes
      where m.conversation_id = r.conversation_id and m.run_ordinal = r.ordinal and m.role = 'user'), '[]'),
    'unfetched', coalesce((select jsonb_agg(f.id) from messages m join attachments f on f.message_id = m.id
      where m.conversation_id = r.conversation_id and m.run_ordinal = r.ordinal
        and f.url is not null and f.content is null and f.error is null), '[]'))
  from runs r join conversations c on c.id = r.conversation_id join agents a on a.id = r.agent_id
  where r.id = p_run
$$;

-- When the workflow must look again: the earliest group that waits for its run.
create function next_wake(p_conversation uuid) returns timestamptz language sql stable as $$
  select min(closes_at) from runs where conversation_id = p_conversation and state in ('collecting', 'ready')
$$;

-- Seconds of silence before each follow-up of an answered run; null where no agent message is there to follow up.
create function follow_ups_after(p_run runs) returns jsonb language sql stable as $$
  select jsonb_agg(f->'after_seconds') from agents a, jsonb_array_elements(a.follow_ups) f
    where a.id = p_run.agent_id and exists (select from run_steps s where s.run_id = p_run.id and s.message_id is not null)
$$;

-- The outcome of a recorded step, as the workflow reads it: ids and numbers only.
create function step_outcome(p_run uuid, p_step integer) returns jsonb language sql stable as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'next', s.kind, 'runId', s.run_id, 'step', s.step, 'deliveryId', s.delivery_id,
    'calls', case when s.kind = 'tools' then (
      select coalesce(jsonb_agg(jsonb_build_object('position', t.position,
          -- A name that the model made up is its text, and texts stay here.
          'name', case when t.name = any(a.tools) then t.name else 'a tool that the agent does not have' end) order by t.position), '[]')
        from tool_calls t where t.run_id = s.run_id and t.step = s.step and t.status in ('pending', 'attempting')) end,
    'wakeAt', case when s.kind = 'answer' then ceil(extract(epoch from next_wake(r.conversation_id)) * 1000) end,
    'followUps', f.after, 'answeredAt', case when f.after is not null then ceil(extract(epoch from r.finished_at) * 1000) end))
  from run_steps s join runs r on r.id = s.run_id join agents a on a.id = s.agent_id,
    lateral (select case when s.kind = 'answer' then follow_ups_after(r) end as after) f
  where s.run_id = p_run and s.step = p_step
$$;

-- The outcome of a run that has ended.
create function ended_outcome(p_run runs) returns jsonb language sql stable as $$
  select case p_run.state
    when 'answered' then step_outcome(p_run.id, (select max(step) from run_steps where run_id = p_run.id))
    else jsonb_strip_nulls(jsonb_build_object('next', 'failed', 'runId', p_run.id,
      'deliveryId', (select id from deliveries where run_id = p_run.id and message_id is null),
      'wakeAt', ceil(extract(epoch from next_wake(p_run.conversation_id)) * 1000))) end
$$;

-- What silence leads to after the conversation's last run. A workflow that missed the end of that run (its worker
-- died, an operator reset it) plans its follow-up from here.
create function silence(p_conversation uuid) returns jsonb language sql stable as $$
  select jsonb_build_object('of', coalesce(last.follow_up_of, last.id), 'attempt', coalesce(last.follow_up_attempt, 0) + 1,
      'since', ceil(extract(epoch from last.finished_at) * 1000), 'after', follow_ups_after(last))
    from runs last
    where last.conversation_id = p_conversation and last.state = 'answered'
      and last.ordinal = (select max(ordinal) from runs where conversation_id = p_conversation) and jsonb_array_length(follow_ups_after(last)) > coalesce(last.follow_up_attempt, 0)
$$;

-- kind: ended (outcome; a repeat of the same claimant) | gone | idle (silence?) | waiting (wake_at, wait_ms)
--   | deliver (delivery_id) | run (run)
-- p_flush: the open group does not wait for its window.
create function claim_run(p_conversation uuid, p_prices jsonb, p_claimant text, p_repeated boolean, p_flush boolean,
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
    if found then return jsonb_build_object('kind', 'ended', 'outcome', ended_outcome(v_run)); end if;
  end if;
  -- A callback that an interrupted workflow left behind comes to its end first: callbacks keep the order of messages.
  select id into v_delivery from deliveries where conversation_id = p_conversation and status in ('pending', 'attempting')
    order by id limit 1;
  if found then return jsonb_build_object('kind', 'deliver', 'delivery_id', v_delivery); end if;
  select * into v_run from runs where conversation_id = p_conversation and state in ('collecting', 'ready', 'running')
    order by ordinal limit 1;
  if not found then
    return jsonb_strip_nulls(jsonb_build_object('kind', 'idle', 'silence', silence(p_conversation)));
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

-- kind: ended (outcome; it has been run) | gone | superseded | run (run)
create function claim_follow_up(p_conversation uuid, p_of uuid, p_attempt integer, p_run uuid, p_prices jsonb, p_now timestamptz)
returns jsonb language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_conversation conversations;
  v_of runs;
  v_run runs;
begin
  select * into v_conversation from conversations where id = p_conversation for no key update;
  if not found then return jsonb_build_object('kind', 'gone'); end if;
  select * into v_run from runs where follow_up_of = p_of and follow_up_attempt = p_attempt;
  if found then
    if v_run.state = 'running' then return jsonb_build_object('kind', 'run', 'run', run_view(v_run.id)); end if;
    return jsonb_build_object('kind', 'ended', 'outcome', ended_outcome(v_run));
  end if;
  select * into v_of from runs where id = p_of and conversation_id = p_conversation;
  if not found or v_of.state <> 'answered' or v_conversation.paused_until > v_now
     or exists (select from runs where conversation_id = p_conversation and ordinal > v_of.ordinal
                and (mode <> 'follow_up' or state = 'failed'))
     or not exists (select from agents a where a.id = v_conversation.agent_id and a.active and a.deleted_at is null
                    and jsonb_array_length(a.follow_ups) >= p_attempt) then
    return jsonb_build_object('kind', 'superseded');
  end if;
  insert into runs (id, organization_id, conversation_id, ordinal, mode, state, opened_at, closes_at, cap_at, claimed_at,
                    agent_id, follow_up_of, follow_up_attempt, prices)
    values (p_run, v_conversation.organization_id, p_conversation, v_conversation.last_ordinal + 1, 'follow_up', 'running',
            v_now, v_now, v_now, v_now, v_conversation.agent_id, p_of, p_attempt, p_prices);
  update conversations set last_ordinal = last_ordinal + 1 where id = p_conversation;
  return jsonb_build_object('kind', 'run', 'run', run_view(p_run));
end $$;

-- Where the callback of a run goes: the last URL of its group; a follow-up's is the conversation's stored one.
create function run_webhook(p_run runs) returns text language sql stable as $$
  select case p_run.mode
    when 'sync' then null
    when 'follow_up' then (select webhook_url from conversations where id = p_run.conversation_id)
    else (select m.webhook_url from messages m where m.conversation_id = p_run.conversation_id
            and m.run_ordinal = p_run.ordinal and m.webhook_url is not null order by m.seq desc limit 1) end
$$;

create function end_run(p_run runs, p_state text, p_error text, p_now timestamptz) returns void language plpgsql as $$
begin
  update runs set state = p_state, finished_at = p_now, error = p_error where id = p_run.id;
  if p_run.mode = 'sync' then perform pg_notify('run_ended', p_run.id::text); end if;
end $$;

-- p_step: { run_id, step, kind, text, model, input_tokens, output_tokens, credits, message_id, delivery_id, transfer_to?,
--   message_credits, calls: [{ call_id, name, input, result? }] }. The first writer of a step wins.
create function record_step(p_step jsonb, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_run runs;
  v_agent agents;
  v_kind text := p_step->>'kind';
  v_number integer := (p_step->>'step')::integer;
  v_message uuid;
  v_delivery uuid;
  v_url text;
  v_seq integer;
begin
  -- The conversation before its run, as every other function locks them.
  perform from conversations where id = (p_step->>'conversation_id')::uuid for no key update;
  select * into v_run from runs where id = (p_step->>'run_id')::uuid;
  if not found then return jsonb_build_object('next', 'gone'); end if;
  if exists (select from run_steps where run_id = v_run.id and step = v_number) then return step_outcome(v_run.id, v_number); end if;
  if v_run.state <> 'running' then return jsonb_build_object('next', 'gone'); end if;
  select * into v_agent from agents where id = v_run.agent_id;

  if v_kind in ('answer', 'transfer') and p_step->>'text' <> '' then
    v_message := (p_step->>'message_id')::uuid;
    update conversations set last_seq = last_seq + 1, updated_at = v_now where id = v_run.conversation_id
      returning last_seq into v_seq;
    insert into messages (id, organization_id, conversation_id, run_id, run_ordinal, seq, role, text, agent_id, agent_name,
                          model, credits_used, pre_transfer, created_at)
      values (v_message, v_run.organization_id, v_run.conversation_id, v_run.id, v_run.ordinal, v_seq, 'agent',
              p_step->>'text', v_agent.id, v_agent.name, p_step->>'model', (p_step->>'message_credits')::double precision,
              v_kind = 'transfer', v_now);
    v_url := run_webhook(v_run);
    if v_url is not null then
      v_delivery := (p_step->>'delivery_id')::uuid;
      insert into deliveries (id, organization_id, conversation_id, run_id, message_id, event, url, created_at)
        values (v_delivery, v_run.organization_id, v_run.conversation_id, v_run.id, v_message, 'message.completed', v_url, v_now);
    end if;
  end if;
  insert into run_steps (run_id, step, agent_id, kind, text, model, input_tokens, output_tokens, credits, message_id, delivery_id, created_at)
    values (v_run.id, v_number, v_agent.id, v_kind, case when v_kind = 'tools' then p_step->>'text' else '' end, p_step->>'model', (p_step->>'input_tokens')::integer,
            (p_step->>'output_tokens')::integer, (p_step->>'credits')::double precision, v_message, v_delivery, v_now);
  if v_kind = 'tools' then
    insert into tool_calls (run_id, step, position, call_id, name, input, status, result, finished_at)
      select v_run.id, v_number, n, c->>'call_id', c->>'name', c->'input',
             case when c->>'result' is null then 'pending' else 'failed' end, c->>'result',
             case when c->>'result' is null then null else v_now end
        from jsonb_array_elements(p_step->'calls') with ordinality as given(c, n);
  elsif v_kind = 'transfer' then
    update runs set agent_id = (p_step->>'transfer_to')::uuid, transfers = transfers + 1 where id = v_run.id;
    update conversations set agent_id = (p_step->>'transfer_to')::uuid, updated_at = v_now where id = v_run.conversation_id;
  else
    perform end_run(v_run, 'answered', null, v_now);
  end if;
  return step_outcome(v_run.id, v_number);
end $$;

-- Ends a run for good without an answer. Repeatable: what an earlier call wrote is returned.
create function fail_run(p_run uuid, p_error text, p_delivery uuid, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_run runs;
  v_url text;
begin
  perform from conversations where id = (select conversation_id from runs where id = p_run) for no key update;
  select * into v_run from runs where id = p_run;
  if not found then return jsonb_build_object('next', 'gone'); end if;
  if v_run.state = 'running' then
    perform end_run(v_run, 'failed', coalesce(p_error,
      (select last_error from model_failures where run_id = p_run order by step desc limit 1),
      'The agent run ended in failure.'), v_now);
    v_url := run_webhook(v_run);
    if v_url is not null then
      insert into deliveries (id, organization_id, conversation_id, run_id, event, url, created_at)
        values (p_delivery, v_run.organization_id, v_run.conversation_id, v_run.id, 'message.error', v_url, v_now);
    end if;
  end if;
  select * into v_run from runs where id = p_run;
  return ended_outcome(v_run);
end $$;

-- What a callback says, before it is claimed.
create function delivery_view(p_delivery uuid) returns jsonb language sql as $$
  select jsonb_build_object(
    'status', d.status, 'url', d.url, 'event', d.event, 'conversation_id', d.conversation_id, 'organization_id', d.organization_id,
    'agent_id', coalesce(m.agent_id, r.agent_id), 'message_id', m.id, 'response', m.text, 'model', m.model,
    'credits_used', m.credits_used, 'responding_agent_name', m.agent_name, 'pre_transfer', m.pre_transfer, 'error', r.error,
    'followup_attempt', r.follow_up_attempt,
    'attachments_processed', (select count(*) from attachments f join messages i on i.id = f.message_id
      where i.conversation_id = r.conversation_id and i.run_ordinal = r.ordinal),
    'metadata', run_metadata(coalesce(r.follow_up_of, r.id))::text,
    'attempted_ms_ago', extract(epoch from clock_timestamp() - d.attempted_at) * 1000)
  from deliveries d join runs r on r.id = d.run_id left join messages m on m.id = d.message_id
  where d.id = p_delivery
$$;
`;

/** First metadata of the group wins. Created before delivery_view, which calls it. */
export const metadataOfRun = `
create function run_metadata(p_run uuid) returns json language sql stable as $$
  select m.metadata from messages m join runs r on r.id = p_run
    where m.conversation_id = r.conversation_id and m.run_ordinal = r.ordinal and m.role = 'user' and m.metadata is not null
    order by m.seq limit 1
$$;
`;
