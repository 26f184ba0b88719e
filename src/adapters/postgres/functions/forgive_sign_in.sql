-- Resets or reduces the counters of attempts after a successful sign-in. Locks: the keys' rows, one after another.
--   p_pair     key of the account at this address: its count is reset, and the account is known at this address for
--              p_known_seconds
--   p_account  key of the account at unknown addresses: its count is reset; null if the account was known at this
--              address
--   p_address  key of the address with unknown accounts: the attempt that succeeded no longer counts; null if the
--              account was known at this address
create or replace function forgive_sign_in(p_pair bytea, p_account bytea, p_address bytea, p_known_seconds integer)
returns void language plpgsql as $$
begin
  insert into sign_in_counters as c (key, known_until, expires_at)
    values (p_pair, clock_timestamp() + make_interval(secs => p_known_seconds), clock_timestamp() + make_interval(secs => p_known_seconds))
    on conflict (key) do update
      set attempts = 0, next_at = excluded.next_at, known_until = excluded.known_until, expires_at = excluded.expires_at;
  update sign_in_counters set attempts = 0, next_at = clock_timestamp() where key = p_account;
  update sign_in_counters set attempts = greatest(attempts - 1, 0), next_at = clock_timestamp() where key = p_address;
end $$;
