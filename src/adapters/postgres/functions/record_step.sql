-- Records one model call of a run, with its message, delivery or tool calls; or records that a run in progress has
-- failed, with the delivery of its error. The first writer of a step wins.
-- p_step of a call: { run_id, step, kind (tools, transfer or answer), text, model, input_tokens, output_tokens,
--   credits, message_id, delivery_id, answer_target_of, transfer_to?, message_credits,
--   calls: [{ call_id, name, input, result? (only if the call is not to be executed), approval? (only if a person must
--     approve the call first: { id, delivery_id, expires_after_seconds, on_expiry, code?,
--     approvers?: [{ name, phone, number }] }) }],
--   cached_input_tokens?, inputs (number of inputs that the model received), truncated (the model's text was cut off),
--   structured? (true if the text fits the output schema of the agent's version),
--   hand_over? ({ call_id, name, reason }, only if an answer hands the conversation over to a person),
--   agent_version, model_id, model_ms, history_turns, was_cut, fallback? (see the columns of run_steps),
--   knows_read_only (the worker knows conversations.read_only; workers of earlier versions do not, so none of their
--   calls in such a conversation is executed) }
-- p_step of a failure: { run_id, kind: failed, error (null: the run's last model error, or default_error if there is
--   none), default_error, delivery_id, answer_target_of }
-- answer_target_of maps each mode of a run to `inputs`, `conversation` or null, which selects the target of the
-- delivery (see src/domain/conversations/answer-target.ts):
--   inputs        the webhook_url or the channel of the run's last input that has either
--   conversation  the conversation's webhook_url or, if that is null, its channel
--   null          no delivery is written
-- A delivery through a channel goes to the contact's current address.
-- If the answer hands the conversation over, stores the call of the tool with its reason, and pauses the agent for 30
-- days, unless a takeover is active or the conversation is a trial.
-- Locks: the conversation; if it hands over, all conversations of the contact; if the run fails, also its open approvals
-- (see end_approvals). Returns next:
--   gone    the run was erased, or ended before the call was recorded; nothing is recorded
--   stale   the run has received an input since the model was called; nothing is recorded
-- Otherwise, also on a repeated call, returns the outcome of the step or of the failed run as run_outcome does. A run
-- that has already ended does not fail: its outcome is returned.
create or replace function record_step(p_step jsonb, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_run runs;
  v_agent agents;
  v_kind text := p_step->>'kind';
  v_failed boolean := p_step->>'kind' = 'failed';
  v_number integer := (p_step->>'step')::integer;
  v_message uuid;
  v_delivery uuid;
  v_seq integer;
  v_failure model_failures;
begin
  -- Locks the conversation before the run, in the same order as other functions. Otherwise, two calls could deadlock.
  if p_step ? 'hand_over' then
    perform conversations_of_same_contact((select conversation_id from runs where id = (p_step->>'run_id')::uuid));
  else
    perform from conversations where id = (select conversation_id from runs where id = (p_step->>'run_id')::uuid)
      for no key update;
  end if;
  select * into v_run from runs where id = (p_step->>'run_id')::uuid;
  if not found then return jsonb_build_object('next', 'gone'); end if;
  if v_failed and v_run.state <> 'running' then return run_outcome(v_run.id, null); end if;
  if exists (select from run_steps where run_id = v_run.id and step = v_number) then return run_outcome(v_run.id, v_number); end if;
  if v_run.state <> 'running' then return jsonb_build_object('next', 'gone'); end if;
  if not v_failed and v_run.message_count <> (p_step->>'inputs')::integer then return jsonb_build_object('next', 'stale'); end if;
  select * into v_agent from agents where id = v_run.agent_id;
  if v_kind = 'tools' and not p_step ? 'knows_read_only'
     and exists (select from conversations where id = v_run.conversation_id and read_only) then
    p_step := jsonb_set(p_step, '{calls}', (select jsonb_agg('{"result": "Not executed: this is a test. Answer as if it had succeeded."}' || (c - 'approval') order by n)
      from jsonb_array_elements(p_step->'calls') with ordinality as given(c, n)));
  end if;

  if v_kind in ('answer', 'transfer') and p_step->>'text' <> '' then
    v_message := (p_step->>'message_id')::uuid;
    update conversations set last_seq = last_seq + 1, updated_at = v_now,
        -- During a pause, messages that no run answers wait for a person.
        waiting_since = case when paused_until > v_now then waiting_since end
      where id = v_run.conversation_id
      returning last_seq into v_seq;
    insert into messages (id, organization_id, conversation_id, run_id, run_ordinal, seq, origin, text, agent_id, agent_name,
                          model, credits_used, pre_transfer, truncated, structured, created_at)
      values (v_message, v_run.organization_id, v_run.conversation_id, v_run.id, v_run.ordinal, v_seq, 'agent',
              p_step->>'text', v_agent.id, v_agent.name, p_step->>'model', (p_step->>'message_credits')::double precision,
              v_kind = 'transfer', coalesce((p_step->>'truncated')::boolean, false),
              coalesce((p_step->>'structured')::boolean, false), v_now);
  end if;
  if v_message is not null or v_failed then
    insert into deliveries (id, organization_id, conversation_id, run_id, message_id, of_agent_id, event, kind, url, recipient, created_at)
      select (p_step->>'delivery_id')::uuid, v_run.organization_id, v_run.conversation_id, v_run.id, v_message, v_run.agent_id,
             case when v_failed then 'message.error' else 'message.completed' end,
             case when target.url is null then 'channel_reply' else 'callback' end,
             target.url, case when target.url is null then contact_address(k) end, v_now
        from conversations c left join channel_contacts k on k.id = c.channel_contact_id cross join lateral (
          select c.webhook_url as url where p_step->'answer_target_of'->>v_run.mode = 'conversation'
          union all
          (select m.webhook_url from messages m
             where p_step->'answer_target_of'->>v_run.mode = 'inputs' and m.conversation_id = c.id
               and m.run_ordinal = v_run.ordinal and (m.webhook_url is not null or m.from_channel)
             order by m.seq desc limit 1)) target
        where c.id = v_run.conversation_id and (target.url is not null or k.id is not null)
      returning id into v_delivery;
  end if;
  if v_failed then
    select * into v_failure from model_failures where run_id = v_run.id order by step desc limit 1;
    update runs set state = 'failed', finished_at = v_now,
        error = coalesce(p_step->>'error', v_failure.last_error, p_step->>'default_error'),
        error_code = case when p_step->>'error' is null then v_failure.code end
      where id = v_run.id;
    perform end_approvals(array[v_run.conversation_id], 'run_failed', v_now);
    perform pg_notify('run_ended', v_run.id::text) where v_run.mode = 'sync';
    return run_outcome(v_run.id, null);
  end if;

  insert into run_steps (run_id, step, agent_id, kind, text, model, input_tokens, output_tokens, credits, message_id, delivery_id, created_at,
                         agent_version, model_id, model_ms, history_turns, was_cut, cached_input_tokens, fallback)
    values (v_run.id, v_number, v_agent.id, v_kind, case when v_kind = 'tools' then p_step->>'text' else '' end, p_step->>'model', (p_step->>'input_tokens')::integer,
            (p_step->>'output_tokens')::integer, (p_step->>'credits')::double precision, v_message, v_delivery, v_now,
            (p_step->>'agent_version')::integer, p_step->>'model_id', (p_step->>'model_ms')::integer,
            (p_step->>'history_turns')::integer, (p_step->>'was_cut')::boolean, (p_step->>'cached_input_tokens')::integer, p_step->'fallback');
  if v_kind = 'tools' then
    insert into tool_calls (run_id, step, position, call_id, name, input, status, result, finished_at)
      select v_run.id, v_number, n, c->>'call_id', c->>'name', c->'input',
             case when c->>'result' is not null then 'failed' when c ? 'approval' then 'waiting' else 'pending' end, c->>'result',
             case when c->>'result' is not null then v_now end
        from jsonb_array_elements(p_step->'calls') with ordinality as given(c, n);
    if jsonb_path_exists(p_step, '$.calls[*].approval') then perform request_approvals(v_run, v_number, p_step, v_now); end if;
  elsif v_kind = 'transfer' then
    -- If the run returns to an agent, the agent keeps the version that it had in this run.
    update runs set agent_id = (p_step->>'transfer_to')::uuid, transfers = transfers + 1,
        agent_version = coalesce(
          (select s.agent_version from run_steps s where s.run_id = v_run.id and s.agent_id = (p_step->>'transfer_to')::uuid limit 1),
          (select version_to_run(c, a) from conversations c, agents a
             where c.id = v_run.conversation_id and a.id = (p_step->>'transfer_to')::uuid))
      where id = v_run.id;
    update conversations set agent_id = (p_step->>'transfer_to')::uuid, updated_at = v_now where id = v_run.conversation_id;
  else
    update runs set state = 'answered', finished_at = v_now where id = v_run.id;
    perform pg_notify('run_ended', v_run.id::text) where v_run.mode = 'sync';
    if p_step ? 'hand_over' then
      insert into tool_calls (run_id, step, position, call_id, name, input, status, result, finished_at)
        values (v_run.id, v_number, 1, p_step->'hand_over'->>'call_id', p_step->'hand_over'->>'name',
                jsonb_build_object('reason', p_step->'hand_over'->>'reason'), 'succeeded', 'Handed over.', v_now);
      if exists (select from conversations where id = v_run.conversation_id and tries_run is null) then
        -- Before the pause, which would otherwise begin a wait for the messages that no run has answered yet.
        update conversations set waiting_since = coalesce(waiting_since, v_now), waiting_handed_over = true,
            done_at = null, done_by_name = null
          where id = v_run.conversation_id;
        perform pause_conversation(id, v_now + interval '30 days', 'agent', v_now) from conversations
          where id = v_run.conversation_id and coalesce(paused_until <= v_now, true);
      end if;
    end if;
  end if;
  return run_outcome(v_run.id, v_number);
end $$;
