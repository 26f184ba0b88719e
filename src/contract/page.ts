/** The envelope and the query of every list. */
import { z } from 'zod';

export const pageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(50).describe('Rows a page, 1 to 100'),
  cursor: z.string().max(200).optional().describe('next_cursor of the page before'),
});

export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item).describe('The rows of this page'),
    next_cursor: z.string().nullable().describe('Give it as cursor to read on; null on the last page'),
  });
}

export const timestamp = z.iso.datetime().describe('ISO 8601 in UTC with milliseconds');

/** Text that Postgres can keep. */
export function text(max: number) {
  return z
    .string()
    .max(max)
    .regex(/^[^\0\p{Cs}]*$/u, 'must be well-formed Unicode without a NUL character');
}
