import { z } from 'zod';
import type { DatabaseAnswer } from '../../client/answers.ts';
import {
  jsonObject,
  maxListItems,
  maxText,
  workspaceId,
  type JsonObject,
} from '../../../contract/workspace/actions.ts';
import { readChildren } from '../../blocks/children.ts';
import type { RunContext } from '../../context.ts';
import { resolveDataSource } from '../../data-source.ts';
import { defineAction } from '../../define-action.ts';
import { invalidInput } from '../../failures.ts';
import { objectAt, textAt } from '../../json-value.ts';
import { oneNew } from '../../pages/create-page.ts';
import { titleText } from '../../pages/page-fields.ts';
import { readColumns, type Column } from '../../rows/column-config.ts';
import { createOnce } from '../../steps.ts';
import { expectKind } from '../../wrong-kind.ts';

async function propertiesOf(context: RunContext, columns: readonly Column[]): Promise<JsonObject> {
  const properties = new Map<string, JsonObject>();
  for (const { name, config, relatedDatabaseId } of columns) {
    const relation = objectAt(config, 'relation');
    if (relatedDatabaseId === undefined || relation === undefined) {
      properties.set(name, config);
      continue;
    }
    const { dataSourceId } = await resolveDataSource(context, relatedDatabaseId);
    properties.set(name, { relation: { data_source_id: dataSourceId, ...relation } });
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
    title: z.string().max(maxText.field).min(1),
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
    let answer: DatabaseAnswer | undefined;
    const id = await expectKind(context.docs, 'page', parent_id, () =>
      createOnce(context, 'create', {
        made: z.string(),
        before: z.array(z.string()),
        lookBefore: async () => {
          // The API accepts a database as parent, but then its children cannot be read; so this requires a page.
          await context.docs.retrievePage(parent_id);
          return databasesNamed(context, parent_id, title);
        },
        send: async () => {
          answer = await context.docs.createDatabase({
            parent: { type: 'page_id', page_id: parent_id },
            title: titleText(title),
            initial_data_source: { properties: config },
          });
          return answer.id;
        },
        find: async (before) => oneNew(before, await databasesNamed(context, parent_id, title)),
        what: `the creation of the database ${JSON.stringify(title)}`,
      }),
    );
    const database = answer ?? (await context.docs.retrieveDatabase(id));
    return { ...database, data_source_id: database.data_sources[0]?.id };
  },
});
