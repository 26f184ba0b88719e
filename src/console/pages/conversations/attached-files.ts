/** Decides which files a message takes, and reads them for the request. */
import { contentTypePattern, maxAttachments, maxFilesBytes } from '../../../contract/conversations/limits.ts';
import { texts } from '../../messages.ts';

export interface Attached {
  files: readonly File[];
  /** The names of the files that were refused last, by reason. */
  refused: Readonly<Record<Refusal, readonly string[]>>;
}
type Refusal = keyof typeof texts.attachments.refused;

export const nothingAttached: Attached = { files: [], refused: { empty: [], tooLarge: [], tooMany: [] } };

/** Attaches the given files that the API would accept, in their order. */
export function attach(attached: readonly File[], given: readonly File[]): Attached {
  const files = [...attached];
  const refused: Record<Refusal, string[]> = { empty: [], tooLarge: [], tooMany: [] };
  for (const file of given) {
    const bytes = files.reduce((sum, { size }) => sum + size, file.size);
    if (file.size === 0) refused.empty.push(file.name);
    else if (bytes > maxFilesBytes) refused.tooLarge.push(file.name);
    else if (files.length === maxAttachments) refused.tooMany.push(file.name);
    else files.push(file);
  }
  return { files, refused };
}

/**
 * Reads the files into the field `attachments` of a request. Omits a content type that the API would refuse.
 * @throws Error with a text for the user if a file can no longer be read
 */
export async function attachmentsOf(files: readonly File[]) {
  return await Promise.all(
    files.map(async (file) => ({
      content_base64: await base64Of(file),
      filename: file.name,
      ...(contentTypePattern.test(file.type) && { content_type: file.type }),
    })),
  );
}

/** Bytes that are converted at a time: `String.fromCharCode` gets each as an argument. Chosen. */
const pieceBytes = 32 * 1024;

async function base64Of(file: File): Promise<string> {
  const content = await file.arrayBuffer().catch((cause: unknown) => {
    throw new Error(texts.attachments.unreadable(file.name), { cause });
  });
  const bytes = new Uint8Array(content);
  let binary = '';
  for (let at = 0; at < bytes.length; at += pieceBytes)
    binary += String.fromCharCode(...bytes.subarray(at, at + pieceBytes));
  return btoa(binary);
}
