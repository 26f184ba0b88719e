/** Routes of pages: create, retrieve, update, move. */
import { setTrash } from './blocks.ts';
import { drafts, plant } from './block-tree.ts';
import {
  booleanAt,
  bodyOf,
  objectAt,
  onlyKeys,
  requireCapability,
  trashFlag,
  type Call,
  type Handler,
} from './call.ts';
import { invalid, notFound, shouldBe } from './errors.ts';
import { coverValue, iconValue } from './files.ts';
import { requireId } from './ids.ts';
import { asArray, type Json, type JsonObject } from './json.ts';
import { markdownDrafts } from './markdown-write.ts';
import { showPage } from './page-answer.ts';
import { propertyValues, storeValues } from './property-write.ts';
import type { DataSource, Page, Parent } from './state.ts';
import {
  ancestors,
  detach,
  find,
  requireEditable,
  siblings,
  sourceOf,
  stamps,
  touch,
  visible,
} from './world.ts';
import { findColumn } from './columns.ts';

/** @throws ApiError 404, or 400 when the id is a database */
export function pageAt(call: Call, id: string, path = 'page'): Page {
  const entity = call.world.state.entities.get(id);
  if (entity !== undefined && visible(call.world, call.bot, entity)) {
    if (entity.kind === 'page') return entity;
    if (entity.kind === 'database') {
      throw invalid(`Provided ID ${id} is a database, not a page. Use the retrieve database API instead.`);
    }
  }
  throw notFound(path, id, call.bot);
}

function ownPage(call: Call): Page {
  return pageAt(call, requireId(call.params['page_id'], 'path.page_id'));
}

export const retrievePage: Handler = (call) => {
  requireCapability(call, 'read_content');
  const page = ownPage(call);
  return showPage(call, page, filterProperties(call, sourceOf(call.world, page)));
};

/** Ids of `filter_properties`; undefined means all. */
export function filterProperties(call: Call, source: DataSource | undefined): string[] | undefined {
  const given = [...call.query.getAll('filter_properties'), ...call.query.getAll('filter_properties[]')];
  if (given.length === 0) return undefined;
  return given.map((key) => {
    if (source === undefined && key === 'title') return key;
    const column = source === undefined ? undefined : findColumn(source, key);
    if (column === undefined) throw invalid(`Could not find property with name or id: ${key}`);
    return column.id;
  });
}

const createKeys = [
  'parent',
  'properties',
  'icon',
  'cover',
  'children',
  'content',
  'markdown',
  'template',
  'position',
  'allow_async',
];

export const createPage: Handler = (call) => {
  requireCapability(call, 'insert_content');
  const body = bodyOf(call);
  onlyKeys(body, createKeys, 'body');
  const { parent, source } = newParent(call, objectAt(body['parent'], 'body.parent') ?? {});
  const properties = objectAt(body['properties'], 'body.properties', true) ?? {};
  if (body['markdown'] !== undefined && (body['children'] !== undefined || body['content'] !== undefined)) {
    throw invalid(
      'body failed validation: body.markdown should be not present when body.children is present.',
    );
  }
  const values = propertyValues(call, source, properties, 'body.properties');
  const icon = body['icon'] === undefined ? null : iconValue(call, body['icon'], 'body.icon');
  const cover = body['cover'] === undefined ? null : coverValue(call, body['cover'], 'body.cover');
  const text = body['markdown'];
  if (text !== undefined && typeof text !== 'string')
    throw shouldBe('body.markdown', 'a string or `undefined`', text);
  const parsed = text === undefined ? undefined : markdownDrafts(call, text, values['title'] === undefined);
  const children =
    parsed?.blocks ?? (body['children'] === undefined ? [] : drafts(call, body['children'], 'body.children'));
  if (parsed?.title !== undefined) values['title'] = parsed.title;
  const page: Page = {
    ...stamps(call.world, call.bot),
    kind: 'page',
    id: call.world.newId(),
    parent,
    values: {},
    icon,
    cover,
    locked: false,
    children: [],
    serial: 0,
  };
  if (source !== undefined) {
    source.lastSerial += 1;
    page.serial = source.lastSerial;
  }
  call.world.state.entities.set(page.id, page);
  siblings(call.world, page).push(page.id);
  storeValues(call, page, source, values);
  page.children = plant(call, { type: 'page_id', id: page.id }, children);
  return showPage(call, page);
};

