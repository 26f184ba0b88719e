import { z } from 'zod';
import { maxText, pageSize, startCursor } from '../../../contract/workspace/actions.ts';
import { listResult } from '../../compact.ts';
import { defineAction } from '../../define-action.ts';
import { asDatabase } from '../../search-result.ts';

export const searchDocsPage = defineAction({
  id: 'DOCS_SEARCH_DOCS_PAGE',
  summary: 'Searches pages and databases by title. Indexing is not immediate and results are not exhaustive.',
  effect: 'read',
  input: z.strictObject({
    query: z
      .string()
      .max(maxText.name)
      .optional()
      .describe('Words of the title; empty returns all accessible items.'),
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
      .array(z.string().max(maxText.name))
      .max(100)
      .optional()
      .describe('Names of the properties to include for page results.'),
  }),
  rules: [
    {
      text: 'direction is required when timestamp is given.',
      holds: ({ timestamp, direction }) => timestamp === undefined || direction !== undefined,
    },
    {
      text: 'timestamp is required when direction is given.',
      holds: ({ timestamp, direction }) => direction === undefined || timestamp !== undefined,
    },
  ],
  example: { query: 'Roadmap', filter_value: 'page' },
  run: async (
    { docs },
    { query, filter_value, timestamp, direction, page_size, start_cursor, filter_properties },
  ) => {
    const list = await docs.search({
      ...(query === undefined ? {} : { query }),
      ...(filter_value === undefined
        ? {}
        : { filter: { property: 'object', value: filter_value === 'page' ? 'page' : 'data_source' } }),
      ...(timestamp === undefined ? {} : { sort: { timestamp, direction } }),
      page_size,
      ...(start_cursor === undefined ? {} : { start_cursor }),
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
