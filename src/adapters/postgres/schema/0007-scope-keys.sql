-- The key with which the API signs the organization of a connection (see ../functions/parley_organization.sql). The
-- table has one row.
create table scope_keys (
  id integer primary key default 1 check (id = 1),
  key bytea not null default sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'utf8'))
);
insert into scope_keys default values;
