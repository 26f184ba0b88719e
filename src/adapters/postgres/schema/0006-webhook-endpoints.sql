-- Receivers whose callbacks Parley signs. An endpoint covers all URLs with its origin whose path is its own path or
-- below it.
create table webhook_endpoints (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  url text not null, -- http or https, as the URL parser writes it, without credentials, query and fragment
  secret text, -- encrypted; null: the encryption key was lost, and callbacks fail until the secret is rotated
  -- The secret before the last rotation, encrypted. Until previous_until, callbacks are signed with both secrets.
  previous_secret text,
  previous_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  rotated_at timestamptz
);
create unique index webhook_endpoints_url on webhook_endpoints (organization_id, url);

-- Receivers on this machine that an organization allows in local mode. Other modes ignore this table.
create table loopback_receivers (
  organization_id uuid not null references organizations on delete cascade,
  host text not null, -- host name with its port
  created_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, host)
);

alter table deliveries
  add column signed boolean not null default false, -- true: its request had the headers of Standard Webhooks
  add column resend_of uuid references deliveries on delete cascade; -- the delivery that a person or a token sent again
create index deliveries_resends on deliveries (resend_of) where resend_of is not null;
-- Each message and each failed run has at most one delivery, apart from re-sends.
create index deliveries_of_message on deliveries (message_id) where message_id is not null;
drop index deliveries_message;
create unique index deliveries_message on deliveries (message_id) where message_id is not null and resend_of is null;
drop index deliveries_error;
create unique index deliveries_error on deliveries (run_id) where message_id is null and resend_of is null;
