-- Returns the storage limit of an organization in bytes: its own limit, or else the installation's default. Returns
-- null if there is neither. Locks nothing.
create or replace function storage_limit(p_organization uuid) returns bigint language sql stable as $$
  select coalesce(o.storage_limit_megabytes, (select value::integer from installation where name = 'storage_limit_megabytes'))
      * 1048576::bigint
    from organizations o where o.id = p_organization
$$;
