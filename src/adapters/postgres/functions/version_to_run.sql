-- Returns the version of p_agent with which a run of the conversation begins: the candidate that the conversation got, while
-- it is the agent's candidate, or the draft that it tries (see draft_to_try), else the published one. Locks nothing.
create or replace function version_to_run(p_conversation conversations, p_agent uuid) returns integer language sql stable as $$
  select case when p_conversation.candidate_agent_id = a.id
      and (p_conversation.candidate_version = a.candidate_version or p_conversation.candidate_version < 0)
      then p_conversation.candidate_version else a.version end
    from agents a where a.id = p_agent
$$;
