/** Filters of a query: checked against the columns, then a predicate over rows. */
import { findColumn } from './columns.ts';
import type { Call } from './call.ts';
import { conditionFits, takesFilter } from './conditions.ts';
import { invalid, shouldBe } from './errors.ts';
import { isObject, type Json } from './json.ts';
import { propertyValue } from './property-read.ts';
import type { DataSource, Page } from './state.ts';
import { minute } from './world.ts';

export type RowTest = (row: Page) => boolean;

const stamps = ['created_time', 'last_edited_time'];

/** @throws ApiError for an unknown property, a type that differs from the schema, or more than two levels of and/or */
export function rowTest(
  call: Call,
  source: DataSource,
  filter: Json | undefined,
  path = 'body.filter',
  depth = 0,
): RowTest {
  if (filter === undefined) return () => true;
  if (!isObject(filter)) throw shouldBe(path, 'an object or `undefined`', filter);
  for (const word of ['and', 'or'] as const) {
    const parts = filter[word];
    if (parts === undefined) continue;
    if (!Array.isArray(parts)) throw shouldBe(`${path}.${word}`, 'an array', parts);
    if (depth >= 2) throw shouldBe(`${path}.${word}`, 'not present', parts);
    if (parts.length > 100) throw shouldBe(`${path}.${word}.length`, '≤ `100`', parts.length);
    const tests = parts.map((part, index) =>
      rowTest(call, source, part, `${path}.${word}[${index}]`, depth + 1),
    );
    return word === 'and'
      ? (row) => tests.every((test) => test(row))
      : (row) => tests.some((test) => test(row));
  }
  const now = call.world.now();
  const stamp = filter['timestamp'];
  if (stamp !== undefined) {
    if (typeof stamp !== 'string' || !stamps.includes(stamp)) {
      throw shouldBe(`${path}.timestamp`, '`"created_time"` or `"last_edited_time"`', stamp);
    }
    const condition = filter[stamp];
    if (!isObject(condition)) throw shouldBe(`${path}.${stamp}`, 'defined', condition);
    const at = (row: Page) => minute(stamp === 'created_time' ? row.createdAt : row.editedAt);
    return (row) => conditionFits('date', at(row), condition, `${path}.${stamp}`, { now, me: '' });
  }
  return propertyTest(call, source, filter, path);
}

function propertyTest(call: Call, source: DataSource, filter: Record<string, Json>, path: string): RowTest {
  const key = filter['property'];
  if (typeof key !== 'string')
    throw shouldBe(`${path}.property`, key === undefined ? 'defined' : 'a string', key);
  const column = findColumn(source, key);
  if (column === undefined) throw invalid(`Could not find property with name or id: ${key}`);
  const types = Object.keys(filter).filter((each) => !['property', 'type'].includes(each));
  const [type] = types;
  if (type === undefined) throw shouldBe(`${path}.${column.type}`, 'defined', undefined);
  const condition = filter[type];
  if (!isObject(condition)) throw shouldBe(`${path}.${type}`, 'an object', condition);
  if (!takesFilter(column.type, type))
    throw invalid(`database property ${column.type} does not match filter ${type}`);
  const { world, bot } = call;
  const asker = { now: world.now(), me: bot.owner ?? bot.id };
  const at = `${path}.${type}`;
  // Refused even when there is no row to test.
  conditionFits(column.type, null, condition, at, asker);
  return (row) => conditionFits(column.type, propertyValue(world, row, column, source), condition, at, asker);
}
