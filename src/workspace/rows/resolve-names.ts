/** Resolves names of people and related pages to ids. A name with no match, or several, is left out and reported. */
import { readWorkspaceId } from '../../contract/workspace/workspace-id.ts';
import type { DataSourceAnswer, SchemaProperty } from '../client/answers.ts';
import type { RunContext } from '../context.ts';
import { objectAt, textAt } from '../json-value.ts';
import { titleOf } from '../pages/page-fields.ts';
import { schemaList, type NamedValue } from './read-properties.ts';

const maxUserPages = 10;

const plain = (name: string): string => name.trim().toLowerCase();

async function peopleNamed(context: RunContext, name: string): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxUserPages; page += 1) {
    const users = await context.docs.listUsers({ page_size: 100, start_cursor: cursor });
    for (const user of users.results) {
      const names = [user.name ?? undefined, textAt(objectAt(user, 'person'), 'email')];
      if (names.some((each) => each !== undefined && plain(each) === plain(name))) found.push(user.id);
    }
    if (!users.has_more || users.next_cursor === null) break;
    cursor = users.next_cursor;
  }
  return found;
}

async function pagesNamed(context: RunContext, property: SchemaProperty, name: string): Promise<string[]> {
  const target = textAt(objectAt(property, 'relation'), 'data_source_id');
  if (target === undefined) return [];
  const rows = await context.docs.queryDataSource(target, {
    filter: { property: 'title', title: { equals: name.slice(0, 2000) } },
    page_size: 10,
  });
  return rows.results.flatMap((row) => (row.object === 'page' && titleOf(row) === name ? [row.id] : []));
}

const namesIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value])
    .flatMap((item: unknown) =>
      typeof item === 'string' ? item : (textAt(item, 'id') ?? textAt(item, 'name') ?? []),
    )
    .map((name) => name.trim())
    .filter((name) => name !== '');

async function idOf(
  context: RunContext,
  property: SchemaProperty,
  name: string,
): Promise<string | undefined> {
  const id = readWorkspaceId(name);
  if (id !== undefined) return id;
  const found =
    property.type === 'people' ? await peopleNamed(context, name) : await pagesNamed(context, property, name);
  const [first, second] = found;
  if (first !== undefined && second === undefined) return first;
  const why = first === undefined ? 'is not found' : `fits ${found.length} entries`;
  context.warn(`${property.name}: ${JSON.stringify(name)} ${why} and was left out.`);
  return undefined;
}

export async function resolveNames(
  context: RunContext,
  values: readonly NamedValue[],
  dataSource: DataSourceAnswer,
): Promise<NamedValue[]> {
  const resolved: NamedValue[] = [];
  for (const entry of values) {
    const property = schemaList(dataSource).find(({ name }) => name === entry.name);
    if (property === undefined || (property.type !== 'people' && property.type !== 'relation')) {
      resolved.push(entry);
      continue;
    }
    const ids: string[] = [];
    for (const name of namesIn(entry.value)) {
      const id = await idOf(context, property, name);
      if (id !== undefined) ids.push(id);
    }
    if (ids.length > 0) resolved.push({ ...entry, value: ids });
  }
  return resolved;
}
