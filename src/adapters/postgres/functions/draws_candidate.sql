-- True if a new conversation gets the agent's candidate version. Depends on the conversation's id and the version alone, so
-- a higher share adds conversations and takes none away. Locks nothing.
create or replace function draws_candidate(p_agent agents, p_conversation uuid) returns boolean language sql stable as $$
  select p_agent.candidate_version is not null
    and (hashtextextended(p_conversation::text || '/' || p_agent.candidate_version, 0) & 9223372036854775807) % 100 < p_agent.candidate_percent
$$;
