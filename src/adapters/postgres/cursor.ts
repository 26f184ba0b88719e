/**
 * Builds the pages of lists and their cursors. A cursor is usually the encoded sort key of a page's last row, so that
 * the next page neither repeats nor skips rows if rows are added in the meantime.
 */
import type { Knex } from 'knex';
import { v7 as newId } from 'uuid';
import { z } from 'zod';
import { invalidField } from '../../contract/errors.ts';

export interface Page<T> {
  data: T[];
  next_cursor: string | null;
}

export interface PageQuery {
  limit: number;
  cursor?: string | undefined;
}

/** @returns the cursor for a page whose last row has this sort key */
export function encodeCursor(key: string | number): string {
  return Buffer.from(String(key)).toString('base64url');
}

/**
 * Decodes a cursor.
 * @param form the pattern that the sort keys of this list match
 * @returns the sort key in the cursor; undefined if no cursor is given
 * @throws PublicError validation_failed if the cursor is not the encoding of a key that matches `form`
 */
export function decodeCursor(cursor: string | undefined, form: RegExp): string | undefined {
  if (cursor === undefined) return undefined;
  const key = Buffer.from(cursor, 'base64url').toString();
  if (!form.test(key) || encodeCursor(key) !== cursor) {
    throw invalidField('cursor', 'is not a next_cursor of this list');
  }
  return key;
}

export const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const beforeEveryId = '00000000-0000-0000-0000-000000000000';
const afterEveryId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * @returns the id below which a newest-first list continues; without a cursor, an id above all others
 * @throws PublicError validation_failed if the cursor is not the encoding of a UUID
 */
export function idBelow(cursor: string | undefined): string {
  return decodeCursor(cursor, uuidForm) ?? afterEveryId;
}

/**
 * Ids are UUIDs of version 7, which begin with the time.
 * @returns the lowest id that can be created at `ms` (epoch ms)
 */
export function firstIdAt(ms: number): string {
  return newId({ msecs: Math.max(0, ms), seq: 0, random: new Uint8Array(16) });
}

/** @returns the smaller of two ids, which is the one that was created first */
export const smallerId = (one: string, other: string): string => (one < other ? one : other);

/**
 * Restricts a query to the rows with the values `having` and an id below `below`, newest first. Needs an index on the
 * columns of `having` and `id`, in this order.
 *
 * The condition and the order contain all of these columns, so that Postgres uses that index. With a condition
 * `organization_id = …` and an order by `id`, it might use the primary key instead, and read all newer rows of other
 * organizations.
 *
 * @param table the name or alias of the table in the query
 */
export function newestFirst<Query extends Knex.QueryBuilder>(
  query: Query,
  table: string,
  having: Record<string, string>,
  below: string,
): Query {
  return inOrder(query, { order: 'desc', beyond: '<', within: '>=' }, table, having, below);
}

/** Works like `newestFirst`, but orders the rows oldest first and selects ids above `above`. */
export function oldestFirst<Query extends Knex.QueryBuilder>(
  query: Query,
  table: string,
  having: Record<string, string>,
  above: string,
): Query {
  return inOrder(query, { order: 'asc', beyond: '>', within: '<=' }, table, having, above);
}

function inOrder<Query extends Knex.QueryBuilder>(
  query: Query,
  { order, beyond, within }: { order: 'asc' | 'desc'; beyond: '<' | '>'; within: '<=' | '>=' },
  table: string,
  having: Record<string, string>,
  id: string,
): Query {
  const columns = Object.keys(having).map((column) => `${table}.${column}`);
  const values = Object.values(having);
  const places = (place: string) => columns.map(() => place).join(', ');
  void query
    .whereRaw(`(${places('??')}, ??) ${beyond} (${places('?')}, ?)`, [
      ...columns,
      `${table}.id`,
      ...values,
      id,
    ])
    .whereRaw(`(${places('??')}) ${within} (${places('?')})`, [...columns, ...values])
    .orderBy([...columns, `${table}.id`].map((column) => ({ column, order })));
  return query;
}

/** The schema of the sizes that `rowsThatFit` needs: one row for each row of a page. */
export const bytesRow = z.object({ bytes: z.number() });

const maxPageBytes = 1024 * 1024;

/**
 * Limits a page to `maxPageBytes` before its rows are read, because many large rows would use much of the API's memory.
 * @param sizes the `bytes` of each row that the page may contain, in the page's order
 * @returns how many of the rows to read: `limit` if all of them fit; otherwise those that fit, but at least one
 */
export function rowsThatFit(sizes: readonly { bytes: number }[], limit: number): number {
  let bytes = 0;
  const fitting = sizes.findIndex((row, index) => (bytes += row.bytes) > maxPageBytes && index > 0);
  return fitting === -1 ? limit : fitting;
}

/**
 * Yields the rows of all pages, one page after another.
 * @param page reads the page after the cursor, or the first page if the cursor is undefined
 */
export async function* allRows<T>(page: (cursor: string | undefined) => Promise<Page<T>>): AsyncGenerator<T> {
  let cursor: string | undefined;
  do {
    const { data, next_cursor } = await page(cursor);
    yield* data;
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/**
 * Builds a page from rows.
 * @param rows up to `limit` + 1 rows; the row beyond the limit is not returned, but shows that there is another page
 * @param keyOf returns a row's sort key, for the cursor
 */
export function pageFrom<T>(rows: T[], limit: number, keyOf: (row: T) => string | number): Page<T> {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return {
    data,
    next_cursor: rows.length > limit && last !== undefined ? encodeCursor(keyOf(last)) : null,
  };
}
