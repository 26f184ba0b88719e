-- Finds the conversations that try a draft of an agent. Such drafts are not deleted.
create index conversations_of_draft on conversations (candidate_agent_id, candidate_version) where candidate_version < 0;
