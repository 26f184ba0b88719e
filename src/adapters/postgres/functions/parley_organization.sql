-- Returns the organization whose rows the current connection may read (see ../row-security.ts), or null. Locks nothing.
create or replace function parley_organization() returns uuid language sql stable parallel safe as
  $$ select nullif(current_setting('parley.organization', true), '')::uuid $$;
