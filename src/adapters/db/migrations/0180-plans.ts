/**
 * Indexes and functions without which a statement reads the rows of all organizations: `test/plans` runs every statement
 * beside a million messages of two organizations and fails if one does.
 */
export const up = `
create index idempotency_keys_of_message on idempotency_keys (message_id);
create index deliveries_of_run on deliveries (run_id) where run_id is not null;
create index audit_log_by_action on audit_log (action, organization_id, id);

-- Foreign keys to agents: erasing an organization deletes its agents, and Postgres then looks for each in these tables.
create index inboxes_of_agent on inboxes (agent_id);
create index conversations_of_agent on conversations (agent_id, organization_id, id);
create index runs_of_agent on runs (agent_id);
create index deliveries_of_agent on deliveries (agent_id) where agent_id is not null;

create index runs_failed on runs (organization_id, conversation_id) where state = 'failed';

-- All but those that have been delivered: few, and what people look for.
create index deliveries_not_delivered on deliveries (status, organization_id, id) where status <> 'delivered';

-- The agent whose delivery it is: of an alert its own, of a callback or a reply that of the run.
alter table deliveries add of_agent_id uuid;
update deliveries d set of_agent_id = coalesce(d.agent_id, (select r.agent_id from runs r where r.id = d.run_id));
create function set_delivery_agent() returns trigger language plpgsql as $$
begin
  new.of_agent_id := coalesce(new.agent_id, (select r.agent_id from runs r where r.id = new.run_id));
  return new;
end $$;
create trigger set_delivery_agent before insert on deliveries for each row execute function set_delivery_agent();
create index deliveries_by_agent on deliveries (of_agent_id, organization_id, id);

-- As in 0062-usage; the run's token is looked up by the run, never by reading the tokens of all runs.
create or replace function usage_since(p_organization uuid, p_since timestamptz, p_token uuid)
returns table (day date, messages bigint, runs bigint, credits double precision) language sql stable as $$
  select (r.finished_at at time zone 'utc')::date, r.message_count::bigint, 1::bigint,
         coalesce((select sum(s.credits) from run_steps s where s.run_id = r.id), 0)
    from runs r where r.organization_id = p_organization and r.finished_at >= p_since
      and (p_token is null or (select t.token_id from run_tokens t where t.run_id = r.id) = p_token)
  union all
  select k.day, k.messages, k.runs, k.credits from usage_kept k
    where k.organization_id = p_organization and k.day >= (p_since at time zone 'utc')::date
      and (p_token is null or k.token_id = p_token)
$$;

-- Since 0140-contact-identity, contact_rows and conversations_of_contact take its place.
drop function contact_names(uuid, text);

-- As in 0140-contact-identity; the function is called once, not for every conversation there is.
create or replace function resume_conversation(p_conversation uuid) returns void language plpgsql as $$
declare
  v_all uuid[] := conversations_of_same_contact(p_conversation);
begin
  update conversations set paused_until = null, paused_by = null, paused_by_name = null, updated_at = clock_timestamp()
    where id = any(v_all);
end $$;

-- As in 0140-contact-identity; offset 0 keeps the look-ups by agent and number, of which there is an index.
create or replace function contact_rows(p_organization uuid, p_contact text) returns uuid[] language plpgsql stable as $$
declare
  v_address text := case when p_contact like 'whatsapp:%' then split_part(substr(p_contact, 10), '#', 1) end;
  v_rows uuid[];
  v_more uuid[];
begin
  select array_agg(id) into v_more from (
    select k.id from channel_contacts k join channels h on h.agent_id = k.agent_id
      where k.contact_id = p_contact and h.organization_id = p_organization
    union select k.id from channels h join channel_contacts k on k.agent_id = h.agent_id and k.phone = v_address
      where h.organization_id = p_organization
    union select k.id from channels h join channel_contacts k on k.agent_id = h.agent_id and k.lid = v_address
      where h.organization_id = p_organization
    union select channel_contact_id from conversations
      where organization_id = p_organization and contact_id = p_contact and channel_contact_id is not null) named;
  while v_more is not null loop
    v_rows := v_rows || v_more;
    select array_agg(same.id) into v_more from channel_contacts k join channels h on h.organization_id = p_organization
      cross join lateral (
        select o.id from channel_contacts o where o.agent_id = h.agent_id and o.lid = k.lid
        union
        select o.id from channel_contacts o where o.agent_id = h.agent_id and o.phone = k.phone
          and (o.lid is null or k.lid is null)
        offset 0) same
      where k.id = any(v_rows) and same.id <> all(v_rows);
  end loop;
  return coalesce(v_rows, '{}');
end $$;

-- As in 0060-erasures, by indexes.
create or replace function erase_conversation(p_conversation uuid, p_note uuid) returns boolean language plpgsql as $$
declare
  v_organization uuid;
begin
  select organization_id into v_organization from conversations where id = p_conversation for update;
  if not found then return false; end if;
  insert into erasures (id, organization_id, kind, key) values (p_note, v_organization, 'workflow', p_conversation::text)
    on conflict (organization_id, kind, key) do update set due_at = excluded.due_at;
  -- Its row is locked: no input comes in between, so nothing is noted for it any more.
  delete from idempotency_keys where conversation_id = p_conversation;
  delete from gateway_events where conversation_id = p_conversation;
  delete from gateway_events where message_id = any(array(select id from messages where conversation_id = p_conversation));
  delete from conversations where id = p_conversation;
  return true;
end $$;
`;
