/** The query and the response of every list, and schemas of text that Postgres can store. */
import { z } from 'zod';

export const pageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(50).describe('Rows per page, 1 to 100'),
  cursor: z.string().max(200).optional().describe('The next_cursor of the previous page'),
});

export function pageOf<T extends z.ZodType>(item: T) {
  const name = z.globalRegistry.get(item)?.id;
  return z
    .object({
      data: z.array(item).describe('Rows of this page'),
      next_cursor: z
        .string()
        .nullable()
        .describe('Send it as `cursor` to read the next page; null on the last page'),
    })
    .meta({ ...(name !== undefined && { id: `${name}List` }), description: 'One page of a list' });
}

export const timestamp = z.iso.datetime().describe('ISO 8601 in UTC with milliseconds');

const wellFormed = 'must be well-formed Unicode without a NUL character';

/** Schema of a text that Postgres can store: well-formed Unicode without a NUL character. */
export function text(max: number) {
  return textLike(max, noNul, wellFormed);
}

/**
 * Schema of a text that Postgres can store and that matches a pattern.
 * @param pattern must reject NUL, and use only the syntax that Python, Go, Java and Rust share, because it appears in
 * the OpenAPI document
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

/**
 * True if Postgres can store the value as jsonb: no key or text at any depth has a NUL character or a lone surrogate.
 */
function isStorable(value: unknown): boolean {
  // JSON.stringify writes NUL and lone surrogates as escapes, and doubles each backslash of the text itself.
  return !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(JSON.stringify(value));
}
export const storableJson = [isStorable, wellFormed] as const;

/** Declares a URI in the OpenAPI document only; the field's own schema validates it. */
export const asUri = (description: string) => ({ format: 'uri', description });
