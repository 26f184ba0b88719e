-- Finds the newest executions of an organization by id. Ids begin with their time.
create index tool_executions_of_organization on tool_executions (organization_id, id);
