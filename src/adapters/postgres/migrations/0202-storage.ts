/** How many bytes of files an organization keeps, counted as they come and go, and how many it may keep. */
export const up = `
-- Null: what the installation's row storage_limit_megabytes says.
alter table organizations add storage_limit_megabytes integer check (storage_limit_megabytes >= 0);

create table storage_used (
  organization_id uuid primary key references organizations on delete cascade,
  bytes bigint not null
);
insert into storage_used
  select organization_id, sum(octet_length(content)) from attachments
    where content is not null and organization_id in (select id from organizations) group by organization_id;

-- In bytes; null: none.
create function storage_limit(p_organization uuid) returns bigint language sql stable as $$
  select coalesce(o.storage_limit_megabytes, (select value::integer from installation where name = 'storage_limit_megabytes'))
      * 1048576::bigint
    from organizations o where o.id = p_organization
$$;

-- SQLSTATE PS001: the file is refused, and with it what its transaction would have written.
create function count_storage() returns trigger language plpgsql as $$
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
create trigger count_storage_of_new after insert on attachments for each row
  when (new.content is not null) execute function count_storage();
create trigger count_storage_of_changed after update of content on attachments for each row execute function count_storage();
create trigger count_storage_of_deleted after delete on attachments for each row
  when (old.content is not null) execute function count_storage();

-- As in 0083-message-limits, and storage.
create or replace function change_organization(p jsonb) returns organizations language plpgsql as $$
declare
  v_organization organizations;
  v_set jsonb := p->'set';
begin
  update organizations set
      retention_days = case when v_set ? 'retention_days' then (v_set->>'retention_days')::integer else retention_days end,
      monthly_credit_limit = case when v_set ? 'monthly_credit_limit' then (v_set->>'monthly_credit_limit')::double precision
        else monthly_credit_limit end,
      monthly_message_limit = case when v_set ? 'monthly_message_limit' then (v_set->>'monthly_message_limit')::integer
        else monthly_message_limit end,
      storage_limit_megabytes = case when v_set ? 'storage_limit_megabytes' then (v_set->>'storage_limit_megabytes')::integer
        else storage_limit_megabytes end
    where id = (p->>'organization_id')::uuid returning * into v_organization;
  if found and v_set <> '{}' then perform audit_by(p, 'organization_changed', v_set::text); end if;
  return v_organization;
end $$;
`;
