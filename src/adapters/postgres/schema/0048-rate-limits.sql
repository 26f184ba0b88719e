-- Two tables limit rates: rate_limits counts in windows (../rate-limiter.ts), paces spaces requests (../pace.ts). Their
-- rows are worth nothing after a crash, so neither is logged.
drop table rate_limits;
create unlogged table rate_limits (
  key text primary key,        -- the limiter's name, a colon, and what it counts; hashed if that is personal
  calls integer not null,
  ends_at timestamptz not null -- of the window, which began with the first call
);

drop table gateway_rates;
drop table tool_rates;
create unlogged table paces (
  key text primary key,        -- gateway:<hash> or workspace:<id>
  slots timestamptz[] not null default '{}', -- taken, oldest first, also in the future; those of earlier windows are removed
  blocked_until timestamptz not null default '-infinity' -- the end of the Retry-After
);
