-- The function returns a boolean now (see ../functions/erase_expired.sql).
drop function if exists erase_expired(uuid, timestamptz, uuid);
