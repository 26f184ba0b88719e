-- Returns the data that the model calls of a claimed run need, in one round trip; null if the run was erased. Locks
-- nothing.
--   inputs     in the order of seq, which sort_group_as_written may change
--   lag_ms     milliseconds from the run's due time, or from the end of the previous run if that was later, until the
--              claim
--   agent      its settings are those of the run's agent_version (see agent_at). In a trial, the agent to which the
--              trial is addressed has the trial's instructions. model: the agent's model, or the organization's default
--              if the agent has none
--   provider   the organization's own provider of that model, with its key encrypted; null if there is none
--   fell_back  why the run's calls for this agent go to its fallback model; null while they go to its model
--   fallback_provider  the organization's own provider of the fallback model, as `provider`
--   tries      in a trial: the earlier run, and its conversation. The model reads the messages before that run
--   reads_only true if tools that may change data are not executed: in trials, and with conversations.read_only
--   is_capped  true if a cap on credits may apply to the run's calls
create or replace function run_view(p_run uuid) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'id', r.id, 'conversation_id', r.conversation_id, 'organization_id', r.organization_id, 'ordinal', r.ordinal,
    'mode', r.mode, 'state', r.state, 'transfers', r.transfers, 'follow_up_attempt', r.follow_up_attempt,
    'channel', c.channel, 'prices', r.prices,
    'tries', case when c.tries_conversation is not null then
      jsonb_build_object('conversation_id', c.tries_conversation, 'run_id', c.tries_run) end,
    'reads_only', c.read_only or c.tries_conversation is not null,
    'streamed', exists (select from run_streams w where w.run_id = r.id),
    'age_ms', extract(epoch from clock_timestamp() - r.opened_at) * 1000,
    'lag_ms', extract(epoch from r.claimed_at - greatest(r.closes_at, (
      select p.finished_at from runs p where p.conversation_id = r.conversation_id and p.ordinal = r.ordinal - 1))) * 1000,
    'is_capped', o.credit_caps is not null or a.credit_caps is not null or exists (select from run_tokens u
      join api_tokens t on t.id = u.token_id where u.run_id = r.id and t.credit_caps is not null),
    'steps', (select count(*) from run_steps s where s.run_id = r.id),
    'agent', jsonb_build_object('id', a.id, 'name', a.name, 'version', a.version,
      'instructions', case when c.trial_instructions is not null and a.id = c.target_id then c.trial_instructions else a.instructions end,
      'model', coalesce(a.model, o.default_model), 'fallback_model', a.fallback_model,
      'script', a.script, 'transfers_to', to_jsonb(a.transfers_to), 'tools', to_jsonb(a.tools), 'tool_policies', a.tool_policies,
      'approvers', a.approvers, 'may_hand_over', a.may_hand_over, 'temperature', a.temperature, 'max_output_tokens', a.max_output_tokens,
      'reasoning_effort', a.reasoning_effort, 'output_schema', a.output_schema,
      'connections', to_jsonb(a.connections), 'follow_ups', a.follow_ups, 'cap_message', a.cap_message,
      'model_timeout_seconds', a.model_timeout_seconds),
    'provider', (select jsonb_build_object('id', p.id, 'kind', p.kind, 'base_url', p.base_url, 'api_key', p.api_key)
      from model_providers p where p.organization_id = r.organization_id
        and p.name = split_part(coalesce(a.model, o.default_model), '/', 1)),
    'fallback_provider', (select jsonb_build_object('id', p.id, 'kind', p.kind, 'base_url', p.base_url, 'api_key', p.api_key)
      from model_providers p where p.organization_id = r.organization_id and p.name = split_part(a.fallback_model, '/', 1)),
    'fell_back', (select jsonb_build_object('step', f.step, 'model', f.fell_back->>'model', 'error', f.fell_back->>'error')
      from model_failures f where f.run_id = r.id and f.fell_back->>'agent_id' = a.id::text and a.fallback_model is not null
      order by f.step limit 1),
    'inputs', coalesce((select jsonb_agg(jsonb_build_object('text', m.text, 'quoted', q.text) order by m.seq)
      from messages m left join messages q on q.id = m.quotes
      where m.conversation_id = r.conversation_id and m.run_ordinal = r.ordinal and m.origin = 'user'), '[]'),
    'unfetched', coalesce((select jsonb_agg(f.id) from messages m join attachments f on f.message_id = m.id
      where m.conversation_id = r.conversation_id and m.run_ordinal = r.ordinal
        and f.state = 'unfetched'), '[]'))
  from runs r join conversations c on c.id = r.conversation_id cross join lateral agent_at(r.agent_id, r.agent_version) a
    join organizations o on o.id = r.organization_id
  where r.id = p_run
$$;
