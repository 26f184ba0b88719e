-- Takes the next slot of a key: the next time at which a request may be sent, so that at most p_max are sent in each
-- window of p_window_ms. Takes none if the key is blocked, or the time is further away than p_max_wait_ms.
-- Returns taken (true if a slot was taken) and wait_ms: the milliseconds until the slot, 0 if it is now; if the key is
-- blocked, at least the milliseconds until the block ends.
-- Locks: the key's row.
create or replace function take_slot(p_key text, p_max integer, p_window_ms double precision, p_max_wait_ms double precision,
  out taken boolean, out wait_ms double precision) language plpgsql as $$
declare
  v_pace paces;
  v_window interval := make_interval(secs => p_window_ms / 1000);
  v_now timestamptz;
  v_at timestamptz;
begin
  insert into paces as p (key) values (p_key) on conflict (key) do update set key = p.key returning * into v_pace;
  v_now := clock_timestamp();
  v_at := greatest(v_now, v_pace.slots[cardinality(v_pace.slots) - p_max + 1] + v_window);
  taken := v_pace.blocked_until <= v_now and v_at <= v_now + make_interval(secs => p_max_wait_ms / 1000);
  wait_ms := extract(epoch from greatest(v_at, v_pace.blocked_until) - v_now) * 1000;
  if taken then
    update paces
      set slots = array(select slot from unnest(v_pace.slots) with ordinality as s (slot, n) where slot > v_now - v_window order by n) || v_at
      where key = p_key;
  end if;
end $$;
