-- Stores one input: in the conversation's open group, in its run in progress (see cancel_and_merge below), or in a new
-- group. Creates the conversation if needed. During a takeover, stores the input as a message that no run answers.
-- p_input (optional fields may be null): { organization_id, target_id, conversation_id, contact_id, contact_name, text,
--   sync, webhook_url, attachments, channel, new_conversation_id, message_id, run_id, token_id, path, key,
--   request_hash (hex), caller_token_id (the token against whose limits the run's usage counts),
--   streamed (the run gets a stream, because the caller reads it from the start), traceparent,
--   caller_id (id of the calling token or member; becomes begun_by of a conversation that the call creates),
--   only_own (the caller may not view conversations, so it may continue only those that it began),
--   is_test (for a conversation that the call creates: see conversations.is_test),
--   tries_conversation, tries_run, trial_instructions (for a trial that the call creates: see the columns),
--   tries_draft, tries_candidate (the conversation that the call creates tries the agent's draft or its candidate),
--   read_only (for a conversation that the call creates: see conversations.read_only),
--   earlier_turns (see messages.earlier_turns),
--   after_message (must be the user's last message in the conversation; otherwise, the outcome is not_last),
--   join_run (id of an open group that the input joins, even if the agent has no window),
--   knows_pauses (the caller knows the outcomes kept and paused; processes of earlier versions do not) }
-- p_metadata: see messages.metadata. attachments and p_bytes: see insert_files.
-- Locks: the conversation; for a trial, also the conversation whose run it tries; for tries_draft, also the agent. Of
-- two concurrent calls with one idempotency key and one request, one fails with a unique violation. Its caller retries
-- it and gets the outcome repeat.
-- Returns outcome:
--   accepted   the ids; debounced (true if the agent groups inputs and the input is not sync); wake_at: when the
--              workflow must check, null if it needs no nudge; served_by: the activity attempt whose worker is notified
--              instead of the workflow (see claim_run), null if there is none
--   repeat     the ids that the first call with this key wrote, without agent_id; debounced; wake_at: the run's due
--              time, which may have passed; served_by
--   kept       the agent is paused, so the message is stored and no run answers it: conversation_id and message_id, also
--              for a repeat of its request
--   paused     the agent is paused and the input is sync, so nothing is stored
--   conflict   the key was used with another request
--   not_found  there is no such target or conversation; the target's agent is deleted; the conversation is a trial,
--              which accepts no further input; or the run that a new trial tries was erased
--   inactive   the agent that would answer is inactive or deleted
--   no_draft   tries_draft is true, and the agent has no draft
--   no_candidate  tries_candidate is true, and the agent has no candidate
--   forbidden  only_own is true, and the caller did not begin the conversation
--   not_last   after_message is not the user's last message. If a concurrent call with the same idempotency key wrote
--              the last message, a retry returns repeat
create or replace function accept_input(p_input jsonb, p_metadata json, p_now timestamptz, p_bytes bytea default null) returns accepted_input
language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_organization uuid := (p_input->>'organization_id')::uuid;
  v_target uuid := (p_input->>'target_id')::uuid;
  v_wanted uuid := (p_input->>'conversation_id')::uuid;
  v_contact text := p_input->>'contact_id';
  v_sync boolean := (p_input->>'sync')::boolean;
  v_from_channel boolean := coalesce(p_input->>'channel', 'api') <> 'api';
  v_message uuid := (p_input->>'message_id')::uuid;
  v_agent_id uuid;
  v_agent agents;
  v_draws boolean;
  v_version integer;
  v_conversation conversations;
  v_key idempotency_keys;
  v_group runs;
  v_run uuid;
  v_ordinal integer;
  v_window interval;
  v_wake timestamptz;
  v_refusal accepted_input; -- only its outcome is set
begin
  if p_input->>'key' is not null then
    select * into v_key from idempotency_keys
      where token_id = (p_input->>'token_id')::uuid and path = p_input->>'path' and key = p_input->>'key';
    if found and v_key.request_hash <> decode(p_input->>'request_hash', 'hex') then
      v_refusal.outcome := 'conflict'; return v_refusal;
    elsif found and v_key.run_id is null then
      return row('kept', v_key.conversation_id, null, v_key.message_id, null, false, null, null)::accepted_input;
    elsif found then
      -- Returns wake_at again, because the first caller may have died after the commit and before the nudge.
      return row('repeat', v_key.conversation_id, v_key.run_id, v_key.message_id, null, v_key.debounced,
                 (select closes_at from runs where id = v_key.run_id),
                 (select served_by from conversations where id = v_key.conversation_id and served_until > v_now))::accepted_input;
    end if;
  end if;

  select a.id into v_agent_id from agents a
    where a.organization_id = v_organization and a.deleted_at is null
      and a.id = coalesce((select i.agent_id from inboxes i where i.id = v_target and i.organization_id = v_organization), v_target);
  if v_agent_id is null then v_refusal.outcome := 'not_found'; return v_refusal; end if;

  if v_wanted is not null then
    select * into v_conversation from conversations
      where id = v_wanted and organization_id = v_organization and target_id = v_target and tries_run is null for no key update;
    if not found then v_refusal.outcome := 'not_found'; return v_refusal; end if;
  elsif v_contact is not null then
    select * into v_conversation from conversations
      where target_id = v_target and contact_id = v_contact and organization_id = v_organization for no key update;
  end if;

  select * into v_agent from agents where id = coalesce(v_conversation.agent_id, v_agent_id);
  if not v_agent.active or v_agent.deleted_at is not null then
    v_refusal.outcome := 'inactive'; return v_refusal;
  end if;

  -- The lock prevents retention from erasing the tried run before the trial is written. Later, retention erases both.
  if p_input->>'tries_run' is not null then
    perform from conversations where id = (p_input->>'tries_conversation')::uuid and organization_id = v_organization for key share;
    if not found or not exists (select from runs where id = (p_input->>'tries_run')::uuid
        and conversation_id = (p_input->>'tries_conversation')::uuid) then
      v_refusal.outcome := 'not_found'; return v_refusal;
    end if;
  end if;

  if v_conversation.id is null then
    -- Tests and trials get the published version, unless they try the draft or the candidate.
    v_draws := not coalesce((p_input->>'is_test')::boolean, false) and p_input->>'tries_run' is null
      and draws_candidate(v_agent, (p_input->>'new_conversation_id')::uuid);
    if v_draws then v_version := v_agent.candidate_version; end if;
    if (p_input->>'tries_candidate')::boolean then
      v_version := v_agent.candidate_version;
      if v_version is null then v_refusal.outcome := 'no_candidate'; return v_refusal; end if;
    end if;
    if (p_input->>'tries_draft')::boolean then
      v_version := draft_to_try(v_agent.id);
      if v_version is null then return row('no_draft', null, null, null, null, null, null, null)::accepted_input; end if;
    end if;
    insert into conversations (id, organization_id, target_id, agent_id, contact_id, contact_name, channel, is_test, begun_by,
                               tries_conversation, tries_run, trial_instructions, candidate_agent_id, candidate_version, read_only)
      values ((p_input->>'new_conversation_id')::uuid, v_organization, v_target, v_agent.id, v_contact,
              p_input->>'contact_name', coalesce(p_input->>'channel', 'api'), coalesce((p_input->>'is_test')::boolean, false),
              (p_input->>'caller_id')::uuid,
              (p_input->>'tries_conversation')::uuid, (p_input->>'tries_run')::uuid, p_input->>'trial_instructions',
              case when v_version is not null then v_agent.id end, v_version, coalesce((p_input->>'read_only')::boolean, false))
      on conflict (target_id, contact_id) where contact_id is not null
      do update set updated_at = v_now
      returning * into v_conversation;
  end if;
  if (p_input->>'only_own')::boolean and v_conversation.begun_by is distinct from (p_input->>'caller_id')::uuid then
    v_refusal.outcome := 'forbidden'; return v_refusal;
  end if;
  if p_input->>'after_message' is not null and (p_input->>'after_message')::uuid is distinct from
     (select id from messages where conversation_id = v_conversation.id and origin = 'user' order by seq desc limit 1) then
    v_refusal.outcome := 'not_last'; return v_refusal;
  end if;

  if v_conversation.paused_until > v_now and not v_from_channel and p_input ? 'knows_pauses' then
    if v_sync then v_refusal.outcome := 'paused'; return v_refusal; end if;
    perform store_quiet_message(p_input || '{"unanswered": "paused"}', 'user', v_conversation.id, v_now, p_bytes, p_metadata);
    if p_input->>'key' is not null then
      insert into idempotency_keys (token_id, path, key, request_hash, conversation_id, message_id, debounced)
        values ((p_input->>'token_id')::uuid, p_input->>'path', p_input->>'key', decode(p_input->>'request_hash', 'hex'),
                v_conversation.id, v_message, false);
    end if;
    return row('kept', v_conversation.id, null, v_message, null, false, null, null)::accepted_input;
  end if;

  v_window := make_interval(secs => v_agent.grouping_window_seconds);
  v_ordinal := v_conversation.last_ordinal;
  if p_input->>'join_run' is not null then
    update runs set message_count = message_count + 1 where id = (p_input->>'join_run')::uuid
      returning id, ordinal into v_run, v_ordinal;
  -- With cancel_and_merge, an input that is not sync joins the run in progress if that run is the newest, is neither
  -- sync nor a follow-up, has written no message, and has room.
  elsif not v_sync and v_agent.input_during_run = 'cancel_and_merge' then
    update runs r set message_count = message_count + 1
      where r.conversation_id = v_conversation.id and r.ordinal = v_conversation.last_ordinal and r.state = 'running'
        and r.mode in ('single', 'window') and r.message_count < r.max_messages
        and not exists (select from run_steps s where s.run_id = r.id and s.message_id is not null)
      returning id into v_run;
    perform pg_notify('run_changed', v_run::text) where v_run is not null;
  end if;
  -- Joins the open group. Closes it instead if the input is sync, the agent has no window, cap_at has passed, or
  -- closes_at has passed and no earlier run is ready or running.
  select * into v_group from runs where conversation_id = v_conversation.id and state = 'collecting' and v_run is null;
  if found then
    if v_sync or v_window = interval '0' or v_now >= v_group.cap_at
       or (v_now >= v_group.closes_at and not exists (
             select from runs where conversation_id = v_conversation.id and state in ('ready', 'running'))) then
      update runs set state = 'ready', closes_at = least(closes_at, v_now) where id = v_group.id;
      v_wake := v_now;
    else
      v_run := v_group.id;
      v_ordinal := v_group.ordinal;
      -- Returns wake_at if the group is due sooner than the workflow expects, because it is full or the window was
      -- shortened.
      update runs set message_count = message_count + 1,
        state = case when message_count + 1 >= max_messages then 'ready' else state end,
        closes_at = case when message_count + 1 >= max_messages then v_now else least(v_now + v_window, cap_at) end
        where id = v_run returning case when state = 'ready' or closes_at < v_group.closes_at then closes_at end into v_wake;
    end if;
  end if;

  if v_run is null then
    v_run := (p_input->>'run_id')::uuid;
    v_ordinal := v_ordinal + 1;
    insert into runs (id, organization_id, conversation_id, ordinal, mode, state, opened_at, closes_at, cap_at,
                      message_count, max_messages)
      select v_run, v_organization, v_conversation.id, v_ordinal,
             case when v_sync then 'sync' when v_window > interval '0' then 'window' else 'single' end,
             case when waits then 'collecting' else 'ready' end,
             v_now, case when waits then least(v_now + v_window, v_now + cap) else v_now end, v_now + cap, 1, most
        from (select not v_sync and v_window > interval '0' and most > 1 as waits, cap, most
                from (select make_interval(secs => coalesce(v_agent.grouping_max_seconds, 5 * v_agent.grouping_window_seconds)) as cap,
                             coalesce(v_agent.grouping_max_messages, 20) as most) limits) shape;
    v_wake := least(v_wake, (select closes_at from runs where id = v_run));
  end if;

  insert into messages (id, organization_id, conversation_id, run_id, run_ordinal, seq, origin, text, webhook_url, from_channel,
                        metadata, earlier_turns, created_at)
    values (v_message, v_organization, v_conversation.id, v_run, v_ordinal, v_conversation.last_seq + 1, 'user',
            p_input->>'text', p_input->>'webhook_url', v_from_channel, p_metadata, p_input->'earlier_turns', v_now);
  if jsonb_array_length(p_input->'attachments') > 0 then
    perform insert_files(v_message, p_input->'attachments', p_bytes);
  end if;
  update conversations set last_seq = last_seq + 1, last_ordinal = greatest(last_ordinal, v_ordinal), updated_at = v_now,
      webhook_url = case when not v_from_channel then coalesce(p_input->>'webhook_url', webhook_url) end,
      contact_name = coalesce(p_input->>'contact_name', contact_name), done_at = null, done_by_name = null
    where id = v_conversation.id;

  if p_input->>'key' is not null then
    insert into idempotency_keys (token_id, path, key, request_hash, conversation_id, run_id, message_id, debounced)
      values ((p_input->>'token_id')::uuid, p_input->>'path', p_input->>'key', decode(p_input->>'request_hash', 'hex'),
              v_conversation.id, v_run, v_message, not v_sync and v_window > interval '0');
  end if;
  if (p_input->>'streamed')::boolean then
    insert into run_streams (run_id, organization_id) values (v_run, v_organization);
  end if;
  if p_input->>'caller_token_id' is not null then
    insert into run_tokens (run_id, organization_id, token_id)
      values (v_run, v_organization, (p_input->>'caller_token_id')::uuid) on conflict do nothing;
  end if;
  if p_input->>'traceparent' is not null then
    insert into run_traces (run_id, organization_id, traceparent)
      values (v_run, v_organization, p_input->>'traceparent') on conflict do nothing;
  end if;
  return row('accepted', v_conversation.id, v_run, v_message, v_agent.id,
             not v_sync and v_window > interval '0', v_wake,
             case when v_wake is not null and v_conversation.served_until > v_now then v_conversation.served_by end)::accepted_input;
end $$;
