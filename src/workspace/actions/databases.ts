/** The actions that create a database or read its structure. */
import { propertyOf, schemaList } from '../rows/read-properties.ts';
import { z } from 'zod';
import {
  jsonObject,
  type JsonObject,
  maxListItems,
  workspaceId,
  paging,
} from '../../contract/workspace/actions.ts';
import { readChildren } from '../blocks/read-tree.ts';
import type { DatabaseAnswer } from '../client/answers.ts';
import { isRefused, unknownId, unlessRefused } from '../client/failures.ts';
import type { RunContext } from '../context.ts';
import { defineAction } from '../define-action.ts';
import { boundedText } from '../inputs.ts';
import { invalidInput } from '../failures.ts';
import { objectAt, textAt } from '../json-value.ts';
import { titleText } from '../pages/page-fields.ts';
import { expectKind, readSchema, resolveDataSource } from '../resolve-ids.ts';
import { type Column, readColumns } from '../rows/column-config.ts';
import { createObjectOnce } from '../steps.ts';

async function propertiesOf(context: RunContext, columns: readonly Column[]): Promise<JsonObject> {
  const properties = new Map<string, JsonObject>();
  for (const { name, config, relatedDatabaseId } of columns) {
    const relation = objectAt(config, 'relation');
    if (relatedDatabaseId === undefined || relation === undefined) {
      properties.set(name, config);
      continue;
    }
    const { id } = await resolveDataSource(context, relatedDatabaseId);
    properties.set(name, { relation: { data_source_id: id, ...relation } });
  }
  return Object.fromEntries(properties);
}

async function databasesNamed(context: RunContext, pageId: string, title: string): Promise<string[]> {
  const { blocks } = await readChildren(context.docs, pageId);
  return blocks
    .filter(
      (block) =>
        block.type === 'child_database' && textAt(objectAt(block, 'child_database'), 'title') === title,
    )
    .map(({ id }) => id);
}

export const createDatabase = defineAction({
  id: 'DOCS_CREATE_DATABASE',
  summary: 'Creates a database under a page that is shared with the integration.',
  effect: 'create',
  input: z.strictObject({
    title: boundedText.field.min(1),
    parent_id: workspaceId('A page shared with the integration.'),
    properties: z
      .array(jsonObject)
      .max(maxListItems)
      .default([])
      .describe(
        'Columns: {"name","type"}, exactly one of type title; relation needs database_id, select takes options. Default: a single Name column of type title.',
      ),
  }),
  example: {
    title: 'Tasks',
    parent_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10',
    properties: [
      { name: 'Task', type: 'title' },
      { name: 'Stage', type: 'select', options: ['Open', 'Done'] },
    ],
  },
  run: async (context, { title, parent_id, properties }) => {
    const { columns, problems } = readColumns(properties);
    if (problems.length > 0) throw invalidInput(problems);
    const config = await propertiesOf(context, columns);
    const lookalikes = () => databasesNamed(context, parent_id, title);
    const database = await expectKind(context.docs, 'page', parent_id, () =>
      createObjectOnce(context, 'create', {
        lookalikes,
        lookBefore: async () => {
          // Fails before any write if the parent is not a page. The workspace also accepts a database as the parent,
          // but its children cannot be read, so a look-up after a lost response would fail.
          await context.docs.retrievePage(parent_id);
          return lookalikes();
        },
        send: () =>
          context.docs.createDatabase({
            parent: { type: 'page_id', page_id: parent_id },
            title: titleText(title),
            initial_data_source: { properties: config },
          }),
        read: (id) => context.docs.retrieveDatabase(id),
        what: `the creation of the database ${JSON.stringify(title)}`,
      }),
    );
    return { ...database, data_source_id: database.data_sources[0]?.id };
  },
});

const maxDataSources = 10;

/** Reads a database by its id or, with a warning, by the id of one of its data sources. */
async function databaseOf({ docs, warn }: RunContext, id: string): Promise<DatabaseAnswer> {
  try {
    return await expectKind(docs, 'database', id, () => docs.retrieveDatabase(id));
  } catch (error) {
    if (!isRefused(error, unknownId)) throw error;
    const databaseId = (await unlessRefused(() => docs.retrieveDataSource(id)))?.parent?.database_id;
    if (databaseId === undefined) throw error;
    warn(`${id} is the id of a data source; its database ${databaseId} was read.`);
    return docs.retrieveDatabase(databaseId);
  }
}

export const fetchDatabase = defineAction({
  id: 'DOCS_FETCH_DATABASE',
  summary: "Reads a database's structure: its data sources and their properties, not its entries.",
  effect: 'read',
  input: z.strictObject({ database_id: workspaceId('A database, not a page.') }),
  example: { database_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: async (context, { database_id }) => {
    const database = await databaseOf(context, database_id);
    const total = database.data_sources.length;
    const sources = [];
    for (const { id: sourceId, name = null } of database.data_sources.slice(0, maxDataSources)) {
      const { id, properties } = await context.docs.retrieveDataSource(sourceId);
      sources.push({ id, name, properties });
    }
    if (total > sources.length)
      context.warn(
        `The database has ${total} data sources; the first ${maxDataSources} are shown with their properties.`,
      );
    const [first, second] = sources;
    return {
      ...database,
      data_sources: sources,
      data_source_count: total,
      ...(first !== undefined && second === undefined ? { properties: first.properties } : {}),
    };
  },
});

export const retrieveDatabaseProperty = defineAction({
  id: 'DOCS_RETRIEVE_DATABASE_PROPERTY',
  summary: "Reads one property of a database's schema.",
  effect: 'read',
  input: z.strictObject({
    database_id: workspaceId('The database.'),
    property_id: boundedText.name
      .min(1)
      .describe('The property id or its case-sensitive name; URL-encoded values are understood.'),
  }),
  example: { database_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10', property_id: 'Status' },
  run: async (context, { database_id, property_id }) => {
    const dataSource = await readSchema(context, database_id);
    const found = propertyOf('property_id', property_id, schemaList(dataSource));
    return { ...found, data_source_id: dataSource.id };
  },
});

export const listDataSourceTemplates = defineAction({
  id: 'DOCS_LIST_DATA_SOURCE_TEMPLATES',
  summary: 'Lists the page templates of a data source.',
  effect: 'read',
  input: z.strictObject({
    data_source_id: workspaceId('The data source (UUID).'),
    ...paging,
  }),
  example: { data_source_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: async ({ docs }, { data_source_id, ...page }) => {
    const { templates, has_more, next_cursor } = await expectKind(docs, 'data source', data_source_id, () =>
      docs.listTemplates(data_source_id, page),
    );
    return { templates, count: templates.length, has_more, next_cursor };
  },
});
