/** Titles and addresses of pages and databases. */
import { asArray, type Json } from './json.ts';
import { plainText } from './rich-text.ts';
import type { Database, DataSource, Page } from './state.ts';
import type { World } from './world.ts';

export function titleOf(world: World, entity: Page | Database | DataSource): string {
  if (entity.kind === 'page') return plainText(world, asArray(entity.values['title']));
  return plainText(world, entity.kind === 'database' ? databaseTitle(world, entity) : entity.title);
}

/** A database without a title goes by that of its first data source. */
export function databaseTitle(world: World, database: Database): Json[] {
  if (database.title.length > 0) return database.title;
  const first = world.state.entities.get(database.sources[0] ?? '');
  const title = first?.kind === 'data_source' ? first.title : [];
  return title.length > 0 ? title : [{ type: 'text', text: { content: 'New database', link: null } }];
}

/** `https://www.notion.so/My-Place-38c9ce7b…`; databases have no words in theirs. */
export function urlOf(world: World, entity: Page | Database): string {
  const id = entity.id.replaceAll('-', '');
  if (entity.kind === 'database') return `https://www.notion.so/${id}`;
  const words = titleOf(world, entity)
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
  return `https://www.notion.so/${words === '' ? '' : `${words}-`}${id}`;
}
