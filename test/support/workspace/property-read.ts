/** Property values as answers hold them. */
import { asArray, asObject, asString, isObject, type Json, type JsonObject } from './json.ts';
import { showFile } from './files.ts';
import { plainText, showRichText } from './rich-text.ts';
import { rolledUp } from './rollups.ts';
import type { Column, DataSource, Page } from './state.ts';
import { showUser } from './user-answer.ts';
import { alive, minute, type World } from './world.ts';

const titleColumn: Column = { id: 'title', name: 'title', description: null, type: 'title', config: {} };

export function columnsOf(source: DataSource | undefined): Column[] {
  return source?.columns ?? [titleColumn];
}

/**
 * By name; lists of people and relations stop at 25, text is whole (recorded with 50 mentions). `only` holds property
 * ids.
 */
export function showProperties(
  world: World,
  page: Page,
  source: DataSource | undefined,
  only?: readonly string[],
): JsonObject {
  return Object.fromEntries(
    columnsOf(source)
      .filter(({ id }) => only?.includes(id) ?? true)
      .map((column) => [
        column.name,
        { id: column.id, type: column.type, ...shortValue(world, page, column, source) },
      ]),
  );
}

function shortValue(world: World, page: Page, column: Column, source: DataSource | undefined): JsonObject {
  const value = propertyValue(world, page, column, source);
  if (!Array.isArray(value)) return { [column.type]: value };
  if (column.type === 'relation') return { relation: value.slice(0, 25), has_more: value.length > 25 };
  return { [column.type]: column.type === 'people' ? value.slice(0, 25) : value };
}

/** The whole value, without the 25 limit. */
export function propertyValue(
  world: World,
  page: Page,
  column: Column,
  source: DataSource | undefined,
): Json {
  const kept = page.values[column.id];
  switch (column.type) {
    case 'title':
    case 'rich_text':
      return showRichText(world, asArray(kept));
    case 'select':
    case 'status':
      return kept === undefined || kept === null ? null : option(column, kept);
    case 'multi_select':
      return asArray(kept).map((id) => option(column, id));
    case 'people':
      return asArray(kept).map((id) => showUser(world, asString(id)));
    case 'relation':
      return asArray(kept)
        .filter((id) => isAlive(world, asString(id)))
        .map((id) => ({ id }));
    case 'files':
      return asArray(kept).map((file) => showFile(world, file));
    case 'checkbox':
      return kept ?? false;
    case 'created_time':
      return minute(page.createdAt);
    case 'last_edited_time':
      return minute(page.editedAt);
    case 'created_by':
      return showUser(world, page.createdBy);
    case 'last_edited_by':
      return showUser(world, page.editedBy);
    case 'unique_id':
      return { prefix: column.config['prefix'] ?? null, number: page.serial };
    case 'formula':
      return formula(world, page, column, source);
    case 'rollup':
      return rollup(world, page, column, source);
    case 'button':
      return {};
    case 'verification':
      return { state: 'unverified', verified_by: null, date: null };
    default:
      return kept ?? null;
  }
}

function isAlive(world: World, id: string): boolean {
  const page = world.state.entities.get(id);
  return page !== undefined && alive(world, page);
}

function option(column: Column, id: Json): Json {
  const found = asArray(column.config['options'])
    .map(asObject)
    .find((each) => each['id'] === id);
  return found === undefined
    ? null
    : { id: id, name: found['name'] ?? '', color: found['color'] ?? 'default' };
}

/** Formulas are not computed: `prop("Name")` alone gives that property's text, all else an empty text. */
function formula(world: World, page: Page, column: Column, source: DataSource | undefined): Json {
  const name = /^prop\("([^"]+)"\)$/.exec(asString(column.config['expression']))?.[1];
  const target = source?.columns.find((each) => each.name === name && each.type !== 'formula');
  if (target === undefined) return { type: 'string', string: '' };
  const value = propertyValue(world, page, target, source);
  if (typeof value === 'number' || target.type === 'number') return { type: 'number', number: value };
  if (typeof value === 'boolean') return { type: 'boolean', boolean: value };
  if (target.type === 'date') return { type: 'date', date: value };
  const words = Array.isArray(value) ? plainText(world, asArray(page.values[target.id])) : words1(value);
  return { type: 'string', string: words };
}

function words1(value: Json): string {
  if (isObject(value)) return asString(value['name']);
  return typeof value === 'string' ? value : '';
}

function rollup(world: World, page: Page, column: Column, source: DataSource | undefined): Json {
  const relation = source?.columns.find((each) => each.id === column.config['relation_property_id']);
  const other = world.state.entities.get(asString(relation?.config['data_source_id']));
  const target =
    other?.kind === 'data_source'
      ? other.columns.find((each) => each.id === column.config['rollup_property_id'])
      : undefined;
  const rows = relation === undefined ? [] : asArray(page.values[relation.id]);
  const values = rows.flatMap((id) => {
    const row = world.state.entities.get(asString(id));
    if (row?.kind !== 'page' || target === undefined || other?.kind !== 'data_source') return [];
    return alive(world, row) ? [propertyValue(world, row, target, other)] : [];
  });
  return rolledUp(asString(column.config['function']), target?.type ?? 'rich_text', values);
}
