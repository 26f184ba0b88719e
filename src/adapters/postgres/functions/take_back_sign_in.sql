-- Reverses count_sign_in for one attempt whose password was not checked, and ends the wait before the key's next
-- attempt. Deletes the row if it then has neither attempts nor known_until, so that unchecked attempts leave no rows.
-- Locks: the key's row.
create or replace function take_back_sign_in(p_key bytea) returns void language sql as $$
  update sign_in_counters set attempts = greatest(attempts - 1, 0), next_at = clock_timestamp() where key = p_key;
  delete from sign_in_counters where key = p_key and attempts = 0 and known_until is null;
$$;
