import { z } from 'zod';
import { maxText, startCursor } from '../../../contract/workspace/actions.ts';
import { listResult } from '../../compact.ts';
import { defineAction } from '../../define-action.ts';
import { brief } from '../../search-result.ts';

const most = 100;
const kinds = { pages: 'page', databases: 'data_source', all: undefined } as const;

export const fetchData = defineAction({
  id: 'DOCS_FETCH_DATA',
  summary: 'Lists the pages, databases or both that are shared with the connection, in brief.',
  effect: 'read',
  input: z.strictObject({
    fetch_type: z.enum(['pages', 'databases', 'all']).describe('pages, databases or all.'),
    query: z.string().max(maxText.name).optional().describe('Words of the title.'),
    page_size: z.int().min(1).default(most).describe('1 to 100; larger values are capped.'),
    start_cursor: startCursor.optional(),
    original_page_size: z.int().optional().describe('Shown in the result; ignored as input.'),
    page_size_was_capped: z.boolean().optional().describe('Shown in the result; ignored as input.'),
  }),
  example: { fetch_type: 'databases' },
  run: async ({ docs }, { fetch_type, query, page_size, start_cursor }) => {
    const value = kinds[fetch_type];
    const list = await docs.search({
      ...(query === undefined ? {} : { query }),
      ...(value === undefined ? {} : { filter: { property: 'object', value } }),
      page_size: Math.min(page_size, most),
      ...(start_cursor === undefined ? {} : { start_cursor }),
    });
    return {
      ...listResult({ ...list, results: list.results.map(brief) }),
      page_size_was_capped: page_size > most,
      ...(page_size > most ? { original_page_size: page_size } : {}),
    };
  },
});
