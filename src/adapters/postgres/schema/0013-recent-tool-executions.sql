-- Finds the newest executions of an organization, because ids begin with their time.
create index tool_executions_of_organization on tool_executions (organization_id, id);
