-- Returns the version of p_agent that a new run of the conversation uses. If the conversation got a candidate version
-- of this agent, and this version is still the agent's candidate, returns it. If the conversation tries a draft of this
-- agent, returns the draft's version (see draft_to_try). Otherwise, returns the published version.
-- Locks nothing. Postgres inlines the function, because it reads no table.
create or replace function version_to_run(p_conversation conversations, p_agent agents) returns integer language sql stable as $$
  select case when p_conversation.candidate_agent_id = p_agent.id
      and (p_conversation.candidate_version = p_agent.candidate_version or p_conversation.tries_draft)
      then p_conversation.candidate_version else p_agent.version end
$$;
