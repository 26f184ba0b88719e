-- Requests an erasure of kind p_kind. A worker carries it out once it is due: for an organization at once, for other
-- data after 15 s, so that the caller can erase that data first. A repeated request keeps the first id and sets the due
-- time again.
-- Locks: the erasure, if it was requested before. A concurrent request for the same data waits.
-- Returns { id, target }: the erasure's id, and the target for the audit log. For a contact, the target contains
-- conversation ids instead of the contact_id. Returns null if there is nothing to erase.
create or replace function request_erasure(p_id uuid, p_organization uuid, p_kind text, p_key text) returns jsonb language plpgsql as $$
declare
  v_target text;
  v_id uuid;
begin
  if p_kind = 'conversation' then
    select id::text into v_target from conversations where organization_id = p_organization and id = p_key::uuid;
  elsif p_kind = 'contact' then
    select 'conversations ' || coalesce(string_agg(id::text, ', ' order by id), 'none') into v_target
      from conversations_of_contact(p_organization, p_key) as id
      having count(*) > 0 or contact_rows(p_organization, p_key) <> '{}';
  else
    select id::text into v_target from organizations where id = p_organization;
  end if;
  if v_target is null then return null; end if;

  insert into erasures (id, organization_id, kind, key, due_at)
    values (p_id, p_organization, p_kind, p_key,
            clock_timestamp() + case when p_kind = 'organization' then interval '0' else interval '15 s' end)
    on conflict (organization_id, kind, key) do update set due_at = excluded.due_at returning id into v_id;
  return jsonb_build_object('id', v_id, 'target', v_target);
end $$;
