-- Writes an audit event about a cap on credits. The event's target contains the cap's scope, the name or id of what the
-- cap limits, the credits used in the period, and the cap. The event's id is a UUID of version 7. Locks nothing.
create or replace function record_credit_event(p_window uuid, p_action text) returns void language sql as $$
  insert into audit_log (id, organization_id, actor, action, target)
    select (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
             || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid, w.organization_id, 'Parley', p_action,
           left(w.scope || case w.scope
                  when 'agent' then ' ' || coalesce((select name from agents where id = w.subject), w.subject::text)
                  when 'token' then ' ' || coalesce((select name from api_tokens where id = w.subject), w.subject::text)
                  when 'organization' then '' else ' ' || w.subject end
                || ': ' || trim_scale(w.settled) || ' of ' || trim_scale(w.max_credits) || ' credits of the ' || w.period, 300)
      from credit_windows w where w.id = p_window
$$;
