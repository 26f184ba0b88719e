/**
 * Passes the files of a message to Postgres as one binary parameter beside the JSON. As base64 in the JSON, Postgres would
 * copy and scan each file several times.
 */
import { v7 as newId } from 'uuid';
import type { AttachmentInput } from '../../../contract/conversations/chat.ts';
import { FileBytes } from '../../../contract/file-bytes.ts';

export interface GivenFiles {
  rows: Record<string, unknown>[];
  /** The contents of all files that are not given by URL, one after the other. */
  bytes: Uint8Array;
}

/**
 * Separates the files' contents from their other fields. Each call creates new ids.
 * @returns a row per file with its position from 1; `starts` (from 1) and `size` locate its content in `bytes`
 */
export function givenFiles(attachments: readonly AttachmentInput[]): GivenFiles {
  const contents: Uint8Array[] = [];
  let starts = 1;
  const rows = attachments.map((attachment, index) => {
    const row = { id: newId(), position: index + 1 };
    if ('url' in attachment) return { ...row, ...attachment };
    const { content_base64: given, ...named } = attachment;
    const content = given instanceof FileBytes ? given.bytes : Buffer.from(given, 'base64');
    contents.push(content);
    const from = starts;
    starts += content.byteLength;
    return { ...row, ...named, starts: from, size: content.byteLength };
  });
  // A single file is passed on without a copy.
  const [only] = contents;
  return { rows, bytes: contents.length === 1 && only ? only : Buffer.concat(contents) };
}

/**
 * Writes the rows of `$1->'files'`.
 * @param message relation with organization_id, conversation_id and message_id
 * @param bytes parameter with the bytes
 */
export function insertFiles(message: string, bytes: string): string {
  return `insert into attachments (id, organization_id, conversation_id, message_id, position, filename, content_type, url, content, size)
      select f.id, m.organization_id, m.conversation_id, m.message_id, f.position, f.filename, f.content_type, f.url,
             substring(${bytes}::bytea from f.starts for f.size), f.size
        from ${message} m, jsonb_to_recordset($1::jsonb->'files') as f (id uuid, position integer, filename text,
             content_type text, url text, starts integer, size integer)`;
}
