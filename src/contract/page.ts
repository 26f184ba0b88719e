/** The envelope and the query of every list. */
import { z } from 'zod';

export const pageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(50).describe('Rows a page, 1 to 100'),
  cursor: z.string().max(200).optional().describe('next_cursor of the page before'),
});

export function pageOf<T extends z.ZodType>(item: T) {
  const name = z.globalRegistry.get(item)?.id;
  return z
    .object({
      data: z.array(item).describe('The rows of this page'),
      next_cursor: z.string().nullable().describe('Give it as cursor to read on; null on the last page'),
    })
    .meta({ ...(name !== undefined && { id: `${name}List` }), description: 'A page of a list' });
}

export const timestamp = z.iso.datetime().describe('ISO 8601 in UTC with milliseconds');

const wellFormed = 'must be well-formed Unicode without a NUL character';

/** Text that Postgres can keep. */
export function text(max: number) {
  return textLike(max, noNul, wellFormed);
}

/**
 * Text of a form of its own.
 * @param pattern refuses NUL, and is of the syntax that Python, Go, Java and Rust share: it stands in the OpenAPI document
 */
export function textLike(max: number, pattern: RegExp, message: string) {
  return z
    .string()
    .max(max)
    .regex(pattern, message)
    .refine((value) => !loneSurrogate.test(value), wellFormed);
}
const noNul = /^[^\x00]*$/;
const loneSurrogate = /\p{Cs}/u;

/** JSON that Postgres can keep as jsonb: the names and texts in it, at any depth, are as `text` wants them. */
function isStorable(value: unknown): boolean {
  // JSON.stringify writes a NUL and half a surrogate pair as escapes, and a backslash of the text itself twice.
  return !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(JSON.stringify(value));
}
export const storableJson = [isStorable, wellFormed] as const;

/** An address, for the document alone: what it must be is judged by its owner. */
export const asUri = (description: string) => ({ format: 'uri', description });
