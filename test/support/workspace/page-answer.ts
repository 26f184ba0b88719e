/** Pages, databases and data sources as answers hold them. */
import { trashFields } from './block-answer.ts';
import type { Call } from './call.ts';
import { showColumn } from './columns.ts';
import { showFile } from './files.ts';
import type { JsonObject } from './json.ts';
import { showProperties } from './property-read.ts';
import { showRichText } from './rich-text.ts';
import type { Database, DataSource, Page } from './state.ts';
import { databaseTitle, titleOf, urlOf } from './title.ts';
import { partialUser } from './user-answer.ts';
import { minute, parentAnswer, precise, sourceOf } from './world.ts';

export function showPage(call: Call, page: Page, only?: readonly string[]): JsonObject {
  const { world } = call;
  return {
    object: 'page',
    id: page.id,
    created_time: minute(page.createdAt),
    last_edited_time: minute(page.editedAt),
    created_by: partialUser(page.createdBy),
    last_edited_by: partialUser(page.editedBy),
    cover: showFile(world, page.cover),
    icon: showFile(world, page.icon),
    parent: parentAnswer(world, page.parent),
    in_trash: page.inTrash,
    is_archived: false,
    is_locked: page.locked,
    properties: showProperties(world, page, sourceOf(world, page), only),
    url: urlOf(world, page),
    public_url: null,
    ...trashFields(call, page),
  };
}

export function showDatabase(call: Call, database: Database): JsonObject {
  const { world } = call;
  const sources = database.sources.flatMap((id) => {
    const source = world.state.entities.get(id);
    if (source?.kind !== 'data_source' || source.inTrash) return [];
    return [{ id, name: titleOf(world, source) || titleOf(world, database) }];
  });
  return {
    object: 'database',
    id: database.id,
    title: showRichText(world, databaseTitle(world, database)),
    description: showRichText(world, database.description),
    parent: parentAnswer(world, database.parent),
    is_inline: database.inline,
    in_trash: database.inTrash,
    is_locked: database.locked,
    created_time: precise(database.createdAt),
    last_edited_time: precise(database.editedAt),
    data_sources: sources,
    icon: showFile(world, database.icon),
    cover: showFile(world, database.cover),
    url: urlOf(world, database),
    public_url: null,
    ...trashFields(call, database),
  };
}

export function showDataSource(call: Call, source: DataSource): JsonObject {
  const { world } = call;
  const entity = world.state.entities.get(source.database);
  const database = entity?.kind === 'database' ? entity : undefined;
  return {
    object: 'data_source',
    id: source.id,
    cover: null,
    icon: showFile(world, source.icon),
    created_time: minute(source.createdAt),
    created_by: partialUser(source.createdBy),
    last_edited_by: partialUser(source.editedBy),
    last_edited_time: minute(source.editedAt),
    title: showRichText(world, source.title),
    description: showRichText(world, database?.description ?? []),
    is_inline: database?.inline ?? false,
    properties: Object.fromEntries(source.columns.map((column) => [column.name, showColumn(column)])),
    parent: { type: 'database_id', database_id: source.database },
    database_parent:
      database === undefined ? { type: 'workspace', workspace: true } : parentAnswer(world, database.parent),
    url: database === undefined ? '' : urlOf(world, database),
    public_url: null,
    in_trash: source.inTrash,
    ...trashFields(call, source),
  };
}
