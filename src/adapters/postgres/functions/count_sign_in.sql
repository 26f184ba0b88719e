-- Counts one sign-in attempt under a key, before its password is checked. The first p_free attempts need not wait. The
-- next attempt must come at least p_first_seconds after the last counted one. The wait doubles with each later attempt,
-- up to p_max_seconds. The count starts again p_keep_seconds after the last counted attempt.
-- Returns 0 if the attempt was counted and may proceed. Otherwise counts nothing and returns the seconds to wait.
-- Locks: the key's row.
create or replace function count_sign_in(p_key bytea, p_free integer, p_first_seconds integer, p_max_seconds integer, p_keep_seconds integer)
returns integer language plpgsql as $$
declare
  v_now timestamptz;
  v_counter sign_in_counters;
begin
  -- The update only locks the row, so that a concurrent take_back_sign_in cannot delete it before it is counted below.
  insert into sign_in_counters as c (key) values (p_key) on conflict (key) do update set key = c.key returning * into v_counter;
  v_now := clock_timestamp();
  if v_counter.attempted_at < v_now - make_interval(secs => p_keep_seconds) then
    v_counter.attempts := 0;
  end if;
  if v_counter.next_at > v_now then
    return ceil(extract(epoch from v_counter.next_at - v_now));
  end if;
  v_counter.attempts := v_counter.attempts + 1;
  update sign_in_counters
    set attempts = v_counter.attempts, attempted_at = v_now,
        next_at = case when v_counter.attempts < p_free then v_now
                       else v_now + make_interval(secs => least(p_max_seconds, p_first_seconds * power(2, least(v_counter.attempts - p_free, 20)))) end,
        expires_at = greatest(expires_at, v_now + make_interval(secs => p_keep_seconds))
    where key = p_key;
  return 0;
end $$;
