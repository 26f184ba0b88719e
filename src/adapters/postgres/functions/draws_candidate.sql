-- Returns true if a new conversation gets the agent's candidate version: if the hash of the conversation's id and the
-- version, a number from 0 to 99, is below candidate_percent. So a higher percentage only adds conversations to those
-- that a lower one selects. Locks nothing.
create or replace function draws_candidate(p_agent agents, p_conversation uuid) returns boolean language sql stable as $$
  select p_agent.candidate_version is not null
    and (hashtextextended(p_conversation::text || '/' || p_agent.candidate_version, 0) & 9223372036854775807) % 100 < p_agent.candidate_percent
$$;
