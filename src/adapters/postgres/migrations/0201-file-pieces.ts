/**
 * Files are written while they are fetched, piece by piece, and put together by Postgres: a worker never holds a whole one.
 * Unlogged: a piece that a crash of Postgres loses is fetched again.
 */
export const up = `
create unlogged table attachment_pieces (
  attachment_id uuid not null references attachments on delete cascade,
  attempt uuid not null, -- two attempts at one file may overlap
  position integer not null,
  bytes bytea not null,
  created_at timestamptz not null default now(),
  primary key (attachment_id, attempt, position)
);
alter table attachment_pieces alter bytes set storage external;
create index attachment_pieces_by_age on attachment_pieces (created_at);

-- Bytes of the files that were fetched for a run.
alter table runs add fetched_bytes bigint not null default 0;

-- Returns kept; gone, if nobody wants the file any more; too_large, if the run has no room for it.
create function keep_attachment_pieces(p_attachment uuid, p_attempt uuid, p_size integer, p_content_type text, p_max_run_bytes bigint)
returns text language plpgsql as $$
declare
  v_message uuid;
  v_content bytea;
begin
  select message_id into v_message from attachments
    where id = p_attachment and content is null and (error is null or error like 'not fetched for now%') for update;
  if not found then return 'gone'; end if;
  update runs set fetched_bytes = fetched_bytes + p_size
    where id = (select m.run_id from messages m where m.id = v_message) and fetched_bytes + p_size <= p_max_run_bytes;
  if not found then return 'too_large'; end if;
  select string_agg(bytes, ''::bytea order by position) into v_content from attachment_pieces
    where attachment_id = p_attachment and attempt = p_attempt;
  if coalesce(octet_length(v_content), 0) <> p_size then raise exception 'pieces of the file % are lost', p_attachment; end if;
  update attachments set content = coalesce(v_content, ''::bytea), size = p_size,
      content_type = coalesce(content_type, p_content_type), error = null where id = p_attachment;
  delete from attachment_pieces where attachment_id = p_attachment and attempt = p_attempt;
  return 'kept';
end $$;
`;
