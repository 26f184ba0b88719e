-- Reserves the maximum cost of a call, p_credits, under every cap that applies to it (see credit_caps_of), before the
-- call is made. The call must end within p_seconds. Days and months are in UTC; a call counts in the period in which it
-- begins.
-- Locks: the call's windows, which belong to one organization, in the order of their ids. Locks no existing
-- reservation: settle_credits and expire_credits lock reservations before windows, and could otherwise deadlock with
-- this function.
-- Returns next:
--   free      no cap applies; nothing is reserved
--   reserved  the call may be made; settle_credits ends the reservation
--   busy      the call fits only if calls in progress cost less than they reserved; nothing is reserved. expired: true
--             if expire_credits would end reservations of this organization now
--   full      the call does not fit, whatever the calls in progress cost; nothing is reserved. Also returns scope,
--             period and max_credits of the cap. A cap's first such call in a period writes the audit event
--             credit_cap_reached
create or replace function reserve_credits(p_id uuid, p_organization uuid, p_run uuid, p_credits numeric, p_seconds double precision)
returns jsonb language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_caps credit_cap[];
  v_windows uuid[] := '{}';
  v_window record;
  v_busy boolean := false;
begin
  select array_agg(row(k.scope, k.subject, k.period, date_trunc(k.period, v_now, 'utc'), k.max_credits)::credit_cap)
    into v_caps from credit_caps_of(p_organization, p_run) k;
  if v_caps is null then return jsonb_build_object('next', 'free'); end if;
  insert into credit_windows (organization_id, scope, subject, period, starts_at, ends_at, max_credits)
    select p_organization, k.scope, k.subject, k.period, k.starts_at,
           (k.starts_at at time zone 'utc' + ('1 ' || k.period)::interval) at time zone 'utc', k.max_credits
      from unnest(v_caps) k
      where not exists (select from credit_windows w where (w.organization_id, w.scope, w.subject, w.period, w.starts_at)
        = (p_organization, k.scope, k.subject, k.period, k.starts_at))
      order by k.scope, k.subject, k.period
    on conflict do nothing;
  for v_window in
    select w.id, w.scope, w.period, w.settled, w.reserved, k.max_credits as cap, w.reached_at
      from unnest(v_caps) k join credit_windows w on (w.organization_id, w.scope, w.subject, w.period, w.starts_at)
        = (p_organization, k.scope, k.subject, k.period, k.starts_at)
      order by w.id for no key update of w
  loop
    if v_window.settled + p_credits > v_window.cap then
      if v_window.reached_at is null then
        update credit_windows set reached_at = v_now, max_credits = v_window.cap where id = v_window.id;
        perform record_credit_event(v_window.id, 'credit_cap_reached');
      end if;
      return jsonb_build_object('next', 'full', 'scope', v_window.scope, 'period', v_window.period, 'max_credits', v_window.cap);
    end if;
    v_busy := v_busy or v_window.settled + v_window.reserved + p_credits > v_window.cap;
    v_windows := v_windows || v_window.id;
  end loop;
  if v_busy then
    return jsonb_build_object('next', 'busy', 'expired', exists (
      select from credit_reservations where expires_at <= v_now and organization_id = p_organization));
  end if;
  update credit_windows w set reserved = w.reserved + p_credits, max_credits = k.max_credits
    from unnest(v_caps) k where w.id = any(v_windows) and (w.scope, w.period) = (k.scope, k.period);
  insert into credit_reservations (id, organization_id, windows, credits, expires_at)
    values (p_id, p_organization, v_windows, p_credits, v_now + p_seconds * interval '1 second');
  return jsonb_build_object('next', 'reserved');
end $$;
