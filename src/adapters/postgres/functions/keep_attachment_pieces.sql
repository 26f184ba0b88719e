-- Joins the pieces of a fetched file, and stores them as its content. Locks: the attachment, then its run if it has
-- one, then the organization's row of storage_used (count_storage).
-- Returns:
--   kept       the file is stored
--   gone       the file was already stored, has failed permanently, or was erased
--   too_large  the files of the run would exceed p_max_run_bytes; without a run, the file alone would
-- Raises an exception if pieces are missing, and PS001 if the organization's storage is full.
create or replace function keep_attachment_pieces(p_attachment uuid, p_attempt uuid, p_size integer, p_content_type text, p_max_run_bytes bigint)
returns text language plpgsql as $$
declare
  v_run uuid;
  v_content bytea;
begin
  select m.run_id into v_run from attachments f join messages m on m.id = f.message_id
    where f.id = p_attachment and f.state in ('unfetched', 'later') for update of f;
  if not found then return 'gone'; end if;
  update runs set fetched_bytes = fetched_bytes + p_size
    where id = v_run and fetched_bytes + p_size <= p_max_run_bytes;
  if not found and (v_run is not null or p_size > p_max_run_bytes) then return 'too_large'; end if;
  select string_agg(bytes, ''::bytea order by position) into v_content from attachment_pieces
    where attachment_id = p_attachment and attempt = p_attempt;
  if coalesce(octet_length(v_content), 0) <> p_size then raise exception 'pieces of the file % are lost', p_attachment; end if;
  update attachments set state = 'stored', content = coalesce(v_content, ''::bytea), size = p_size,
      content_type = coalesce(content_type, p_content_type), error = null where id = p_attachment;
  delete from attachment_pieces where attachment_id = p_attachment and attempt = p_attempt;
  return 'kept';
end $$;
