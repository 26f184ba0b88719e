alter table api_tokens
  add column scopes text[], -- null: full access, including to operations of later versions
  -- True if the token was created when every token had full access: before this file was applied.
  add column before_scopes boolean not null default true,
  add column agent_ids uuid[], -- the agents to which the token is bound; null: every agent
  add column expires_at timestamptz,
  add column created_by uuid references console_users on delete set null,
  add column created_by_name text,
  add column rotated_by uuid references console_users on delete set null, -- the member who last rotated the token
  -- Hash of the secret before the last rotation. That secret is accepted until previous_until.
  add column previous_hash bytea unique,
  add column previous_until timestamptz;
alter table api_tokens alter column before_scopes set default false;
create index api_tokens_of_creator on api_tokens (created_by) where created_by is not null;
create index api_tokens_of_rotator on api_tokens (rotated_by) where rotated_by is not null;
