-- HTTP tools of an organization. An agent may call the tools that its column `tools` names.
create table http_tools (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  name text not null,
  description text not null,
  method text not null check (method in ('GET', 'POST', 'PUT', 'PATCH', 'DELETE')),
  url text not null,                 -- a template that contains arguments as {name}
  parameters text not null,          -- JSON Schema as JSON text
  header_names text[] not null default '{}',
  headers text,                      -- encrypted JSON of values by lower-case name; null: none, or the key was lost
  effect text not null check (effect in ('read', 'write', 'destructive')),
  timeout_seconds integer not null,
  answer_fields text[] not null default '{}', -- JSON pointers; empty: the whole answer
  answer_max_chars integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index http_tools_name on http_tools (organization_id, lower(name));

alter table tool_executions
  add column http_tool_id uuid,      -- null: another kind of tool
  add column effect text;            -- the HTTP tool's effect when it was called, for the audit event
-- `unknown`: a request that may change data was sent, and its outcome was lost.
alter table tool_executions drop constraint tool_executions_status_check;
alter table tool_executions add constraint tool_executions_status_check
  check (status in ('pending', 'succeeded', 'failed', 'unknown')) not valid;
create index tool_executions_of_http_tool on tool_executions (organization_id, http_tool_id, created_at) where http_tool_id is not null;
