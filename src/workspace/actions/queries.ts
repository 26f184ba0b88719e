/** The actions that list the rows of a database or data source. */
import { propertyOf, schemaList } from '../rows/read-properties.ts';
import { z } from 'zod';
import { type JsonObject, jsonObject, workspaceId, paging } from '../../contract/workspace/actions.ts';
import type { DataSourceAnswer, pageList } from '../client/answers.ts';
import { isRefused } from '../client/failures.ts';
import { listResult } from '../compact.ts';
import type { RunContext } from '../context.ts';
import { defineAction } from '../define-action.ts';
import { invalidInput } from '../failures.ts';
import { filter, sorts, boundedText } from '../inputs.ts';
import { truncatedProperties } from '../pages/page-fields.ts';
import { readFilter } from '../query/read-filter.ts';
import { readSorts } from '../query/read-sorts.ts';
import { dataSourceOf, readSchema, resolveDataSource } from '../resolve-ids.ts';
import { decoded } from '../text.ts';

function queryResult(context: RunContext, answer: z.infer<typeof pageList>): JsonObject {
  const incomplete = answer.request_status?.type === 'incomplete';
  if (incomplete)
    context.warn(
      'The workspace stops at 10,000 results for one filter and sort: there are more. Narrow the filter, for example by created_time.',
    );
  const cut = answer.results.some((row) => row.object === 'page' && truncatedProperties(row).length > 0);
  if (cut)
    context.warn(
      'Some properties show only their first 25 references: read them with DOCS_GET_PAGE_PROPERTY_ACTION.',
    );
  const results = answer.results.map((row) => (row.object === 'other' ? row.given : row));
  return { ...listResult({ ...answer, results }), ...(incomplete ? { incomplete: true } : {}) };
}

type Query = {
  filter?: JsonObject | undefined;
  sorts?: readonly unknown[] | undefined;
  page_size: number;
  start_cursor?: string | undefined;
};

/**
 * Converts filter and sorts to the workspace's form.
 * @returns the query, and a note for each change of the filter
 * @throws ActionError INVALID_INPUT that lists the problems of the filter, or names the first problem of the sorts
 */
function readQuery(
  { filter: given, sorts: rules, ...page }: Query,
  dataSource: DataSourceAnswer,
): { query: JsonObject; notes: string[] } {
  const read = given === undefined ? undefined : readFilter(given, dataSource);
  if (read !== undefined && read.problems.length > 0) throw invalidInput(read.problems);
  const sorted = rules === undefined ? undefined : readSorts(rules, dataSource);
  return { query: { filter: read?.filter, sorts: sorted, ...page }, notes: read?.notes ?? [] };
}

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
    ...paging,
  }),
  example: {
    database_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10',
    sorts: [{ property_name: 'Due', ascending: true }],
  },
  run: async (context, { database_id, ...given }) => {
    if (given.sorts.length === 0) {
      const { id } = await resolveDataSource(context, database_id);
      return queryResult(context, await context.docs.queryDataSource(id, { ...given, sorts: undefined }));
    }
    const dataSource = await readSchema(context, database_id);
    const { query } = readQuery(given, dataSource);
    return queryResult(context, await context.docs.queryDataSource(dataSource.id, query));
  },
});

export const queryDatabaseWithFilter = defineAction({
  id: 'DOCS_QUERY_DATABASE_WITH_FILTER',
  summary:
    'Lists the rows of a database that fit a filter. Values of select, status and multi_select must match the schema exactly.',
  effect: 'read',
  input: z.strictObject({
    database_id: workspaceId('A database, not a page.'),
    filter,
    sorts,
    ...paging,
    connector_execution_message: boundedText.field
      .optional()
      .describe('A note on automatic conversions; shown in the result, ignored as input.'),
  }),
  example: {
    database_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10',
    filter: { property: 'Status', status: { equals: 'Done' } },
    sorts: [{ timestamp: 'created_time', direction: 'descending' }],
  },
  run: async (context, { database_id, filter: given, sorts: rules, page_size, start_cursor }) => {
    const dataSource = await readSchema(context, database_id);
    const { query, notes } = readQuery({ filter: given, sorts: rules, page_size, start_cursor }, dataSource);
    return {
      ...queryResult(context, await context.docs.queryDataSource(dataSource.id, query)),
      ...(notes.length === 0 ? {} : { connector_execution_message: notes.join(' ') }),
    };
  },
});

export const queryDataSource = defineAction({
  id: 'DOCS_QUERY_DATA_SOURCE',
  summary: 'Lists the rows of a data source, with filter and sorts.',
  effect: 'read',
  input: z.strictObject({
    data_source_id: workspaceId('The data source; DOCS_FETCH_DATABASE shows those of a database.'),
    filter,
    sorts,
    ...paging,
    filter_properties: z
      .array(boundedText.name)
      .max(100)
      .optional()
      .describe('Ids (or names) of the properties to include.'),
  }),
  example: { data_source_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10', page_size: 20 },
  run: async (context, { data_source_id: id, filter_properties: names, ...given }) => {
    if (given.filter === undefined && given.sorts === undefined && names === undefined)
      return queryResult(context, await queryOrResolve(context, id, given));
    const dataSource = await dataSourceOf(context, id);
    const { query, notes } = readQuery(given, dataSource);
    for (const note of notes) context.warn(note);
    const only =
      names === undefined
        ? undefined
        : names.map((name) => decoded(propertyOf('filter_properties', name, schemaList(dataSource)).id));
    return queryResult(context, await context.docs.queryDataSource(dataSource.id, query, only));
  },
});

/**
 * Queries a data source without reading its schema first. If the workspace does not know a data source with this id,
 * queries the only data source of the database with this id.
 */
async function queryOrResolve(context: RunContext, id: string, query: JsonObject) {
  try {
    return await context.docs.queryDataSource(id, query);
  } catch (error) {
    const isUnknownId = isRefused(error) && (error.status === 404 || error.code === 'invalid_request_url');
    if (!isUnknownId) throw error;
    return context.docs.queryDataSource((await dataSourceOf(context, id)).id, query);
  }
}
