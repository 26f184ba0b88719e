/** The actions that search pages and databases. */
import { z } from 'zod';
import { type JsonObject, pageSize, startCursor } from '../../contract/workspace/actions.ts';
import { plainText } from '../blocks/rich-text.ts';
import type { DataSourceAnswer, OtherAnswer, PageAnswer } from '../client/answers.ts';
import { listResult } from '../compact.ts';
import { defineAction } from '../define-action.ts';
import { boundedText } from '../inputs.ts';
import { titleOf } from '../pages/page-fields.ts';

/**
 * Converts a data source to a search result for its database, in which `data_source_id` is the id of the data source.
 * Returns the data source unchanged if it does not name its database.
 */
function asDatabase(item: DataSourceAnswer): JsonObject {
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

/** Returns only the fields that a model needs to choose a result. Returns an object of an unknown kind unchanged. */
function brief(item: PageAnswer | DataSourceAnswer | OtherAnswer): JsonObject {
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

const kindFilter = (value: 'page' | 'data_source' | undefined): JsonObject | undefined =>
  value === undefined ? undefined : { property: 'object', value };

export const searchDocsPage = defineAction({
  id: 'DOCS_SEARCH_DOCS_PAGE',
  summary: 'Searches pages and databases by title. Indexing is not immediate and results are not exhaustive.',
  effect: 'read',
  input: z.strictObject({
    query: boundedText.name.optional().describe('Words of the title; empty returns all accessible items.'),
    filter_value: z
      .enum(['page', 'database', 'data_source'])
      .optional()
      .describe('page or database; data_source lists the same as database.'),
    filter_property: z.literal('object').optional().describe('Only value: object.'),
    timestamp: z.literal('last_edited_time').optional().describe('Only value: last_edited_time.'),
    direction: z.enum(['ascending', 'descending']).optional().describe('Required when timestamp is given.'),
    page_size: pageSize('Results per request, 1 to 100.', 25),
    start_cursor: startCursor.optional(),
    filter_properties: z
      .array(boundedText.name)
      .max(100)
      .optional()
      .describe('Names of the properties to include for page results.'),
  }),
  rules: {
    'direction is required when timestamp is given.': ({ timestamp, direction }) =>
      timestamp === undefined || direction !== undefined,
    'timestamp is required when direction is given.': ({ timestamp, direction }) =>
      direction === undefined || timestamp !== undefined,
  },
  example: { query: 'Roadmap', filter_value: 'page' },
  run: async (
    { docs },
    { query, filter_value, timestamp, direction, page_size, start_cursor, filter_properties },
  ) => {
    const list = await docs.search({
      query,
      filter: kindFilter(filter_value === 'database' ? 'data_source' : filter_value),
      sort: timestamp === undefined ? undefined : { timestamp, direction },
      page_size,
      start_cursor,
    });
    const results = list.results.map((item) => {
      if (item.object === 'other') return item.given;
      if (item.object === 'data_source') return asDatabase(item);
      if (filter_properties === undefined) return item;
      return {
        ...item,
        properties: Object.fromEntries(
          Object.entries(item.properties).filter(([name]) => filter_properties.includes(name)),
        ),
      };
    });
    const nothing = results.length === 0 && query !== undefined;
    return {
      ...listResult({ ...list, results }),
      ...(nothing
        ? {
            hint: 'Search matches titles only, and new items appear with a delay. Try other words, or an empty query to list what is shared with the connection.',
          }
        : {}),
    };
  },
});

const maxPageSize = 100;
const kinds = { pages: 'page', databases: 'data_source', all: undefined } as const;

export const fetchData = defineAction({
  id: 'DOCS_FETCH_DATA',
  summary: 'Lists the pages, databases or both that are shared with the connection, in brief.',
  effect: 'read',
  input: z.strictObject({
    fetch_type: z.enum(['pages', 'databases', 'all']).describe('pages, databases or all.'),
    query: boundedText.name.optional().describe('Words of the title.'),
    page_size: z.int().min(1).default(maxPageSize).describe('1 to 100; larger values are capped.'),
    start_cursor: startCursor.optional(),
    original_page_size: z.int().optional().describe('Shown in the result; ignored as input.'),
    page_size_was_capped: z.boolean().optional().describe('Shown in the result; ignored as input.'),
  }),
  example: { fetch_type: 'databases' },
  run: async ({ docs }, { fetch_type, query, page_size, start_cursor }) => {
    const list = await docs.search({
      query,
      filter: kindFilter(kinds[fetch_type]),
      page_size: Math.min(page_size, maxPageSize),
      start_cursor,
    });
    return {
      ...listResult({ ...list, results: list.results.map(brief) }),
      page_size_was_capped: page_size > maxPageSize,
      ...(page_size > maxPageSize ? { original_page_size: page_size } : {}),
    };
  },
});
