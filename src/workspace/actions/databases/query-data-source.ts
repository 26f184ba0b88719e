import { z } from 'zod';
import { maxText, pageSize, startCursor, workspaceId } from '../../../contract/workspace/actions.ts';
import { WorkspaceRefused } from '../../client/failures.ts';
import type { DataSourceAnswer } from '../../client/answers.ts';
import type { RunContext } from '../../context.ts';
import { dataSourceOf } from '../../data-source.ts';
import { decoded } from '../../decoded.ts';
import { defineAction } from '../../define-action.ts';
import { invalidInput } from '../../failures.ts';
import { filter, sorts } from '../../inputs.ts';
import { queryResult } from '../../query/query-result.ts';
import { readFilter } from '../../query/read-filter.ts';
import { readSorts } from '../../query/read-sorts.ts';

function propertyIds(names: readonly string[], dataSource: DataSourceAnswer): string[] {
  const all = Object.values(dataSource.properties);
  return names.map((name) => {
    const found =
      all.find(({ id }) => id === name || decoded(id) === decoded(name)) ??
      all.find((property) => property.name === name);
    if (found === undefined)
      throw invalidInput(
        `filter_properties holds ${JSON.stringify(name)}, which is no property. Properties: ${all.map((property) => `${property.name} (${property.id})`).join(', ')}`,
      );
    return decoded(found.id);
  });
}

async function readFor(
  context: RunContext,
  id: string,
  needsSchema: boolean,
): Promise<{ id: string; dataSource?: DataSourceAnswer }> {
  if (!needsSchema) return { id };
  const dataSource = await dataSourceOf(context, id);
  return { id: dataSource.id, dataSource };
}

export const queryDataSource = defineAction({
  id: 'DOCS_QUERY_DATA_SOURCE',
  summary: 'Lists the rows of a data source, with filter and sorts.',
  effect: 'read',
  input: z.strictObject({
    data_source_id: workspaceId('The data source; DOCS_FETCH_DATABASE shows those of a database.'),
    filter,
    sorts,
    page_size: pageSize(),
    start_cursor: startCursor.optional(),
    filter_properties: z
      .array(z.string().max(maxText.name))
      .max(100)
      .optional()
      .describe('Ids (or names) of the properties to include.'),
  }),
  example: { data_source_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10', page_size: 20 },
  run: async (context, input) => {
    const needsSchema =
      input.filter !== undefined || input.sorts !== undefined || input.filter_properties !== undefined;
    const { id, dataSource } = await readFor(context, input.data_source_id, needsSchema);
    const read =
      input.filter === undefined || dataSource === undefined
        ? undefined
        : readFilter(input.filter, dataSource);
    if (read !== undefined && read.problems.length > 0) throw invalidInput(read.problems);
    for (const note of read?.notes ?? []) context.warn(note);
    const body = {
      ...(read === undefined ? {} : { filter: read.filter }),
      ...(input.sorts === undefined || dataSource === undefined
        ? {}
        : { sorts: readSorts(input.sorts, dataSource) }),
      page_size: input.page_size,
      ...(input.start_cursor === undefined ? {} : { start_cursor: input.start_cursor }),
    };
    const only =
      input.filter_properties === undefined || dataSource === undefined
        ? undefined
        : propertyIds(input.filter_properties, dataSource);
    return queryResult(context, await queryOrResolve(context, id, body, only));
  },
});

/** The schema is not read first, so a database id shows only when the query is refused. */
async function queryOrResolve(
  context: RunContext,
  id: string,
  body: Record<string, unknown>,
  only: readonly string[] | undefined,
) {
  try {
    return await context.docs.queryDataSource(id, body, only);
  } catch (error) {
    const unknownId =
      error instanceof WorkspaceRefused && (error.status === 404 || error.code === 'invalid_request_url');
    if (!unknownId) throw error;
    const dataSource = await dataSourceOf(context, id);
    return context.docs.queryDataSource(dataSource.id, body, only);
  }
}
