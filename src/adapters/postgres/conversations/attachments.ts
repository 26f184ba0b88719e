import { z } from 'zod';
import type { UnfetchedFileState } from '../../../domain/conversations/unfetched-file.ts';
import { camelRow, queryResult, queryRows, resultRow, statement, type Database } from '../database.ts';
import { isStorageFull } from '../data/storage.ts';

/** The source of a file to fetch: its URL, or the gateway of an agent's channel, which creates a link to the file. */
const fileSource = z.union([
  z.object({ kind: z.literal('url'), url: z.string() }),
  camelRow({ kind: z.literal('gateway'), messageId: z.string(), agentId: z.string() }),
]);
export type FileSource = z.infer<typeof fileSource>;

const unfetchedFile = camelRow({
  source: fileSource,
  /** Size in bytes, as the sender stated it; null if the sender stated none. */
  size: z.number().nullable(),
  organizationId: z.string(),
  /** Total bytes of the files that were fetched for the file's run; 0 if the file has no run. */
  fetchedBytes: z.number(),
  /** Bytes that the organization may still store; null: unlimited. */
  storageLeft: z.number().nullable(),
});
export type UnfetchedFile = z.infer<typeof unfetchedFile>;

export const storedFile = z.object({
  filename: z.string().nullable(),
  content_type: z.string().nullable(),
  content: z.instanceof(Buffer),
});

/** Finds a file to fetch. @returns undefined if the file is stored, was erased, or is never fetched again */
export const findUnfetched = statement('unfetched-attachment', unfetchedFile).row<[id: string]>`
  select f.size, f.organization_id,
      case when f.url is null then jsonb_build_object('kind', 'gateway', 'message_id', f.gateway_message_id, 'agent_id', c.target_id)
        else jsonb_build_object('kind', 'url', 'url', f.url) end as source,
      case when r.id is null then 0 else r.fetched_bytes end as fetched_bytes,
      storage_limit(f.organization_id) - coalesce(
        (select bytes from storage_used u where u.organization_id = f.organization_id), 0) as storage_left
    from attachments f join conversations c on c.id = f.conversation_id
      join messages m on m.id = f.message_id left join runs r on r.id = m.run_id
    where f.id = $1 and f.state in ('unfetched', 'later')`;

/**
 * Finds unfetched files of channel messages for which no run waits, those of the oldest messages first. `is_old` is
 * true if the message is older than two days. Gateways offer a file for only two days, so the caller's attempt must
 * then be the last one.
 */
export const findFilesForLater = statement(
  'files-for-later',
  z.object({ id: z.string(), is_old: z.boolean() }),
).rows<[limit: number]>`
  select f.id, m.created_at < clock_timestamp() - interval '2 days' as is_old
    from attachments f join messages m on m.id = f.message_id left join runs r on r.id = m.run_id
      join conversations c on c.id = f.conversation_id
    where f.state in ('unfetched', 'later') and (r.id is null or r.state not in ('collecting', 'ready', 'running'))
      and c.channel <> 'api'
      and (f.state = 'unfetched' or m.created_at > clock_timestamp() - interval '2 days')
    order by m.created_at limit $1`;

const unfetchable = statement('record-unfetched-attachment')`
  update attachments set state = $2, error = $3 where id = $1 and state in ('unfetched', 'later')`;

/** Records why a file is not stored. Does nothing if the file is stored, has another final state, or was erased. */
export async function recordUnfetched(
  db: Database,
  id: string,
  { state, error }: UnfetchedFileState,
): Promise<void> {
  await queryRows(db, unfetchable, [id, state, error]);
}

const addPiece = statement('add-attachment-piece')`
  insert into attachment_pieces (attachment_id, attempt, position, bytes)
    select id, $2, $3, $4 from attachments where id = $1`;
const joinPieces = statement('keep-attachment-pieces', resultRow(z.enum(['kept', 'gone', 'too_large'])))`
  select keep_attachment_pieces($1, $2, $3, $4, $5) as result`;
const dropPieces = statement('drop-attachment-pieces')`
  delete from attachment_pieces where attachment_id = $1 and attempt = $2`;

export interface FileAttempt {
  attachmentId: string;
  attempt: string;
}

/** Stores one piece of a file. Does nothing if the file was erased. */
export async function writeFilePiece(
  db: Database,
  { attachmentId, attempt }: FileAttempt,
  position: number,
  bytes: Buffer,
): Promise<void> {
  await queryRows(db, addPiece, [attachmentId, attempt, position, bytes]);
}

/**
 * Joins the pieces of an attempt into the content of the file.
 * @returns `kept` if this call has stored the file; `gone` if the file is already stored, was erased, or is never
 * fetched again; `too_large` if the files of its run together, or the file alone if it has no run, would exceed
 * `maxRunBytes`; `storage_full` if the organization's storage is full
 * @throws Error if pieces are missing
 */
export async function keepFilePieces(
  db: Database,
  { attachmentId, attempt }: FileAttempt,
  file: { size: number; contentType: string | undefined; maxRunBytes: number },
): Promise<'kept' | 'gone' | 'too_large' | 'storage_full'> {
  const values = [attachmentId, attempt, file.size, file.contentType ?? null, file.maxRunBytes];
  try {
    return await queryResult(db, joinPieces, values);
  } catch (error) {
    if (isStorageFull(error)) return 'storage_full';
    throw error;
  }
}

/** Deletes the pieces of a failed attempt. */
export async function dropFilePieces(db: Database, { attachmentId, attempt }: FileAttempt): Promise<void> {
  await queryRows(db, dropPieces, [attachmentId, attempt]);
}

/** Loads a file into memory. @returns undefined if it does not exist or its content is not stored */
export const findFile = statement('stored-file', storedFile).row<[id: string]>`
  select filename, content_type, content from attachments where id = $1 and state = 'stored'`;
