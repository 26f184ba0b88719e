/** Routes of data sources: create, retrieve, update, list templates. */
import {
  bodyOf,
  listing,
  objectAt,
  onlyKeys,
  requireCapability,
  trashFlag,
  type Call,
  type Handler,
} from './call.ts';
import { columnType, configOf, findColumn, newColumn } from './columns.ts';
import { invalid, notFound } from './errors.ts';
import { iconValue } from './files.ts';
import { requireId } from './ids.ts';
import { asArray, asObject, asString, isObject, type Json, type JsonObject } from './json.ts';
import { showDataSource } from './page-answer.ts';
import { sourceAt } from './pages.ts';
import { richText } from './rich-text.ts';
import type { Column, Database, DataSource } from './state.ts';
import { detach, find, requireEditable, stamps, touch } from './world.ts';

/** Without properties: one column `Name` of type title. @throws ApiError unless there is exactly one title */
export function newSource(
  call: Call,
  database: Database,
  title: Json[],
  properties: Json | undefined,
  path: string,
): DataSource {
  const given = objectAt(properties, path, true) ?? { Name: { title: {} } };
  const source: DataSource = {
    ...stamps(call.world, call.bot),
    kind: 'data_source',
    id: call.world.newId(),
    database: database.id,
    title,
    icon: null,
    columns: [],
    rows: [],
    templates: [],
    lastSerial: 0,
  };
  const titles = Object.values(given).filter((each) => isObject(each) && each['title'] !== undefined);
  if (titles.length !== 1)
    throw invalid('Title is not provided. A data source needs exactly one property of type title.');
  const entries = Object.entries(given).sort(([, left], [, right]) => late(left) - late(right));
  for (const [name, each] of entries)
    source.columns.push(newColumn(call, source, name, each, `${path}.${name}`));
  return source;
}

/** Rollups look at relations, so they come last. */
function late(column: Json): number {
  return isObject(column) && column['rollup'] !== undefined ? 1 : 0;
}

function ownSource(call: Call): DataSource {
  return sourceAt(call, requireId(call.params['data_source_id'], 'path.data_source_id'));
}

export const retrieveDataSource: Handler = (call) => {
  requireCapability(call, 'read_content');
  return showDataSource(call, ownSource(call));
};

export const createDataSource: Handler = (call) => {
  requireCapability(call, 'insert_content');
  const body = bodyOf(call);
  onlyKeys(body, ['parent', 'properties', 'title', 'icon'], 'body');
  const parent = objectAt(body['parent'], 'body.parent') ?? {};
  const database = databaseAt(call, parent, 'body.parent');
  requireEditable(call.world, database);
  const title = body['title'] === undefined ? [] : richText(call, body['title'], 'body.title');
  const source = newSource(call, database, title, body['properties'] ?? {}, 'body.properties');
  if (body['icon'] !== undefined) source.icon = iconValue(call, body['icon'], 'body.icon');
  call.world.state.entities.set(source.id, source);
  database.sources.push(source.id);
  return showDataSource(call, source);
};

function databaseAt(call: Call, parent: JsonObject, path: string): Database {
  onlyKeys(parent, ['type', 'database_id'], path);
  const id = requireId(parent['database_id'], `${path}.database_id`);
  const entity = find(call.world, call.bot, id, 'database');
  if (entity.kind !== 'database') throw notFound('database', id, call.bot);
  return entity;
}

export const updateDataSource: Handler = (call) => {
  requireCapability(call, 'update_content');
  const source = ownSource(call);
  const body = bodyOf(call);
  onlyKeys(body, ['title', 'icon', 'properties', 'in_trash', 'archived', 'parent'], 'body');
  const trash = trashFlag(call, body);
  if (trash !== false) requireEditable(call.world, source);
  const title = body['title'] === undefined ? undefined : richText(call, body['title'], 'body.title');
  const changes = objectAt(body['properties'], 'body.properties', true) ?? {};
  const ordered = Object.entries(changes).sort(([, left], [, right]) => late(left) - late(right));
  for (const [key, change] of ordered) changeColumn(call, source, key, change, `body.properties.${key}`);
  if (title !== undefined) rename(call, source, title);
  if (body['icon'] !== undefined) source.icon = iconValue(call, body['icon'], 'body.icon');
  if (body['parent'] !== undefined) {
    const database = databaseAt(call, objectAt(body['parent'], 'body.parent') ?? {}, 'body.parent');
    detach(call.world, source);
    source.database = database.id;
    database.sources.push(source.id);
  }
  if (trash !== undefined) source.inTrash = trash;
  touch(call.world, call.bot, source);
  return showDataSource(call, source);
};

/** The only data source of a database gives the database its title. */
function rename(call: Call, source: DataSource, title: Json[]): void {
  source.title = title;
  const database = call.world.state.entities.get(source.database);
  if (database?.kind === 'database' && database.sources.length === 1) database.title = title;
}

/** null removes, a new name adds, anything else renames or reconfigures. */
function changeColumn(call: Call, source: DataSource, key: string, change: Json, path: string): void {
  const column = findColumn(source, key);
  if (change === null) {
    if (column === undefined) throw invalid(`Could not find property with name or id: ${key}`);
    if (column.type === 'title') throw invalid('Cannot delete the title property.');
    source.columns = source.columns.filter((each) => each !== column);
    removeMirror(call, column);
    return;
  }
  const given = objectAt(change, path) ?? {};
  if (column === undefined) {
    source.columns.push(newColumn(call, source, key, given, path));
    return;
  }
  if (typeof given['name'] === 'string' && given['name'] !== column.name)
    renameColumn(call, column, given['name']);
  if (Object.keys(given).every((each) => ['name', 'id', 'description', 'type'].includes(each))) return;
  const type = columnType(given, path);
  if (type !== column.type && column.type === 'title')
    throw invalid('Cannot change the type of the title property.');
  const next: Column = { ...column, type, config: type === column.type ? column.config : {} };
  column.config = configOf(call, source, next, given, path);
  column.type = type;
}

function mirrorOf(call: Call, column: Column): { source: DataSource; column: Column } | undefined {
  const source = call.world.state.entities.get(asString(column.config['data_source_id']));
  const id = asObject(column.config['dual_property'])['synced_property_id'];
  if (source?.kind !== 'data_source' || typeof id !== 'string') return undefined;
  const found = source.columns.find((each) => each.id === id);
  return found === undefined ? undefined : { source, column: found };
}

function renameColumn(call: Call, column: Column, name: string): void {
  column.name = name;
  const mirror = mirrorOf(call, column);
  if (mirror !== undefined) asObject(mirror.column.config['dual_property'])['synced_property_name'] = name;
}

function removeMirror(call: Call, column: Column): void {
  const mirror = mirrorOf(call, column);
  if (mirror !== undefined)
    mirror.source.columns = mirror.source.columns.filter((each) => each !== mirror.column);
}

/** The one list without `object`, `results` and `request_id`. */
export const listTemplates: Handler = (call) => {
  requireCapability(call, 'read_content');
  const source = ownSource(call);
  const name = call.query.get('name')?.toLowerCase();
  const page = listing(call, {
    items: source.templates.filter((each) => name === undefined || each.name.toLowerCase().includes(name)),
    idOf: (template) => template.id,
    show: (template) => ({ ...template }),
    type: 'template',
    from: 'query',
  });
  return {
    templates: asArray(page['results']),
    has_more: page['has_more'] ?? false,
    next_cursor: page['next_cursor'] ?? null,
  };
};
