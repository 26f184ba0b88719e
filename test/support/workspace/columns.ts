/** The columns of a data source: what a request may define, and how an answer shows them. */
import { onlyKeys, type Call } from './call.ts';
import { invalid, notFound, shouldBe } from './errors.ts';
import { newPropertyId, newRandomId, requireId } from './ids.ts';
import { asArray, asObject, asString, isObject, type Json, type JsonObject } from './json.ts';
import { titleOf } from './title.ts';
import type { Column, DataSource } from './state.ts';
import { visible } from './world.ts';

const simple = [
  'title',
  'rich_text',
  'date',
  'people',
  'files',
  'checkbox',
  'url',
  'email',
  'phone_number',
  'place',
  'button',
];
const stamped = ['created_time', 'created_by', 'last_edited_time', 'last_edited_by', 'verification'];
export const computed = [...stamped, 'formula', 'rollup', 'unique_id', 'button'];
export const columnTypes = [
  ...simple,
  ...stamped,
  'number',
  'select',
  'multi_select',
  'status',
  'formula',
  'relation',
  'rollup',
  'unique_id',
];

const colors = ['default', 'gray', 'brown', 'orange', 'yellow', 'green', 'blue', 'purple', 'pink', 'red'];

export function columnType(given: JsonObject, path: string): string {
  const type = columnTypes.find((each) => given[each] !== undefined);
  if (type === undefined) throw shouldBe(`${path}.title`, 'defined', undefined);
  return type;
}

/** @throws ApiError when the configuration does not fit its type */
export function newColumn(call: Call, source: DataSource, name: string, given: Json, path: string): Column {
  if (!isObject(given)) throw shouldBe(path, 'an object', given);
  const type = columnType(given, path);
  onlyKeys(given, ['id', 'name', 'type', 'description', type], path);
  const id = type === 'title' ? 'title' : newPropertyId();
  const description = typeof given['description'] === 'string' ? given['description'] : null;
  const column: Column = { id, name, description, type, config: {} };
  column.config = configOf(call, source, column, given, path);
  return column;
}

export function configOf(
  call: Call,
  source: DataSource,
  column: Column,
  given: JsonObject,
  path: string,
): JsonObject {
  const raw = given[column.type];
  if (!isObject(raw)) throw shouldBe(`${path}.${column.type}`, 'an object', raw);
  const at = `${path}.${column.type}`;
  switch (column.type) {
    case 'number':
      return { format: raw['format'] ?? column.config['format'] ?? 'number' };
    case 'select':
    case 'multi_select':
      return { options: options(raw['options'], asArray(column.config['options']), `${at}.options`) };
    case 'status':
      return statusConfig(raw, column, at);
    case 'formula':
      return { expression: raw['expression'] ?? '' };
    case 'unique_id':
      return { prefix: raw['prefix'] ?? null };
    case 'relation':
      return relationConfig(call, source, column, raw, at);
    case 'rollup':
      return rollupConfig(call, source, column, raw, at);
    default:
      return {};
  }
}

/** Options keep their ids by id or by name; a comma in a name is refused. */
function options(given: Json | undefined, before: Json[], path: string): Json[] {
  if (given === undefined) return before;
  if (!Array.isArray(given)) throw shouldBe(path, 'an array', given);
  if (given.length > 100) throw shouldBe(`${path}.length`, '≤ `100`', given.length);
  return given.map((each, index) => {
    const option = asObject(each);
    const old = before
      .map(asObject)
      .find((kept) => kept['id'] === option['id'] || kept['name'] === option['name']);
    const name = option['name'] ?? old?.['name'];
    if (typeof name !== 'string') throw shouldBe(`${path}[${index}].name`, 'defined', name);
    return newOption(name, option['color'] ?? old?.['color'], old?.['id'], option['description']);
  });
}

export function newOption(name: string, color?: Json, id?: Json, description?: Json): JsonObject {
  if (name.includes(',')) throw invalid(`Invalid select option, commas not allowed: ${name}`);
  return {
    id: typeof id === 'string' ? id : newRandomId(),
    name,
    color: typeof color === 'string' && colors.includes(color) ? color : 'default',
    description: description ?? null,
  };
}

