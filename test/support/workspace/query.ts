/** Routes that read rows: query a data source, and one property of a page. */
import { bodyOf, listing, onlyKeys, requireCapability, trashFlag, type Call, type Handler } from './call.ts';
import { findColumn } from './columns.ts';
import { invalid, shouldBe } from './errors.ts';
import { rowTest } from './filters.ts';
import { requireId } from './ids.ts';
import { asArray, asObject, asString, isObject, type Json, type JsonObject } from './json.ts';
import { showPage } from './page-answer.ts';
import { filterProperties, pageAt, sourceAt } from './pages.ts';
import { columnsOf, propertyValue } from './property-read.ts';
import type { DataSource, Page } from './state.ts';
import { requireEditable, sourceOf } from './world.ts';

const keys = ['filter', 'sorts', 'start_cursor', 'page_size', 'archived', 'in_trash', 'result_type'];

export const queryDataSource: Handler = (call) => {
  requireCapability(call, 'read_content');
  const source = sourceAt(call, requireId(call.params['data_source_id'], 'path.data_source_id'));
  const body = bodyOf(call);
  onlyKeys(body, keys, 'body');
  const only = filterProperties(call, source);
  const trashed = trashFlag(call, body) ?? false;
  const test = rowTest(call, source, body['filter']);
  const order = sorting(call, source, body['sorts']);
  requireEditable(call.world, source);
  const found = source.rows
    .map((id) => call.world.state.entities.get(id))
    .filter((row) => row?.kind === 'page')
    .filter((row) => row.inTrash === trashed && test(row))
    .sort(order);
  const cap = call.world.settings.queryCap;
  const items = found.slice(0, cap);
  const page = listing(call, {
    items,
    idOf: (row) => row.id,
    show: (row) => showPage(call, row, only),
    type: 'page_or_data_source',
    from: 'body',
    prefix: `s:${source.id}:`,
  });
  const status: JsonObject = { type: 'incomplete', incomplete_reason: 'query_result_limit_reached' };
  return found.length > cap && page['has_more'] === false ? { ...page, request_status: status } : page;
};

type Compare = (left: Page, right: Page) => number;

/** Newest first without sorts; empties last in both directions. */
function sorting(call: Call, source: DataSource, given: Json | undefined): Compare {
  if (given === undefined) return (left, right) => right.createdAt - left.createdAt;
  if (!Array.isArray(given)) throw shouldBe('body.sorts', 'an array or `undefined`', given);
  const parts = given.map((each, index) => sortPart(call, source, each, `body.sorts[${index}]`));
  return (left, right) => {
    for (const part of parts) {
      const order = part(left, right);
      if (order !== 0) return order;
    }
    return 0;
  };
}

function sortPart(call: Call, source: DataSource, given: Json, path: string): Compare {
  if (!isObject(given)) throw shouldBe(path, 'an object', given);
  const direction = given['direction'];
  if (direction !== 'ascending' && direction !== 'descending') {
    throw shouldBe(`${path}.direction`, '`"ascending"` or `"descending"`', direction);
  }
  const sign = direction === 'ascending' ? 1 : -1;
  const stamp = given['timestamp'];
  if (stamp !== undefined) {
    if (stamp !== 'created_time' && stamp !== 'last_edited_time') {
      throw shouldBe(`${path}.timestamp`, '`"created_time"` or `"last_edited_time"`', stamp);
    }
    const at = (row: Page) => (stamp === 'created_time' ? row.createdAt : row.editedAt);
    return (left, right) => sign * (at(left) - at(right));
  }
  const key = given['property'];
  if (typeof key !== 'string') throw shouldBe(`${path}.property`, 'defined', key);
  const column = findColumn(source, key);
  if (column === undefined) throw invalid(`Could not find sort property with name or id: ${key}`);
  const rank = (row: Page) =>
    sortKey(propertyValue(call.world, row, column, source), column.type, asArray(column.config['options']));
  return (left, right) => {
    const [a, b] = [rank(left), rank(right)];
    if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
    if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
    return sign * String(a).localeCompare(String(b), 'en');
  };
}

/** Select columns sort in the order of their options. */
function sortKey(value: Json, type: string, options: Json[]): number | string | null {
  if (value === null) return null;
  if (type === 'select' || type === 'status') {
    return options.findIndex((option) => asObject(option)['id'] === asObject(value)['id']);
  }
  if (type === 'date') return asString(asObject(value)['start']);
  if (type === 'checkbox') return value === true ? 1 : 0;
  if (type === 'unique_id') return Number(asObject(value)['number']);
  if (typeof value === 'number' || typeof value === 'string') return value;
  const words = asArray(value).map((item) =>
    asString(asObject(item)['plain_text'] ?? asObject(item)['name']),
  );
  return words.join('') === '' ? null : words.join('');
}

const lists = ['title', 'rich_text', 'people', 'relation'];

export const pageProperty: Handler = (call) => {
  requireCapability(call, 'read_content');
  const page = pageAt(call, requireId(call.params['page_id'], 'path.page_id'));
  const source = sourceOf(call.world, page);
  const wanted = call.params['property_id'] ?? '';
  const column = columnsOf(source).find(
    (each) => each.id === wanted || decodeURIComponent(each.id) === wanted,
  );
  if (column === undefined) throw invalid(`Could not find property with name or id: ${wanted}`);
  const value = propertyValue(call.world, page, column, source);
  const item = (inner: Json): JsonObject => ({
    object: 'property_item',
    type: column.type,
    id: column.id,
    [column.type]: inner,
  });
  if (!lists.includes(column.type)) return item(value);
  const items = asArray(value).map((inner, index) => ({ inner, id: cursorOf(index) }));
  const list = listing(call, {
    items,
    idOf: (each) => each.id,
    show: (each) => item(each.inner),
    type: 'property_item',
    from: 'query',
  });
  const next = list['next_cursor'];
  const url = `https://api.notion.com/v1/pages/${page.id}/properties/${encodeURIComponent(column.id)}`;
  return {
    ...list,
    property_item: {
      id: column.id,
      next_url: typeof next === 'string' ? `${url}?start_cursor=${next}` : null,
      type: column.type,
      [column.type]: {},
    },
  };
};

function cursorOf(index: number): string {
  return `00000000-0000-8000-8000-${index.toString(16).padStart(12, '0')}`;
}
