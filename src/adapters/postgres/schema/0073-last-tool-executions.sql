-- Finds the newest call of each tool.
create index tool_executions_last_of_action on tool_executions (organization_id, action, id);
