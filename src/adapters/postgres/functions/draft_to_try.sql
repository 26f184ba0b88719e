-- Returns the number of a version with the content of the agent's draft, for a conversation that tries the draft; null
-- if there is no draft. Such a version (agent_versions.is_draft) is neither listed nor published. These versions have
-- the numbers -1, -2 and so on, so that their numbers differ from those of other versions.
-- The first try after the draft was saved creates the version; later tries use the same version. When a version is
-- created, deletes the other versions of drafts, except the newest 50 and those that an existing run, transfer or
-- conversation uses. The limit of 50 is chosen. Locks: the agent.
create or replace function draft_to_try(p_agent uuid) returns integer language plpgsql as $$
declare
  v_draft agent_drafts;
  v_version integer;
begin
  perform from agents where id = p_agent for no key update;
  select * into v_draft from agent_drafts where agent_id = p_agent;
  if not found then return null; end if;
  select min(version) into v_version from agent_versions
    where agent_id = p_agent and is_draft and created_at >= v_draft.updated_at;
  if v_version is not null then return v_version; end if;
  insert into agent_versions (agent_id, version, organization_id, instructions, model, fallback_model, script, follow_ups, transfers_to, tools,
                              connections, tool_policies, approvers, may_hand_over, temperature, max_output_tokens, reasoning_effort, output_schema, bytes, created_at,
                              author_id, author)
    select p_agent, least((select min(version) from agent_versions where agent_id = p_agent), 0) - 1, v_draft.organization_id,
           x.instructions, x.model, x.fallback_model, x.script, x.follow_ups, x.transfers_to, x.tools, x.connections, x.tool_policies, x.approvers, x.may_hand_over,
           x.temperature, x.max_output_tokens, x.reasoning_effort, x.output_schema,
           octet_length(x.instructions) + octet_length(x.follow_ups::text) + coalesce(octet_length(x.script::text), 0)
             + coalesce(octet_length(x.output_schema::text), 0),
           clock_timestamp(), v_draft.author_id, v_draft.author
      from agents a cross join lateral jsonb_populate_record(a, v_draft.content) x where a.id = p_agent
    returning version into v_version;
  delete from agent_versions v where v.agent_id = p_agent and v.is_draft and v.version >= v_version + 50
    and not exists (select from runs r where r.agent_id = p_agent and r.agent_version = v.version)
    and not exists (select from run_steps s where s.agent_id = p_agent and s.agent_version = v.version and s.kind = 'transfer')
    and not exists (select from conversations c
      where c.candidate_agent_id = p_agent and c.candidate_version = v.version and c.tries_draft);
  return v_version;
end $$;
