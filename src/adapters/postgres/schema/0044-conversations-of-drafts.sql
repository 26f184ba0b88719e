-- Finds the conversations that try a version of a draft. A version that a conversation tries is not deleted.
create index conversations_of_draft on conversations (candidate_agent_id, candidate_version) where candidate_version < 0;
