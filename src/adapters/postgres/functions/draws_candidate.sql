-- Returns true if a new conversation gets the agent's candidate version. Compares a hash of the conversation's id and
-- the version with candidate_percent, so that a higher percentage selects all conversations that a lower one selects,
-- and more. Locks nothing.
create or replace function draws_candidate(p_agent agents, p_conversation uuid) returns boolean language sql stable as $$
  select p_agent.candidate_version is not null
    and (hashtextextended(p_conversation::text || '/' || p_agent.candidate_version, 0) & 9223372036854775807) % 100 < p_agent.candidate_percent
$$;
