-- Stores the files of a message. Locks: the organization's row of storage_used (count_storage); the caller holds the
-- conversation's lock.
-- p_files: [{ id, filename?, content_type?, url?, gateway_message_id?, starts?, size? }], in order.
-- p_bytes: the concatenated contents of the files without url and gateway_message_id. `starts` (from 1) and `size`,
-- both in bytes, locate a file's content. The contents are not base64 in the JSON, because Postgres would copy and scan
-- the JSON several times.
create or replace function insert_files(p_message uuid, p_files jsonb, p_bytes bytea) returns void language sql as $$
  insert into attachments (id, organization_id, conversation_id, message_id, position, state, filename, content_type, url,
                           gateway_message_id, content, size)
    select (f->>'id')::uuid, m.organization_id, m.conversation_id, m.id, n,
           case when coalesce(f->>'url', f->>'gateway_message_id') is null then 'stored' else 'unfetched' end,
           f->>'filename', f->>'content_type', f->>'url', f->>'gateway_message_id',
           substring(p_bytes from (f->>'starts')::integer for (f->>'size')::integer), (f->>'size')::integer
      from messages m, jsonb_array_elements(p_files) with ordinality as given(f, n) where m.id = p_message
$$;
