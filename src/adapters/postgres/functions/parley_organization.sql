-- The organization whose rows the current transaction may read (see ../row-security.ts); null: none. Locks nothing.
create or replace function parley_organization() returns uuid language sql stable parallel safe as
  $$ select nullif(current_setting('parley.organization', true), '')::uuid $$;
