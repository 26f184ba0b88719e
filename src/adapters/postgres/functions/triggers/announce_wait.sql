-- Announces that a conversation begins to wait for a person: writes an alert to the alert URL of its agent's channel or,
-- if there is none, to each webhook endpoint with waiting_alerts, and a row of waiting_mails if a member gets emails.
-- Writes neither if 100 of the agent's alerts, or 100 rows of the organization, wait already. The alert's id is a UUID of
-- version 7. Locks nothing.
create or replace function announce_wait() returns trigger language plpgsql as $$
declare
  v_form text := 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
begin
  insert into deliveries (id, organization_id, agent_id, of_agent_id, event, kind, url, request_body)
    select (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
             || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid,
           new.organization_id, r.agent_id, r.agent_id, 'conversation.waiting', 'alert', r.url,
           json_build_object('event', 'conversation.waiting', 'agent_id', new.agent_id, 'conversation_id', new.id, 'channel', new.channel,
             'reason', case when new.waiting_handed_over then 'hand_over' else 'message' end,
             'waiting_since', to_char(new.waiting_since at time zone 'utc', v_form),
             'timestamp', to_char(clock_timestamp() at time zone 'utc', v_form))::text
      from (select h.agent_id, h.alert_url as url from channels h where h.agent_id = new.target_id and h.alert_url is not null
            union all
            select new.agent_id, e.url from webhook_endpoints e where e.organization_id = new.organization_id and e.waiting_alerts
              and not exists (select from channels h where h.agent_id = new.target_id and h.alert_url is not null)) r
      where (select count(*) < 100 from (select from deliveries d
               where d.agent_id = r.agent_id and d.kind = 'alert' and d.status = 'pending' limit 100) pending);
  insert into waiting_mails (conversation_id, organization_id)
    select new.id, new.organization_id
      where exists (select from console_members m where m.organization_id = new.organization_id and m.mails_waiting)
        and (select count(*) < 100 from (select from waiting_mails w where w.organization_id = new.organization_id limit 100) queued)
    on conflict do nothing;
  return null;
end $$;
