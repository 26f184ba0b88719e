/** MCP clients that registered themselves, and what members let them do. Secrets are kept as SHA-256 alone. */
export const up = `
-- Anybody may register one: bounded in number, and gone after a day without a grant.
create table mcp_clients (
  id uuid primary key,
  name text not null,
  redirect_uris text[] not null,
  -- Whether a member ever consented.
  consented boolean not null default false,
  created_at timestamptz not null default now()
);
create index mcp_clients_by_age on mcp_clients (created_at);
create index mcp_clients_unused on mcp_clients (created_at) where not consented;

-- One consent of one member for one organization, from its code to its last tokens.
create table mcp_grants (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  user_id uuid not null references console_users on delete cascade,
  client_id uuid not null references mcp_clients on delete cascade,
  resource text not null,
  redirect_uri text not null,
  code_challenge text not null,
  code_hash bytea not null unique,
  code_used_at timestamptz,
  access_hash bytea unique,
  access_expires_at timestamptz,
  refresh_hash bytea unique,
  -- The refresh token before this one: whoever shows it again has stolen it, or was stolen from.
  previous_refresh_hash bytea unique,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index mcp_grants_of_organization on mcp_grants (organization_id, user_id);
create index mcp_grants_by_creation on mcp_grants (organization_id, created_at);
create index mcp_grants_of_user on mcp_grants (user_id);
create index mcp_grants_of_client on mcp_grants (client_id);
create index mcp_grants_by_expiry on mcp_grants (expires_at);
`;
