-- The newest executions of an organization; ids begin with their time.
create index tool_executions_of_organization on tool_executions (organization_id, id);