/** A database id instead of a data source is accepted if the database has exactly one. */
function newParent(call: Call, given: JsonObject): { parent: Parent; source: DataSource | undefined } {
  onlyKeys(given, ['type', 'page_id', 'database_id', 'data_source_id', 'workspace'], 'body.parent');
  if (given['page_id'] !== undefined) {
    const page = pageAt(call, requireId(given['page_id'], 'body.parent.page_id'));
    requireEditable(call.world, page);
    return { parent: { type: 'page_id', id: page.id }, source: undefined };
  }
  if (given['data_source_id'] !== undefined) {
    const source = sourceAt(call, requireId(given['data_source_id'], 'body.parent.data_source_id'));
    requireEditable(call.world, source);
    return { parent: { type: 'data_source_id', id: source.id }, source };
  }
  if (given['database_id'] !== undefined) {
    const id = requireId(given['database_id'], 'body.parent.database_id');
    const database = find(call.world, call.bot, id, 'database');
    if (database.kind === 'page') throw notADatabase(id);
    if (database.kind !== 'database') throw notFound('database', id, call.bot);
    const [only, second] = database.sources;
    if (only === undefined || second !== undefined) throw severalSources(database.sources);
    return newParent(call, { data_source_id: only });
  }
  if (given['workspace'] === true) {
    if (call.bot.owner === null) {
      throw invalid(
        "Internal integrations aren't owned by a single user, so creating workspace-level private pages is not supported.",
      );
    }
    return { parent: { type: 'workspace' }, source: undefined };
  }
  throw shouldBe('body.parent.page_id', 'defined', undefined);
}

export function notADatabase(id: string) {
  return invalid(
    `Provided ID ${id} is a page, not a database. Use the retrieve page API instead, or find a database by passing its ID.`,
  );
}

export function severalSources(ids: readonly string[]) {
  return invalid('Databases with multiple data sources are not supported in this API version.', {
    additional_data: {
      error_type: 'multiple_data_sources_for_database',
      child_data_source_ids: [...ids],
      minimum_api_version: '2025-09-03',
    },
  });
}

/** @throws ApiError 404 also for the id of a database */
export function sourceAt(call: Call, id: string): DataSource {
  const entity = find(call.world, call.bot, id, 'data_source');
  if (entity.kind !== 'data_source') throw notFound('data_source', id, call.bot);
  return entity;
}

const updateKeys = [
  'properties',
  'icon',
  'cover',
  'archived',
  'in_trash',
  'is_locked',
  'erase_content',
  'template',
];

export const updatePage: Handler = (call) => {
  requireCapability(call, 'update_content');
  const page = ownPage(call);
  const body = bodyOf(call);
  onlyKeys(body, updateKeys, 'body');
  const trash = trashFlag(call, body);
  const locked = booleanAt(body['is_locked'], 'body.is_locked');
  const erase = booleanAt(body['erase_content'], 'body.erase_content');
  const source = sourceOf(call.world, page);
  const changes = Object.keys(body).some((key) => !['archived', 'in_trash'].includes(key));
  if (changes && trash !== false) requireEditable(call.world, page);
  const values = propertyValues(
    call,
    source,
    objectAt(body['properties'], 'body.properties', true) ?? {},
    'body.properties',
  );
  const icon = given(body['icon'], (value) => iconValue(call, value, 'body.icon'));
  const cover = given(body['cover'], (value) => coverValue(call, value, 'body.cover'));
  if (trash !== undefined) setTrash(call, page, trash);
  if (icon !== undefined) page.icon = icon;
  if (cover !== undefined) page.cover = cover;
  if (locked !== undefined) page.locked = locked;
  if (erase === true) for (const id of page.children) eraseChild(call, id);
  storeValues(call, page, source, values);
  if (changes) touch(call.world, call.bot, page);
  return showPage(call, page);
};

function given(value: Json | undefined, read: (value: Json) => Json): Json | undefined {
  return value === undefined ? undefined : read(value);
}

function eraseChild(call: Call, id: string): void {
  const child = call.world.state.entities.get(id);
  if (child !== undefined) child.inTrash = true;
}

export const movePage: Handler = (call) => {
  requireCapability(call, 'update_content');
  const page = ownPage(call);
  const body = bodyOf(call);
  onlyKeys(body, ['parent'], 'body');
  const wanted = objectAt(body['parent'], 'body.parent') ?? {};
  onlyKeys(wanted, ['type', 'page_id', 'data_source_id'], 'body.parent');
  requireEditable(call.world, page);
  const { parent, source } = newParent(call, wanted);
  const target = parent.type === 'workspace' ? undefined : call.world.state.entities.get(parent.id);
  if (target !== undefined && (target === page || ancestors(call.world, target).includes(page))) {
    throw invalid('Cannot move a page into itself or one of its descendants.');
  }
  const title = asArray(page.values['title']);
  detach(call.world, page);
  page.parent = parent;
  page.values = source === undefined ? { title } : keepMatching(page.values, source);
  siblings(call.world, page).push(page.id);
  touch(call.world, call.bot, page);
  return showPage(call, page);
};

function keepMatching(values: Record<string, Json>, source: DataSource): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(values).filter(([id]) => source.columns.some((column) => column.id === id)),
  );
}
