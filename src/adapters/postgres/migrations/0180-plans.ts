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
