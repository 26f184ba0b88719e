-- Returns the version of p_agent that a new run of the conversation uses: the candidate that the conversation drew, if
-- this version is still the agent's candidate; the draft that the conversation tries, as a negative number (see
-- draft_to_try); otherwise the published version. Locks nothing. Postgres inlines it, because it reads no table.
create or replace function version_to_run(p_conversation conversations, p_agent agents) returns integer language sql stable as $$
  select case when p_conversation.candidate_agent_id = p_agent.id
      and (p_conversation.candidate_version = p_agent.candidate_version or p_conversation.candidate_version < 0)
      then p_conversation.candidate_version else p_agent.version end
$$;
