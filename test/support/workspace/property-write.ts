/** Property values of a request, checked against the columns, in the form the emulator keeps. */
import type { Call } from './call.ts';
import { computed, columnTypes, findColumn, newOption } from './columns.ts';
import { dateValue } from './dates.ts';
import { invalid, notFound, shouldBe, userNotFound } from './errors.ts';
import { fileValue } from './files.ts';
import { requireId } from './ids.ts';
import { asArray, asObject, asString, isObject, type Json, type JsonObject } from './json.ts';
import { richText } from './rich-text.ts';
import type { Column, DataSource, Page } from './state.ts';
import { visible } from './world.ts';

const titleColumn: Column = { id: 'title', name: 'title', description: null, type: 'title', config: {} };

/** Values by property id. All wrong names and types are named in one message. */
export function propertyValues(
  call: Call,
  source: DataSource | undefined,
  given: JsonObject,
  path: string,
): Record<string, Json> {
  const problems: string[] = [];
  const found: { column: Column; value: JsonObject; key: string }[] = [];
  for (const [key, value] of Object.entries(given)) {
    const column =
      source === undefined ? (key === 'title' ? titleColumn : undefined) : findColumn(source, key);
    if (column === undefined) problems.push(`${key} is not a property that exists.`);
    else {
      const each = withType(column, value, `${path}.${key}`);
      if (each[column.type] === undefined) problems.push(`${column.name} is expected to be ${column.type}.`);
      else found.push({ column, value: each, key });
    }
  }
  if (problems.length > 0) throw invalid(problems.join(' '));
  const values: Record<string, Json> = {};
  for (const { column, value, key } of found) {
    if (computed.includes(column.type))
      throw invalid(`${column.name} is a computed property and cannot be updated.`);
    values[column.id] = kept(call, column, value[column.type] ?? null, `${path}.${key}.${column.type}`);
  }
  return values;
}

/** A bare array of rich text is a title or text value in the short form that the service takes. */
function withType(column: Column, value: Json, path: string): JsonObject {
  if (Array.isArray(value)) return { [column.type]: value };
  if (!isObject(value)) throw shouldBe(path, 'an object', value);
  if (!columnTypes.some((type) => value[type] !== undefined))
    throw shouldBe(`${path}.${column.type}`, 'defined', undefined);
  return value;
}

function kept(call: Call, column: Column, value: Json, path: string): Json {
  switch (column.type) {
    case 'title':
    case 'rich_text':
      return richText(call, value, path);
    case 'number':
      return typeof value === 'number' || value === null ? value : refuse(path, 'a number or `null`', value);
    case 'checkbox':
      return typeof value === 'boolean' ? value : refuse(path, 'a boolean', value);
    case 'url':
    case 'email':
    case 'phone_number':
      return shortText(value, path, column.type === 'url' ? 2000 : 200);
    case 'select':
      return value === null ? null : option(column, value, path);
    case 'status':
      return value === null ? null : status(column, value, path);
    case 'multi_select':
      return array(value, path).map((each, index) => option(column, each, `${path}[${index}]`));
    case 'date':
      return value === null ? null : dateValue(value, path, decodeURIComponent(column.id));
    case 'people':
      return array(value, path).map((each, index) => person(call, each, `${path}[${index}]`));
    case 'relation':
      return array(value, path).map((each, index) => related(call, column, each, `${path}[${index}]`));
    case 'files':
      return array(value, path).map((each, index) => file(call, each, `${path}[${index}]`));
    case 'place':
      return value === null ? null : place(value, path);
    default:
      return value;
  }
}

function refuse(path: string, wanted: string, got: Json): never {
  throw shouldBe(path, wanted, got);
}

function array(value: Json, path: string): Json[] {
  if (!Array.isArray(value)) throw shouldBe(path, 'an array', value);
  if (value.length > 100) throw shouldBe(`${path}.length`, '≤ `100`', value.length);
  return value;
}

function shortText(value: Json, path: string, limit: number): Json {
  if (value === null) return null;
  if (typeof value !== 'string') throw shouldBe(path, 'a string or `null`', value);
  if (value.length > limit) throw shouldBe(`${path}.length`, `≤ \`${limit}\``, value.length);
  return value === '' ? null : value;
}

