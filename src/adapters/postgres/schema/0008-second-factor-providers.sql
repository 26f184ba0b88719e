alter table console_users
  add column two_factor_enabled boolean not null default false;

-- A user's second factor. better-auth writes all columns except last_step.
create table console_two_factors (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null unique references console_users on delete cascade,
  secret text not null, -- encrypted
  backup_codes text not null, -- encrypted: the unused recovery codes, as JSON
  verified boolean not null default false, -- true once a code has confirmed the set-up
  last_step bigint not null default 0, -- time step of the last accepted code; this code and older ones are refused
  -- Columns for better-auth's own limit of attempts, which is switched off.
  failed_verification_count integer not null default 0,
  locked_until timestamptz
);

-- Finds the sign-ins of a user that wait for the second factor.
create index console_verifications_of_challenges on console_verifications (value) where identifier like '2fa-%';

-- An identity at a provider belongs to one user, and a user has at most one identity per provider.
create unique index console_accounts_by_identity on console_accounts (provider_id, account_id);
create unique index console_accounts_by_provider on console_accounts (user_id, provider_id);
drop index console_accounts_of_user;
