-- MCP servers at which an administrator signs in with OAuth 2.1.
alter table mcp_servers
  drop constraint mcp_servers_auth_check,
  drop constraint mcp_servers_status_check,
  add constraint mcp_servers_auth_check check (auth in ('none', 'header', 'oauth')),
  add constraint mcp_servers_status_check check (status in ('connected', 'needs_header', 'needs_sign_in'));

-- A server has at most one sign-in in progress (`pending`) and one that gave tokens (`completed`).
create table mcp_sign_ins (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  server_id uuid not null references mcp_servers on delete cascade,
  status text not null default 'pending' check (status in ('pending', 'completed')),
  issuer text not null,              -- of the authorization server, as its metadata names it
  token_endpoint text not null,      -- the only address that gets the code, the secret and the refresh token
  token_auth text not null check (token_auth in ('client_secret_basic', 'client_secret_post', 'none')),
  resource text,                     -- for which tokens are requested; null: the MCP server publishes no metadata
  client_id text not null,
  client_secret text,                -- encrypted; null: a public client
  is_client_typed boolean not null,  -- false: Parley registered itself
  names_issuer boolean not null,     -- the authorization response must contain the issuer
  state_hash bytea,                  -- null once the state is used
  state_expires_at timestamptz,
  code_verifier text,                -- encrypted; null once the sign-in is completed
  access_token text,                 -- encrypted; null: the sign-in is in progress, or the token is no longer accepted
  refresh_token text,                -- encrypted; null: the server gave none, or access_token is null
  access_expires_at timestamptz,     -- null: unknown
  renewal_id uuid,                   -- of the renewal that uses the refresh token now, or whose process died
  renewal_began_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index mcp_sign_ins_of_server on mcp_sign_ins (server_id, status);
create unique index mcp_sign_ins_state on mcp_sign_ins (state_hash) where state_hash is not null;
