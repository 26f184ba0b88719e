/** People, their sessions, roles and what they did. The first seven tables have the shape that better-auth reads. */
export const up = `
alter table organizations add slug text unique, add logo text, add metadata text;

create table console_users (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table console_sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references console_users on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  active_organization_id uuid references organizations on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index console_sessions_of_user on console_sessions (user_id);

create table console_accounts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references console_users on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index console_accounts_of_user on console_accounts (user_id);

create table console_verifications (
  id uuid primary key default gen_random_uuid(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index console_verifications_by_identifier on console_verifications (identifier);

create table console_members (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations on delete cascade,
  user_id uuid not null references console_users on delete cascade,
  role text not null,
  created_at timestamptz not null default now(),
  unique (organization_id, user_id)
);
create index console_members_of_user on console_members (user_id);

create table console_invitations (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations on delete cascade,
  email text not null,
  role text,
  status text not null default 'pending',
  expires_at timestamptz not null,
  inviter_id uuid not null references console_users on delete cascade,
  created_at timestamptz not null default now()
);
create index console_invitations_of_organization on console_invitations (organization_id);

-- role is what a member carries; label is the name that people gave it.
create table console_roles (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations on delete cascade,
  role text not null,
  label text not null,
  permission text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz,
  unique (organization_id, role)
);
create unique index console_roles_label on console_roles (organization_id, lower(label));

-- In the shape of rate-limiter-flexible: failed sign-ins by address and account.
create table sign_in_attempts (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

-- Without references: what was done stays told after the doer, or the organization, is gone.
create table audit_log (
  id uuid primary key,
  organization_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  actor_id uuid,
  actor text not null,
  action text not null,
  target text not null,
  address text
);
create index audit_log_of_organization on audit_log (organization_id, id);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is only ever added to';
end $$;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_log_never_emptied before truncate on audit_log
  for each statement execute function refuse_audit_change();

create index runs_of_organization_by_end on runs (organization_id, finished_at) where finished_at is not null;
create index messages_of_organization_by_day on messages (organization_id, created_at);
`;
