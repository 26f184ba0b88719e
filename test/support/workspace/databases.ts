/** Routes of databases: create, retrieve, update. */
import { setTrash } from './blocks.ts';
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
import { newSource } from './data-sources.ts';
import { invalid, notFound, shouldBe } from './errors.ts';
import { coverValue, iconValue } from './files.ts';
import { newRandomId, requireId } from './ids.ts';
import { isObject, type JsonObject } from './json.ts';
import { showDatabase } from './page-answer.ts';
import { notADatabase, pageAt, severalSources } from './pages.ts';
import { richText } from './rich-text.ts';
import type { Database, Page } from './state.ts';
import { detach, find, requireEditable, siblings, stamps, touch } from './world.ts';

function ownDatabase(call: Call): Database {
  const id = requireId(call.params['database_id'], 'path.database_id');
  const entity = find(call.world, call.bot, id, 'database');
  if (entity.kind === 'page') throw notADatabase(id);
  if (entity.kind !== 'database') throw notFound('database', id, call.bot);
  if (call.version < '2025-09-03' && entity.sources.length > 1) throw severalSources(entity.sources);
  return entity;
}

export const retrieveDatabase: Handler = (call) => {
  requireCapability(call, 'read_content');
  return showDatabase(call, ownDatabase(call));
};

const createKeys = ['parent', 'title', 'description', 'is_inline', 'initial_data_source', 'icon', 'cover'];

export const createDatabase: Handler = (call) => {
  requireCapability(call, 'insert_content');
  const body = bodyOf(call);
  onlyKeys(body, createKeys, 'body');
  const page = parentPage(call, body);
  const database: Database = {
    ...stamps(call.world, call.bot),
    kind: 'database',
    id: newRandomId(),
    parent: { type: 'page_id', id: page.id },
    title: body['title'] === undefined ? [] : richText(call, body['title'], 'body.title'),
    description:
      body['description'] === undefined ? [] : richText(call, body['description'], 'body.description'),
    icon: body['icon'] === undefined ? null : iconValue(call, body['icon'], 'body.icon'),
    cover: body['cover'] === undefined ? null : coverValue(call, body['cover'], 'body.cover'),
    inline: booleanAt(body['is_inline'], 'body.is_inline') ?? false,
    locked: false,
    sources: [],
  };
  const initial = objectAt(body['initial_data_source'], 'body.initial_data_source', true) ?? {};
  onlyKeys(initial, ['properties'], 'body.initial_data_source');
  const path = 'body.initial_data_source.properties';
  const source = newSource(call, database, database.title, initial['properties'], path);
  call.world.state.entities.set(database.id, database);
  call.world.state.entities.set(source.id, source);
  database.sources.push(source.id);
  siblings(call.world, database).push(database.id);
  return showDatabase(call, database);
};

function parentPage(call: Call, body: JsonObject): Page {
  const parent = objectAt(body['parent'], 'body.parent') ?? {};
  onlyKeys(parent, ['type', 'page_id', 'workspace'], 'body.parent');
  if (parent['workspace'] === true)
    throw invalid('Databases at workspace level cannot be created with this connection.');
  const page = pageAt(call, requireId(parent['page_id'], 'body.parent.page_id'));
  requireEditable(call.world, page);
  return page;
}

const updateKeys = [
  'parent',
  'title',
  'description',
  'is_inline',
  'icon',
  'cover',
  'in_trash',
  'archived',
  'is_locked',
];

export const updateDatabase: Handler = (call) => {
  requireCapability(call, 'update_content');
  const database = ownDatabase(call);
  const body = bodyOf(call);
  if (isObject(body['properties'])) {
    throw shouldBe('body.properties', 'not present', body['properties']);
  }
  onlyKeys(body, updateKeys, 'body');
  const trash = trashFlag(call, body);
  if (trash !== false) requireEditable(call.world, database);
  const title = body['title'] === undefined ? undefined : richText(call, body['title'], 'body.title');
  const description =
    body['description'] === undefined ? undefined : richText(call, body['description'], 'body.description');
  const icon = body['icon'] === undefined ? undefined : iconValue(call, body['icon'], 'body.icon');
  const cover = body['cover'] === undefined ? undefined : coverValue(call, body['cover'], 'body.cover');
  const page = body['parent'] === undefined ? undefined : parentPage(call, body);
  database.inline = booleanAt(body['is_inline'], 'body.is_inline') ?? database.inline;
  database.locked = booleanAt(body['is_locked'], 'body.is_locked') ?? database.locked;
  if (title !== undefined) database.title = title;
  if (description !== undefined) database.description = description;
  if (icon !== undefined) database.icon = icon;
  if (cover !== undefined) database.cover = cover;
  if (page !== undefined) {
    detach(call.world, database);
    database.parent = { type: 'page_id', id: page.id };
    page.children.push(database.id);
  }
  if (trash !== undefined) setTrash(call, database, trash);
  touch(call.world, call.bot, database);
  return showDatabase(call, database);
};
