/**
 * Takes large files out of a JSON body before it is parsed. Otherwise parsing, validating and writing the body would
 * copy and scan each file's base64 several times, and every other caller would wait for that.
 */
import { randomUUID } from 'node:crypto';
import { FileBytes } from '../contract/file-bytes.ts';
import { JsonText } from '../contract/text.ts';

/** Minimum characters of a value that is taken out. Shorter values cost little to parse, so they stay. Chosen. */
export const minFileChars = 64 * 1024;
/** Characters of base64 that are decoded at a time: a multiple of four, the length of a base64 group. Chosen. */
const pieceChars = 1024 * 1024;
const field = '"content_base64"';
const quote = 0x22;
const backslash = 0x5c;
const slash = 0x2f;

export interface Lifted {
  /** The JSON body, with a mark instead of each file. */
  rest: Buffer;
  /** True if the text contains a file's mark. */
  isIn: (text: string) => boolean;
  /** Replaces the marks in a parsed value with their files. */
  restore: (value: unknown) => unknown;
}

/**
 * Replaces each large value of a field `content_base64` with a mark. A value that is not valid base64 stays in the
 * body, so that the schema refuses it with its field's path.
 */
export function liftFiles(body: Buffer): Lifted {
  // The mark is random for each body, so that a caller cannot write it into the body.
  const mark = `${randomUUID()} `;
  const files: FileBytes[] = [];
  const parts: Buffer[] = [];
  let kept = 0;
  for (let start = body.indexOf(quote); start !== -1;) {
    const end = endOfString(body, start);
    if (end === -1) break;
    const file =
      end - start > minFileChars && isOfField(body, start) ? decode(body, start + 1, end) : undefined;
    if (file !== undefined) {
      parts.push(body.subarray(kept, start), Buffer.from(`"${mark}${files.length}"`));
      files.push(new FileBytes(file));
      kept = end + 1;
    }
    start = body.indexOf(quote, end + 1);
  }
  const restore = (value: unknown): unknown => {
    if (typeof value === 'string' && value.startsWith(mark)) return files[Number(value.slice(mark.length))];
    if (Array.isArray(value)) return value.map(restore);
    if (typeof value !== 'object' || value === null || value instanceof JsonText) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, restore(one)]));
  };
  return {
    rest: files.length === 0 ? body : Buffer.concat([...parts, body.subarray(kept)]),
    isIn: (text) => files.length > 0 && text.includes(mark),
    restore: (value) => (files.length === 0 ? value : restore(value)),
  };
}

/** @returns the index of the quote that ends the string with its opening quote at `start`; -1 if there is none */
function endOfString(body: Buffer, start: number): number {
  for (let end = body.indexOf(quote, start + 1); end !== -1; end = body.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (body[end - 1 - escapes] === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return -1;
}

/** True if the string with its opening quote at `start` is the value of a field `content_base64`. */
function isOfField(body: Buffer, start: number): boolean {
  const before = body
    .subarray(Math.max(0, start - 100), start)
    .toString('latin1')
    .trimEnd();
  return before.endsWith(':') && before.slice(0, -1).trimEnd().endsWith(field);
}

/** Decodes base64. @returns undefined if the text is not base64 with padding */
function decode(body: Buffer, from: number, to: number): Buffer | undefined {
  const base64 = withoutEscapes(body.subarray(from, to));
  const file = Buffer.allocUnsafeSlow(Math.ceil((base64.length * 3) / 4));
  let length = 0;
  for (let at = 0; at < base64.length; at += pieceChars) {
    const text = base64.toString('latin1', at, at + pieceChars);
    const isLast = at + pieceChars >= base64.length;
    const padding = !isLast ? 0 : text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
    const written = file.write(text, length, 'base64');
    // Node's decoder skips characters outside the alphabet and also accepts base64url. This check refuses both.
    if (written !== (text.length / 4) * 3 - padding || text.includes('-') || text.includes('_'))
      return undefined;
    length += written;
  }
  return file.subarray(0, length);
}

/** Replaces `\/`, which some encoders write, with `/`. Any other escape stays, so `decode` refuses the text. */
function withoutEscapes(text: Buffer): Buffer {
  if (!text.includes(backslash)) return text;
  const plain = Buffer.allocUnsafeSlow(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === backslash && text[at + 1] === slash) continue;
    plain[length] = text[at] ?? 0;
    length += 1;
  }
  return plain.subarray(0, length);
}
