-- Reverses the count of one attempt by count_sign_in, because its password was not checked, and ends the delay of the
-- key. Locks: the key's row.
create or replace function take_back_sign_in(p_key bytea) returns void language sql as $$
  update sign_in_counters set attempts = greatest(attempts - 1, 0), next_at = clock_timestamp() where key = p_key;
$$;
