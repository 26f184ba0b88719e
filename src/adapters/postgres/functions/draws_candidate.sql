-- Returns true if a new conversation gets the agent's candidate version. Compares a hash of the conversation's id and
-- the version with the candidate's share, so a higher share adds conversations and removes none. Locks nothing.
create or replace function draws_candidate(p_agent agents, p_conversation uuid) returns boolean language sql stable as $$
  select p_agent.candidate_version is not null
    and (hashtextextended(p_conversation::text || '/' || p_agent.candidate_version, 0) & 9223372036854775807) % 100 < p_agent.candidate_percent
$$;
