/** Passes the files of a message to Postgres as one binary parameter instead of in the JSON (see insert_files.sql). */
import { v7 as newId } from 'uuid';
import type { AttachmentInput } from '../../../contract/conversations/chat.ts';
import { FileBytes } from '../../../contract/file-bytes.ts';

export interface GivenFiles {
  rows: Record<string, unknown>[];
  /** The concatenated contents of all files that have no URL. */
  bytes: Uint8Array;
}

/**
 * Separates the files' contents from their other fields. Each call creates new ids.
 * @returns the contents, and a row per file in the same order. In the row of a file without a URL, `starts` (from 1)
 * and `size`, both in bytes, locate the file's content in `bytes`
 */
export function givenFiles(attachments: readonly AttachmentInput[]): GivenFiles {
  const contents: Uint8Array[] = [];
  let starts = 1;
  const rows = attachments.map((attachment) => {
    const id = newId();
    if ('url' in attachment) return { id, ...attachment };
    const { content_base64: given, ...named } = attachment;
    const content = given instanceof FileBytes ? given.bytes : Buffer.from(given, 'base64');
    contents.push(content);
    const from = starts;
    starts += content.byteLength;
    return { id, ...named, starts: from, size: content.byteLength };
  });
  // Returns the content of a single file without copying it.
  const [only] = contents;
  return { rows, bytes: contents.length === 1 && only ? only : Buffer.concat(contents) };
}
