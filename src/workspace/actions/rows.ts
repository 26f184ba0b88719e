/** The actions that read or insert a row of a database. */
import { z } from 'zod';
import { type JsonObject, jsonObject, maxListItems, workspaceId } from '../../contract/workspace/actions.ts';
import type { Block } from '../blocks/block.ts';
import { readContentBlocks } from '../blocks/given-blocks.ts';
import type { DataSourceAnswer } from '../client/answers.ts';
import type { RunContext } from '../context.ts';
import { defineAction } from '../define-action.ts';
import { contentBlock, coverUrl, emojiIcon, boundedText } from '../inputs.ts';
import { isObject, listAt } from '../json-value.ts';
import { createPage } from '../pages/create-page.ts';
import { coverOf, emojiOf, withTruncation } from '../pages/page-fields.ts';
import { expectKind, readSchema } from '../resolve-ids.ts';
import { planRow } from '../rows/plan-row.ts';
import {
  checkedProperties,
  readNamedValues,
  type RowProperties,
  schemaList,
} from '../rows/read-properties.ts';
import { recorded } from '../steps.ts';

export const fetchRow = defineAction({
  id: 'DOCS_FETCH_ROW',
  summary: "Reads a database row's properties.",
  effect: 'read',
  input: z.strictObject({ page_id: workspaceId('The page of a database row.') }),
  example: { page_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: async ({ docs, warn }, { page_id }) => {
    const page = await expectKind(docs, 'page', page_id, () => docs.retrievePage(page_id));
    const inDatabase = page.parent?.data_source_id !== undefined || page.parent?.database_id !== undefined;
    if (!inDatabase) warn('This page is not a row: it does not lie in a database.');
    return withTruncation(page);
  },
});

function titleIn(properties: RowProperties['properties'], dataSource: DataSourceAnswer): JsonObject[] {
  const title = schemaList(dataSource).find((property) => property.type === 'title');
  return title === undefined ? [] : listAt(properties[title.name], 'title').filter(isObject);
}

async function insertRow(
  context: RunContext,
  dataSource: DataSourceAnswer,
  properties: RowProperties['properties'],
  extras: { icon: JsonObject | undefined; cover: JsonObject | undefined; blocks: readonly Block[] },
): Promise<JsonObject> {
  const parent = { kind: 'data_source', id: dataSource.id } as const;
  const title = titleIn(properties, dataSource);
  return createPage(context, '', parent, { title, properties, ...extras });
}

export const insertRowDatabase = defineAction({
  id: 'DOCS_INSERT_ROW_DATABASE',
  summary: 'Inserts a row into a database that is shared with the integration.',
  effect: 'create',
  input: z.strictObject({
    database_id: workspaceId('The database; the id of one of its data sources works too.'),
    properties: z
      .union([z.array(jsonObject).max(maxListItems), jsonObject])
      .default([])
      .describe(
        '[{"name","type","value"}]: name exact and case-sensitive; value as text, such as "2026-05-01", "High", "a, b", "true".',
      ),
    child_blocks: z
      .array(contentBlock)
      .max(maxListItems)
      .default([])
      .describe('The body of the row: simplified or full blocks, or rich text objects.'),
    icon: emojiIcon,
    cover: coverUrl,
  }),
  example: {
    database_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10',
    properties: [
      { name: 'Task', type: 'title', value: 'Write the report' },
      { name: 'Due', type: 'date', value: '2026-05-01' },
    ],
  },
  run: async (context, { database_id, properties, child_blocks, icon, cover }) => {
    const values = readNamedValues(properties);
    const blocks = readContentBlocks(context, child_blocks, 'child_blocks');
    const extras = { icon: emojiOf(icon), cover: coverOf(cover), blocks };
    const dataSource = await readSchema(context, database_id);
    const row = checkedProperties(context, values, schemaList(dataSource), 'leave_out');
    return insertRow(context, dataSource, row, extras);
  },
});

const plan = z.array(z.object({ name: z.string(), type: z.string().exactOptional(), value: z.unknown() }));

export const insertRowFromNl = defineAction({
  id: 'DOCS_INSERT_ROW_FROM_NL',
  summary:
    'Inserts a row described in natural language. The schema is read at run time and the values are made from the text.',
  effect: 'generated_create',
  input: z.strictObject({
    database_id: workspaceId('The database; the id of one of its data sources works too.'),
    nl_query: boundedText.field
      .min(1)
      .describe('The row in natural language, such as "Buy milk tomorrow, high priority".'),
    icon: emojiIcon,
    cover: coverUrl,
  }),
  example: {
    database_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10',
    nl_query: 'Buy milk tomorrow, high priority',
  },
  run: async (context, { database_id, nl_query, icon, cover }) => {
    const extras = { icon: emojiOf(icon), cover: coverOf(cover), blocks: [] };
    const dataSource = await readSchema(context, database_id);
    // The plan is recorded before any write, so that a retry creates the same row and does not call a model again.
    const values = await recorded(context, 'plan', plan, () => planRow(context, dataSource, nl_query));
    const properties = checkedProperties(context, values, schemaList(dataSource), 'leave_out');
    const row = await insertRow(context, dataSource, properties, extras);
    return { ...row, generated_properties: values };
  },
});