function statusConfig(raw: JsonObject, column: Column, path: string): JsonObject {
  const fallback = ['Not started', 'In progress', 'Done'].map((name, index) =>
    newOption(name, ['default', 'blue', 'green'][index]),
  );
  const kept = asArray(column.config['options']);
  const list =
    raw['options'] === undefined && kept.length === 0
      ? fallback
      : options(raw['options'], kept, `${path}.options`);
  const ids = list.map((option) => asObject(option)['id'] ?? null);
  const group = (name: string, color: string, members: Json[]): JsonObject => ({
    id: newRandomId(),
    name,
    color,
    option_ids: members,
  });
  return {
    options: list,
    groups: [
      group('To-do', 'gray', ids.slice(0, 1)),
      group('In progress', 'blue', ids.slice(1, -1)),
      group('Complete', 'green', ids.length > 1 ? ids.slice(-1) : []),
    ],
  };
}

/** A dual relation makes its mirror in the other data source, named as the real service names it. */
function relationConfig(
  call: Call,
  source: DataSource,
  column: Column,
  raw: JsonObject,
  path: string,
): JsonObject {
  const id = requireId(raw['data_source_id'], `${path}.data_source_id`);
  const keepsMirror = raw['dual_property'] !== undefined && column.config['dual_property'] !== undefined;
  if (keepsMirror && column.config['data_source_id'] === id) return column.config;
  const other = id === source.id ? source : call.world.state.entities.get(id);
  if (other?.kind !== 'data_source' || (other !== source && !visible(call.world, call.bot, other))) {
    throw notFound('data_source', id, call.bot);
  }
  const base: JsonObject = { database_id: other.database, data_source_id: other.id };
  if (raw['dual_property'] === undefined) return { ...base, type: 'single_property', single_property: {} };
  const wanted = asObject(raw['dual_property'])['synced_property_name'];
  const name =
    typeof wanted === 'string' ? wanted : `Related to ${titleOf(call.world, source)} (${column.name})`;
  const mirror: Column = { id: newPropertyId(), name, description: null, type: 'relation', config: {} };
  mirror.config = {
    database_id: source.database,
    data_source_id: source.id,
    type: 'dual_property',
    dual_property: { synced_property_name: column.name, synced_property_id: column.id },
  };
  other.columns.push(mirror);
  return {
    ...base,
    type: 'dual_property',
    dual_property: { synced_property_name: mirror.name, synced_property_id: mirror.id },
  };
}

/** The list of the SDK's type `RollupFunction`. */
const rollupFunctions = [
  ...['count', 'count_values', 'empty', 'not_empty', 'unique', 'show_unique', 'percent_empty'],
  ...['percent_not_empty', 'sum', 'average', 'median', 'min', 'max', 'range', 'earliest_date', 'latest_date'],
  ...['date_range', 'checked', 'unchecked', 'percent_checked', 'percent_unchecked', 'count_per_group'],
  ...['percent_per_group', 'show_original'],
];

/** Fields that a change leaves out stay unchanged. */
function rollupConfig(
  call: Call,
  source: DataSource,
  column: Column,
  raw: JsonObject,
  path: string,
): JsonObject {
  const { config } = column;
  const relationKey =
    raw['relation_property_id'] ?? raw['relation_property_name'] ?? config['relation_property_id'];
  const relation = findColumn(source, asString(relationKey));
  if (relation?.type !== 'relation')
    throw shouldBe(`${path}.relation_property_name`, 'the name of a relation property', relationKey);
  const other = call.world.state.entities.get(asString(relation.config['data_source_id']));
  const related = other?.kind === 'data_source' ? other : source;
  const targetKey = raw['rollup_property_id'] ?? raw['rollup_property_name'] ?? config['rollup_property_id'];
  const target = findColumn(related, asString(targetKey));
  if (target === undefined)
    throw shouldBe(
      `${path}.rollup_property_name`,
      'the name of a property of the related data source',
      targetKey,
    );
  const name = raw['function'] ?? config['function'] ?? 'show_original';
  if (typeof name !== 'string' || !rollupFunctions.includes(name))
    throw shouldBe(`${path}.function`, rollupFunctions.map((each) => `\`"${each}"\``).join(', '), name);
  return {
    rollup_property_name: target.name,
    relation_property_name: relation.name,
    rollup_property_id: target.id,
    relation_property_id: relation.id,
    function: name,
  };
}

export function showColumn(column: Column): JsonObject {
  const { id, name, description, type, config } = column;
  return { id, name, description, type, [type]: config };
}

/** By id (encoded or not), else by exact name. */
export function findColumn(source: DataSource, key: string): Column | undefined {
  const decoded = decodeSafe(key);
  return (
    source.columns.find((column) => column.id === key || decodeSafe(column.id) === decoded) ??
    source.columns.find((column) => column.name === key) ??
    source.columns.find((column) => column.name === decoded)
  );
}

function decodeSafe(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
