-- Returns the organization whose rows the current connection may read (see ../row-security.ts); null if there is none.
-- Reads its id from the setting parley.organization. Every login can change this setting, so it must also contain a
-- signature of the id with the key in scope_keys.
-- Accepts an id without a signature only from a login that can become the owner of the tables, because such a login can
-- read all rows in any case. Runs as the owner, because the roles that call this function cannot read the key. Locks
-- nothing.
create or replace function parley_organization() returns uuid
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_given text := current_setting('parley.organization', true);
  v_key bytea;
begin
  if v_given is null or v_given = '' then return null; end if;
  if length(v_given) = 36 then
    return case when pg_has_role(session_user, current_user, 'member') then v_given::uuid end;
  end if;
  select key into v_key from public.scope_keys;
  -- Compares hashes of the two signatures, so that the duration of the comparison reveals nothing about the signatures.
  if sha256(convert_to(substr(v_given, 38), 'utf8'))
      = sha256(convert_to(encode(sha256(v_key || sha256(v_key || convert_to(left(v_given, 36), 'utf8'))), 'hex'), 'utf8')) then
    return left(v_given, 36)::uuid;
  end if;
  return null;
end $$;
