import { z } from 'zod';
import { jsonObject, maxListItems, workspaceId } from '../../../contract/workspace/actions.ts';
import { readContentBlocks } from '../../blocks/given-blocks.ts';
import { readSchema } from '../../data-source.ts';
import { defineAction } from '../../define-action.ts';
import { invalidInput } from '../../failures.ts';
import { contentBlock, coverUrl, emojiIcon } from '../../inputs.ts';
import { coverOf, emojiOf } from '../../pages/page-fields.ts';
import { checkedProperties, insertRow } from '../../rows/insert-row.ts';
import { readNamedValues } from '../../rows/read-properties.ts';

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
    if (typeof values === 'string') throw invalidInput(values);
    const blocks = readContentBlocks(context, child_blocks, 'child_blocks');
    emojiOf(icon);
    coverOf(cover);
    const { dataSource } = await readSchema(context, database_id);
    return insertRow(context, dataSource, checkedProperties(context, values, dataSource), {
      icon,
      cover,
      blocks,
    });
  },
});
