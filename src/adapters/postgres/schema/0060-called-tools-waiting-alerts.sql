-- Finds the conversations in which a tool was called, and the names of the called tools.
create index tool_executions_by_action on tool_executions (organization_id, action, conversation_id) where conversation_id is not null;

-- True: also gets the alert conversation.waiting, for conversations that no alert_url of a channel gets.
alter table webhook_endpoints add column waiting_alerts boolean not null default false;
