import { z } from 'zod';
import { maxText, pageSize, startCursor, workspaceId } from '../../../contract/workspace/actions.ts';
import { readSchema } from '../../data-source.ts';
import { defineAction } from '../../define-action.ts';
import { invalidInput } from '../../failures.ts';
import { filter, sorts } from '../../inputs.ts';
import { queryResult } from '../../query/query-result.ts';
import { readFilter } from '../../query/read-filter.ts';
import { readSorts } from '../../query/read-sorts.ts';

export const queryDatabaseWithFilter = defineAction({
  id: 'DOCS_QUERY_DATABASE_WITH_FILTER',
  summary:
    'Lists the rows of a database that fit a filter. Values of select, status and multi_select must match the schema exactly.',
  effect: 'read',
  input: z.strictObject({
    database_id: workspaceId('A database, not a page.'),
    filter,
    sorts,
    page_size: pageSize(),
    start_cursor: startCursor.optional(),
    connector_execution_message: z
      .string()
      .max(maxText.field)
      .optional()
      .describe('A note on automatic conversions; shown in the result, ignored as input.'),
  }),
  example: {
    database_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10',
    filter: { property: 'Status', status: { equals: 'Done' } },
    sorts: [{ timestamp: 'created_time', direction: 'descending' }],
  },
  run: async (context, input) => {
    const { dataSource } = await readSchema(context, input.database_id);
    const read = input.filter === undefined ? undefined : readFilter(input.filter, dataSource);
    if (read !== undefined && read.problems.length > 0) throw invalidInput(read.problems);
    const answer = await context.docs.queryDataSource(dataSource.id, {
      ...(read === undefined ? {} : { filter: read.filter }),
      ...(input.sorts === undefined ? {} : { sorts: readSorts(input.sorts, dataSource) }),
      page_size: input.page_size,
      ...(input.start_cursor === undefined ? {} : { start_cursor: input.start_cursor }),
    });
    const notes = read?.notes.join(' ') ?? '';
    return {
      ...queryResult(context, answer),
      ...(notes === '' ? {} : { connector_execution_message: notes }),
    };
  },
});
