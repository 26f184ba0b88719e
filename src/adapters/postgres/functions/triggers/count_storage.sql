-- Updates the number of bytes that an organization's files use when a file is written, changed or deleted. Locks: the
-- organization's row of storage_used.
-- Raises SQLSTATE PS001 if the storage limit would be exceeded, which rolls back the transaction that writes the file.
create or replace function count_storage() returns trigger language plpgsql as $$
declare
  v_organization uuid := coalesce(new.organization_id, old.organization_id);
  v_more bigint := coalesce(octet_length(new.content), 0) - coalesce(octet_length(old.content), 0);
  v_bytes bigint;
begin
  if v_more < 0 then
    update storage_used set bytes = bytes + v_more where organization_id = v_organization;
  elsif v_more > 0 then
    insert into storage_used as u values (v_organization, v_more)
      on conflict (organization_id) do update set bytes = u.bytes + excluded.bytes returning u.bytes into v_bytes;
    if v_bytes > storage_limit(v_organization) then
      raise exception using errcode = 'PS001', message = 'the storage of this organization is full';
    end if;
  end if;
  return null;
end $$;
