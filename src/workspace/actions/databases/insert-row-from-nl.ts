import { z } from 'zod';
import { maxText, workspaceId } from '../../../contract/workspace/actions.ts';
import { readSchema } from '../../data-source.ts';
import { defineAction } from '../../define-action.ts';
import { coverUrl, emojiIcon } from '../../inputs.ts';
import { coverOf, emojiOf } from '../../pages/page-fields.ts';
import { checkedProperties, insertRow } from '../../rows/insert-row.ts';
import { planRow } from '../../rows/plan-row.ts';
import { recorded } from '../../steps.ts';

const plan = z.array(z.object({ name: z.string(), type: z.string().exactOptional(), value: z.unknown() }));

export const insertRowFromNl = defineAction({
  id: 'DOCS_INSERT_ROW_FROM_NL',
  summary:
    'Inserts a row described in natural language. The schema is read at run time and the values are made from the text.',
  effect: 'generated_create',
  input: z.strictObject({
    database_id: workspaceId('The database; the id of one of its data sources works too.'),
    nl_query: z
      .string()
      .max(maxText.field)
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
    emojiOf(icon);
    coverOf(cover);
    const { dataSource } = await readSchema(context, database_id);
    // Recorded before any write, so that a retry creates the same row and does not call a model again.
    const values = await recorded(context, 'plan', plan, () => planRow(context, dataSource, nl_query));
    const properties = checkedProperties(context, values, dataSource);
    const row = await insertRow(context, dataSource, properties, { icon, cover, blocks: [] });
    return { ...row, generated_properties: values };
  },
});
