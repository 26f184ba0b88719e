alter table api_tokens
  add column scopes text[], -- null: full access, including to operations of later versions
  -- The token was created when every token had full access. True for the rows that exist when this file is applied.
  add column before_scopes boolean not null default true,
  add column agent_ids uuid[], -- the agents that it is bound to; null: every agent
  add column expires_at timestamptz,
  add column created_by uuid references console_users on delete set null,
  add column created_by_name text,
  add column rotated_by uuid references console_users on delete set null, -- the member who last rotated the token, if any
  -- The secret before the last rotation, which works until previous_until.
  add column previous_hash bytea unique,
  add column previous_until timestamptz;
alter table api_tokens alter column before_scopes set default false;
create index api_tokens_of_creator on api_tokens (created_by) where created_by is not null;
create index api_tokens_of_rotator on api_tokens (rotated_by) where rotated_by is not null;
