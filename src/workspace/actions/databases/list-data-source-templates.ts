import { z } from 'zod';
import { pageSize, startCursor, workspaceId } from '../../../contract/workspace/actions.ts';
import { defineAction } from '../../define-action.ts';
import { expectKind } from '../../wrong-kind.ts';

export const listDataSourceTemplates = defineAction({
  id: 'DOCS_LIST_DATA_SOURCE_TEMPLATES',
  summary: 'Lists the page templates of a data source.',
  effect: 'read',
  input: z.strictObject({
    data_source_id: workspaceId('The data source (UUID).'),
    page_size: pageSize(),
    start_cursor: startCursor.optional(),
  }),
  example: { data_source_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: async ({ docs }, { data_source_id, page_size, start_cursor }) => {
    const list = await expectKind(docs, 'data source', data_source_id, () =>
      docs.listTemplates(data_source_id, { page_size, start_cursor }),
    );
    return {
      templates: list.templates,
      count: list.templates.length,
      has_more: list.has_more,
      next_cursor: list.next_cursor,
    };
  },
});
