import { z } from 'zod';
import { jsonObject, pageSize, startCursor, workspaceId } from '../../../contract/workspace/actions.ts';
import { readSchema, resolveDataSource } from '../../data-source.ts';
import { defineAction } from '../../define-action.ts';
import { queryResult } from '../../query/query-result.ts';
import { readSorts } from '../../query/read-sorts.ts';

export const queryDatabase = defineAction({
  id: 'DOCS_QUERY_DATABASE',
  summary: 'Lists the rows of a database.',
  effect: 'read',
  input: z.strictObject({
    database_id: workspaceId('A database, not a page.'),
    sorts: z
      .array(jsonObject)
      .max(100)
      .default([])
      .describe(
        '[{"property_name","ascending"}], first rule first; created_time and last_edited_time work as names.',
      ),
    page_size: pageSize(),
    start_cursor: startCursor.optional(),
  }),
  example: {
    database_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10',
    sorts: [{ property_name: 'Due', ascending: true }],
  },
  run: async (context, { database_id, sorts, page_size, start_cursor }) => {
    const paging = { page_size, ...(start_cursor === undefined ? {} : { start_cursor }) };
    if (sorts.length === 0) {
      const { dataSourceId } = await resolveDataSource(context, database_id);
      return queryResult(context, await context.docs.queryDataSource(dataSourceId, paging));
    }
    const { dataSource } = await readSchema(context, database_id);
    const rules = readSorts(sorts, dataSource);
    return queryResult(
      context,
      await context.docs.queryDataSource(dataSource.id, { sorts: rules, ...paging }),
    );
  },
});
