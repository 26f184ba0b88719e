/** Opaque cursors: the sort key of the last row of a page, so that a page stays right while rows are added. */
import type { Knex } from 'knex';
import { invalidField } from '../../contract/errors.ts';

export interface Page<T> {
  data: T[];
  next_cursor: string | null;
}

export function encodeCursor(key: string | number): string {
  return Buffer.from(String(key)).toString('base64url');
}

/** @throws PublicError validation_failed when the cursor is none of ours */
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
 * @returns the id that the rows of a list, newest first, are below
 * @throws PublicError validation_failed when the cursor is none of ours
 */
export function idBelow(cursor: string | undefined): string {
  return decodeCursor(cursor, uuidForm) ?? afterEveryId;
}

/**
 * The rows that have these values, newest first, below an id: by the index of these columns and `id`, in this order.
 *
 * One comparison of all columns, and an order by all: with `organization_id = …` and an order by `id` Postgres may walk along
 * the primary key instead, past all newer rows of other organizations.
 *
 * @param table the alias whose columns are meant
 */
export function newestFirst<Query extends Knex.QueryBuilder>(
  query: Query,
  table: string,
  having: Record<string, string>,
  below: string,
): Query {
  const { columns, values, places } = comparison(table, having);
  void query
    .whereRaw(`(${places('??')}, ??) < (${places('?')}, ?)`, [...columns, `${table}.id`, ...values, below])
    .whereRaw(`(${places('??')}) >= (${places('?')})`, [...columns, ...values])
    .orderBy([...columns, `${table}.id`].map((column) => ({ column, order: 'desc' })));
  return query;
}

/** As `newestFirst`, in the other direction. */
export function oldestFirst<Query extends Knex.QueryBuilder>(
  query: Query,
  table: string,
  having: Record<string, string>,
  above: string,
): Query {
  const { columns, values, places } = comparison(table, having);
  void query
    .whereRaw(`(${places('??')}, ??) > (${places('?')}, ?)`, [...columns, `${table}.id`, ...values, above])
    .whereRaw(`(${places('??')}) <= (${places('?')})`, [...columns, ...values])
    .orderBy([...columns, `${table}.id`]);
  return query;
}

function comparison(table: string, having: Record<string, string>) {
  const columns = Object.keys(having).map((column) => `${table}.${column}`);
  const places = (place: string) => columns.map(() => place).join(', ');
  return { columns, values: Object.values(having), places };
}

/** @param rows one more than asked for, where there are more */
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
