/** Opaque cursors: the sort key of a page's last row, so that pages stay right while rows are added. */
import type { Knex } from 'knex';
import { invalidField } from '../../contract/errors.ts';

export interface Page<T> {
  data: T[];
  next_cursor: string | null;
}

/**
 * @param key the sort key of the page's last row
 * @returns the cursor, which `decodeCursor` reads
 */
export function encodeCursor(key: string | number): string {
  return Buffer.from(String(key)).toString('base64url');
}

/** @throws PublicError validation_failed if we did not issue the cursor */
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
 * @returns the id below which a newest-first list continues
 * @throws PublicError validation_failed if we did not issue the cursor
 */
export function idBelow(cursor: string | undefined): string {
  return decodeCursor(cursor, uuidForm) ?? afterEveryId;
}

/**
 * Restricts a query to the rows that have these values and an id below the given one, newest first. Uses the index of these
 * columns and `id`, in this order.
 *
 * Compares and orders by all columns at once: with `organization_id = …` and an order by `id`, Postgres may walk along the
 * primary key instead and read all newer rows of other organizations.
 *
 * @param table the alias of the table that has the columns
 */
export function newestFirst<Query extends Knex.QueryBuilder>(
  query: Query,
  table: string,
  having: Record<string, string>,
  below: string,
): Query {
  return inOrder(query, { order: 'desc', beyond: '<', within: '>=' }, table, having, below);
}

/** Like `newestFirst`, in the other direction. */
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

const maxPageBytes = 1024 * 1024;

/**
 * Bounds a page in bytes before its rows are read: many large rows at once would be memory of the API's.
 * @param sizes the rows that the page may hold, in its order, each with its `bytes`
 * @returns how many of them it holds: at least one
 */
export function rowsThatFit(sizes: readonly { bytes: number }[], limit: number): number {
  let bytes = 0;
  const fitting = sizes.findIndex((row, index) => (bytes += row.bytes) > maxPageBytes && index > 0);
  return fitting === -1 ? limit : fitting;
}

/** @param rows one more than requested, if there are more */
export function pageFrom<Row, T>(
  rows: Row[],
  limit: number,
  keyOf: (row: Row) => string | number,
  map: (row: Row) => T,
): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    data: shown.map(map),
    next_cursor: rows.length > limit && last !== undefined ? encodeCursor(keyOf(last)) : null,
  };
}
