-- Finds the conversations in which a tool was called, and the names of the called tools.
create index tool_executions_by_action on tool_executions (organization_id, action, conversation_id) where conversation_id is not null;
