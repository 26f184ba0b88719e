-- Returns the SHA-256, in hexadecimal, of a tool's name and the arguments of a call. The order of the arguments' keys
-- does not matter, because jsonb sorts keys. Locks nothing.
create or replace function approval_hash(p_tool text, p_arguments jsonb) returns text language sql immutable as $$
  select encode(sha256(convert_to(p_tool || chr(10) || p_arguments::text, 'utf8')), 'hex')
$$;
