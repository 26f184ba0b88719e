/** Titles and addresses of pages and databases. */
import { asArray } from './json.ts';
import { plainText } from './rich-text.ts';
import type { Database, DataSource, Page } from './state.ts';
import type { World } from './world.ts';

export function titleOf(world: World, entity: Page | Database | DataSource): string {
  return plainText(world, entity.kind === 'page' ? asArray(entity.values['title']) : entity.title);
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