/** Kept by id; an unknown name becomes a new option of the column. */
function option(column: Column, value: Json, path: string): Json {
  if (!isObject(value)) throw shouldBe(path, 'an object or `null`', value);
  const options = asArray(column.config['options']);
  const known = options
    .map(asObject)
    .find((each) =>
      value['id'] === undefined ? each['name'] === value['name'] : each['id'] === value['id'],
    );
  if (known !== undefined) return known['id'] ?? null;
  const name = value['name'];
  if (typeof name !== 'string') throw shouldBe(`${path}.name`, 'defined', name);
  if (name.length > 100) throw shouldBe(`${path}.name.length`, '≤ `100`', name.length);
  const added = newOption(name, value['color']);
  column.config['options'] = [...options, added];
  return added['id'] ?? null;
}

function status(column: Column, value: Json, path: string): Json {
  if (!isObject(value)) throw shouldBe(path, 'an object or `null`', value);
  const known = asArray(column.config['options'])
    .map(asObject)
    .find((each) => each['id'] === value['id'] || each['name'] === value['name']);
  if (known === undefined)
    throw invalid(
      `Invalid status option. Status option "${asString(value['name'] ?? value['id'])}" does not exist".`,
    );
  return known['id'] ?? null;
}

function place(value: Json, path: string): Json {
  if (!isObject(value)) throw shouldBe(path, 'an object or `null`', value);
  const known = { name: null, address: null, aws_place_id: null, google_place_id: null };
  return { lat: value['lat'] ?? null, lon: value['lon'] ?? null, ...known, ...value };
}

function person(call: Call, value: Json, path: string): string {
  const id = requireId(asObject(value)['id'], `${path}.id`);
  const known = call.world.state.people.get(id) ?? call.world.state.bots.get(id);
  if (known?.workspace !== call.bot.workspace) throw userNotFound(id, call.bot);
  return id;
}

function related(call: Call, column: Column, value: Json, path: string): string {
  const id = requireId(asObject(value)['id'], `${path}.id`);
  const page = call.world.state.entities.get(id);
  if (page?.kind !== 'page' || !visible(call.world, call.bot, page)) throw notFound('page', id, call.bot);
  if (page.parent.type !== 'data_source_id' || page.parent.id !== column.config['data_source_id']) {
    throw invalid(`Page with ID ${id} is not in the data source that ${column.name} relates to.`);
  }
  return id;
}

function file(call: Call, value: Json, path: string): Json {
  if (!isObject(value)) throw shouldBe(path, 'an object', value);
  const name = value['name'];
  if (value['external'] !== undefined && typeof name !== 'string')
    throw shouldBe(`${path}.name`, 'defined', name);
  const shown = fileValue(call, value, path, 'Invalid file url.');
  const upload = asObject(shown['file'])['upload'];
  const own = typeof upload === 'string' ? call.world.state.uploads.get(upload)?.filename : undefined;
  return { name: typeof name === 'string' ? name : (own ?? 'file'), ...shown };
}

/** Writes values into a page; both sides of a dual relation change. */
export function storeValues(
  call: Call,
  page: Page,
  source: DataSource | undefined,
  values: Record<string, Json>,
): void {
  for (const [id, value] of Object.entries(values)) {
    const column = source?.columns.find((each) => each.id === id);
    const dual = asObject(column?.config['dual_property'])['synced_property_id'];
    if (column?.type === 'relation' && typeof dual === 'string')
      mirror(call, page, asArray(page.values[id]), asArray(value), dual);
    page.values[id] = value;
  }
}

function mirror(call: Call, page: Page, before: Json[], now: Json[], column: string): void {
  for (const id of new Set([...before, ...now])) {
    const other = call.world.state.entities.get(asString(id));
    if (other?.kind !== 'page') continue;
    const rest = asArray(other.values[column]).filter((each) => each !== page.id);
    other.values[column] = now.includes(id) ? [...rest, page.id] : rest;
  }
}
