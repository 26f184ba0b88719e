/** Reads the files that an action may use: its conversation's or, if it has no conversation, its organization's. */
import { z } from 'zod';
import { queryRow, queryRows, statement, type Database } from '../database.ts';

export interface FileScope {
  organizationId: string;
  /** Null: the files of all conversations of the organization. */
  conversationId: string | null;
}

const readableFile = z.object({
  filename: z.string().nullable(),
  /** Bytes of the stored content. If it is not stored: the size that was recorded with the message, or null. */
  size: z.number().nullable(),
  /** Null if the content is not stored, or larger than `maxBytes`. */
  content: z.instanceof(Buffer).nullable(),
  /** Why the file is not stored; null if it is stored, or if no reason is recorded. */
  error: z.string().nullable(),
});
export type ReadableFile = z.infer<typeof readableFile>;

const inScope = 'organization_id = $1 and ($2::uuid is null or conversation_id = $2)';

const read = statement('read-stored-file', readableFile)`
  select filename, coalesce(octet_length(content), size) as size, error,
      case when octet_length(content) <= $4 then content end as content
    from attachments where id = $3 and ${inScope}`;

/**
 * Reads one file.
 * @param maxBytes above this size, the content is not read
 * @returns undefined if the scope has no such file
 */
export async function readStoredFile(
  db: Database,
  { organizationId, conversationId }: FileScope,
  id: string,
  maxBytes: number,
): Promise<ReadableFile | undefined> {
  return await queryRow(db, read, [organizationId, conversationId, id, maxBytes]);
}

const list = statement('list-stored-files', z.object({ key: z.string(), name: z.string().nullable() }))`
  select id as key, filename as name from attachments
    where organization_id = $1 and conversation_id = $2 and state = 'stored' order by id desc limit 50`;

/** @returns the newest 50 stored files of the conversation, newest first; an empty list without a conversation */
export async function listStoredFiles(
  db: Database,
  { organizationId, conversationId }: FileScope,
): Promise<{ key: string; name: string | null }[]> {
  return conversationId === null ? [] : await queryRows(db, list, [organizationId, conversationId]);
}
