-- Requests an erasure and records it in the audit log; for a contact, the log contains conversation ids instead of the
-- contact_id. For an organization, also calls close_organization.
-- p: { id, organization_id, kind, key, audit_id, user_id?, token_id?, actor, address? }
-- Returns the erasure's id; a repeated call returns the id of the first request. Null if there is nothing to erase.
create or replace function request_erasure(p jsonb) returns uuid language plpgsql as $$
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
    select 'conversations ' || coalesce(string_agg(id::text, ', ' order by id), 'none') into v_target
      from conversations_of_contact(v_organization, v_key) as id
      having count(*) > 0 or contact_rows(v_organization, v_key) <> '{}';
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
