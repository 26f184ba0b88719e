-- Ends a reservation with the cost of its call. p_credits: null if the cost is unknown; the reserved maximum then
-- counts. Writes the audit event credit_cap_nearing for each cap of which at least 80 % is used, once per period.
-- Idempotent. Locks: the reservation, then its windows in the order of their ids. Returns false if the reservation has
-- already ended.
create or replace function settle_credits(p_id uuid, p_credits numeric) returns boolean language plpgsql as $$
declare
  v_reservation credit_reservations;
  v_window uuid;
begin
  delete from credit_reservations where id = p_id returning * into v_reservation;
  if not found then return false; end if;
  -- The commit does not wait for the disk. If Postgres crashes before the settlement is on disk, the reservation is
  -- open again. expire_credits then counts it in full, so the call never counts too little.
  perform set_config('synchronous_commit', 'off', true);
  perform from credit_windows where id = any(v_reservation.windows) order by id for no key update;
  update credit_windows set reserved = reserved - v_reservation.credits, settled = settled + coalesce(p_credits, v_reservation.credits)
    where id = any(v_reservation.windows);
  for v_window in
    update credit_windows set warned_at = clock_timestamp()
      where id = any(v_reservation.windows) and warned_at is null and settled >= 0.8 * max_credits and max_credits > 0
      returning id
  loop
    perform record_credit_event(v_window, 'credit_cap_nearing');
  end loop;
  return true;
end $$;
