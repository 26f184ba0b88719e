/** The workspace's search returns data sources, while agents ask for databases. Results show both ids. */
import type { DataSourceAnswer, OtherAnswer, PageAnswer } from './client/answers.ts';
import type { JsonObject } from '../contract/workspace/actions.ts';
import { plainText } from './blocks/rich-text.ts';
import { titleOf } from './pages/page-fields.ts';

/** The database of a data source, with the data source's id. */
export function asDatabase(item: DataSourceAnswer): JsonObject {
  const databaseId = item.parent?.database_id;
  if (databaseId === undefined) return item;
  const { database_parent: parent, ...rest } = item;
  return {
    ...rest,
    object: 'database',
    id: databaseId,
    data_source_id: item.id,
    parent: parent ?? item.parent,
  };
}

/** Only the fields needed to choose one; an object of an unknown kind is returned unchanged. */
export function brief(item: PageAnswer | DataSourceAnswer | OtherAnswer): JsonObject {
  if (item.object === 'other') return item.given;
  const common = { url: item.url, last_edited_time: item['last_edited_time'] };
  if (item.object === 'page')
    return { object: 'page', id: item.id, title: titleOf(item), parent: item.parent, ...common };
  const shown: JsonObject = asDatabase(item);
  return {
    object: shown['object'],
    id: shown['id'],
    data_source_id: shown['data_source_id'],
    title: plainText(item.title),
    parent: shown['parent'],
    ...common,
  };
}
