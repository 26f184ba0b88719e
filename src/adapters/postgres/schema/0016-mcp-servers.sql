-- MCP servers of an organization, and the tools of these servers that agents may call.
create table mcp_servers (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  name text not null,                -- part of the names of the server's tools, so it never changes
  url text not null,
  auth text not null check (auth in ('none', 'header')),
  status text not null check (status in ('connected', 'needs_header')),
  header_name text,
  header_value text,                 -- encrypted; null: there is none, or its encryption key was lost
  timeout_seconds integer not null,
  answer_max_chars integer not null,
  listed_at timestamptz,             -- when the server's tools were last compared with the accepted ones
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index mcp_servers_name on mcp_servers (organization_id, name);

create table mcp_tools (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  server_id uuid not null references mcp_servers on delete cascade,
  name text not null,                -- the name that agents and models use
  remote_name text not null,         -- the name that the server uses
  description text not null,         -- as an administrator accepted it
  parameters text not null,          -- JSON Schema as JSON text, as accepted
  digest text not null,              -- hash of the accepted description and schema
  offered text,                      -- JSON: the server's current description and schema; null: they are as accepted
  is_gone boolean not null default false, -- true if the server no longer has the tool
  effect text not null check (effect in ('read', 'write', 'destructive')),
  created_at timestamptz not null default now()
);
create unique index mcp_tools_name on mcp_tools (organization_id, name);
create index mcp_tools_of_server on mcp_tools (server_id);

alter table tool_executions
  add column mcp_tool_id uuid;       -- the called tool of an MCP server; `effect` is its effect when it was called
