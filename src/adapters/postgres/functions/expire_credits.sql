-- Ends reservations that no worker has settled within the time limit of their calls, because the worker died or could
-- not reach Postgres. The billed amount is unknown, so each reservation counts in full.
-- Ends at most 100 reservations per call: those of p_organization, or of all organizations if p_organization is null.
-- Skips reservations that another transaction has locked. Locks: the reservations, then their windows in the order of
-- their ids. Returns the number of ended reservations.
create or replace function expire_credits(p_organization uuid) returns integer language plpgsql as $$
declare
  v_ids uuid[];
begin
  select array_agg(id) into v_ids from (
    select id from credit_reservations
      where expires_at <= clock_timestamp() and (p_organization is null or organization_id = p_organization)
      order by expires_at limit 100 for update skip locked) due;
  if v_ids is null then return 0; end if;
  perform from credit_windows where id in (select unnest(windows) from credit_reservations where id = any(v_ids))
    order by id for no key update;
  update credit_windows w set reserved = w.reserved - due.credits, settled = w.settled + due.credits
    from (select unnest(windows) as id, sum(credits) as credits from credit_reservations where id = any(v_ids) group by 1) due
    where w.id = due.id;
  delete from credit_reservations where id = any(v_ids);
  return cardinality(v_ids);
end $$;
