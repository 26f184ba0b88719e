/** Schemas of the queries and responses of paged lists, and of timestamps. */
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

const daySeconds = 24 * 60 * 60;
/** How long the previous secret works after a rotation, in seconds. */
export const overlapSeconds = z
  .int()
  .min(0)
  .max(7 * daySeconds)
  .default(daySeconds);

/** @returns a field that is absent, or true */
export const flag = (description: string) => z.literal(true).optional().describe(description);

export const timestamp = z.iso.datetime().describe('ISO 8601 in UTC with milliseconds');
