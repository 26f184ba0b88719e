/** What is to be erased, kept until it is: of a contact and a conversation by one call, of an organization by the sweep. */
export const up = `
-- 'workflow': the histories of an erased conversation, which are looked for until none is left. A contact's key is
-- its own, and gone with this row.
create table erasures (
  id uuid primary key,
  organization_id uuid not null,
  kind text not null check (kind in ('conversation', 'contact', 'organization', 'workflow')),
  key text not null,
  requested_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null default clock_timestamp(),
  unique (organization_id, kind, key)
);
create index erasures_due on erasures (due_at);

create index conversations_by_contact on conversations (organization_id, contact_id) where contact_id is not null;
create index channel_contacts_by_contact on channel_contacts (contact_id);
create index idempotency_keys_of_conversation on idempotency_keys (conversation_id);
create index gateway_events_of_conversation on gateway_events (conversation_id) where conversation_id is not null;
create index gateway_events_of_message on gateway_events (message_id) where message_id is not null;

-- Every name under which the channels of an organization know the contact: by phone, by LID, of several agents.
create function contact_names(p_organization uuid, p_contact text) returns text[] language plpgsql stable as $$
declare
  v_names text[] := array[p_contact];
  v_more text[];
begin
  loop
    select array_agg(distinct other.contact_id) into v_more
      from channel_contacts known join channels h on h.agent_id = known.agent_id and h.organization_id = p_organization
      join channels o on o.organization_id = p_organization
      join channel_contacts other on other.agent_id = o.agent_id and (other.phone = known.phone or other.lid = known.lid)
      where known.contact_id = any(v_names) and other.contact_id <> all(v_names);
    exit when v_more is null;
    v_names := v_names || v_more;
  end loop;
  return v_names;
end $$;

-- An entry in the audit log, in the transaction of what it tells of.
-- p: { organization_id, audit_id, user_id?, token_id?, actor, address? }
create function audit_by(p jsonb, p_action text, p_target text) returns void language sql as $$
  insert into audit_log (id, organization_id, actor_id, actor, action, target, address)
    values ((p->>'audit_id')::uuid, (p->>'organization_id')::uuid, coalesce((p->>'user_id')::uuid, (p->>'token_id')::uuid),
            coalesce((select email from console_users where id = (p->>'user_id')::uuid),
                     (select 'API token ' || name || ' (' || prefix || '…)' from api_tokens where id = (p->>'token_id')::uuid),
                     p->>'actor'),
            p_action, left(p_target, 300), p->>'address')
$$;

-- p: { id, organization_id, kind, key, audit_id, user_id?, token_id?, actor, address? }. In one transaction with its
-- entry in the audit log, which names no contact. Null where there is nothing of that kind and key.
create function request_erasure(p jsonb) returns uuid language plpgsql as $$
declare
  v_organization uuid := (p->>'organization_id')::uuid;
  v_kind text := p->>'kind';
  v_key text := p->>'key';
  v_target text;
  v_id uuid;
begin
  if v_kind = 'conversation' then
    select id::text into v_target from conversations where organization_id = v_organization and id = v_key::uuid;
  elsif v_kind = 'contact' then
    select 'conversations ' || coalesce(string_agg(id::text, ', ' order by id), 'none') into v_target from conversations
      where organization_id = v_organization and contact_id = any(contact_names(v_organization, v_key))
      having count(*) > 0 or exists (select from channel_contacts k join channels h on h.agent_id = k.agent_id
        where h.organization_id = v_organization and k.contact_id = v_key);
  else
    select id::text into v_target from organizations where id = v_organization;
  end if;
  if v_target is null then return null; end if;

  insert into erasures (id, organization_id, kind, key, due_at)
    values ((p->>'id')::uuid, v_organization, v_kind, v_key,
            clock_timestamp() + case when v_kind = 'organization' then interval '0' else interval '15 s' end)
    on conflict (organization_id, kind, key) do update set due_at = excluded.due_at returning id into v_id;
  perform audit_by(p, v_kind || '_erased', v_target);
  if v_kind = 'organization' then perform close_organization(v_organization); end if;
  return v_id;
end $$;

-- From now on nobody and nothing of it is let in, and people who belong to no other organization are forgotten.
create function close_organization(p_organization uuid) returns void language plpgsql as $$
begin
  update api_tokens set revoked_at = coalesce(revoked_at, clock_timestamp()) where organization_id = p_organization;
  update agents set active = false where organization_id = p_organization;
  update channels set state = 'inactive', instance_token = null, next_check_at = null,
      webhook_secret_hash = decode(replace(gen_random_uuid()::text, '-', ''), 'hex')
    where organization_id = p_organization;
  delete from tool_connections where organization_id = p_organization;
  delete from console_users u using console_members m
    where m.organization_id = p_organization and m.user_id = u.id
      and not exists (select from console_members o where o.user_id = u.id and o.organization_id <> p_organization);
  delete from console_members where organization_id = p_organization;
end $$;

-- All of a conversation but its histories, which are noted to be erased. False when it is gone already.
create function erase_conversation(p_conversation uuid, p_note uuid) returns boolean language plpgsql as $$
declare
  v_organization uuid;
begin
  select organization_id into v_organization from conversations where id = p_conversation for update;
  if not found then return false; end if;
  insert into erasures (id, organization_id, kind, key) values (p_note, v_organization, 'workflow', p_conversation::text)
    on conflict (organization_id, kind, key) do update set due_at = excluded.due_at;
  -- Its row is locked: no input comes in between, so nothing is noted for it any more.
  delete from idempotency_keys where conversation_id = p_conversation;
  delete from gateway_events where conversation_id = p_conversation
    or message_id in (select id from messages where conversation_id = p_conversation);
  delete from conversations where id = p_conversation;
  return true;
end $$;

-- A contact without conversations. One that has written again meanwhile is a new one, and stays.
create function erase_contact(p_organization uuid, p_contact text) returns void language sql as $$
  delete from channel_contacts k using channels h
    where h.agent_id = k.agent_id and h.organization_id = p_organization
      and k.contact_id = any(contact_names(p_organization, p_contact))
      and not exists (select from conversations c where c.target_id = k.agent_id and c.contact_id = k.contact_id)
$$;

-- An organization without conversations, a part at a time. False while there is more.
create function erase_organization(p_organization uuid) returns boolean language plpgsql as $$
begin
  delete from idempotency_keys where ctid in (select k.ctid from idempotency_keys k join api_tokens t on t.id = k.token_id
    where t.organization_id = p_organization limit 5000);
  if found then return false; end if;
  delete from gateway_events where ctid in (select e.ctid from gateway_events e join channels h on h.agent_id = e.agent_id
    where h.organization_id = p_organization limit 5000);
  if found then return false; end if;
  delete from tool_executions where ctid in (select ctid from tool_executions where organization_id = p_organization limit 500);
  if found then return false; end if;
  delete from inboxes where organization_id = p_organization;
  delete from agents where organization_id = p_organization;
  delete from organizations where id = p_organization;
  -- Histories are found by their organization from here on.
  delete from erasures where organization_id = p_organization and kind <> 'organization';
  return true;
end $$;
`;
