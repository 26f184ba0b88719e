import { z } from 'zod';
import { jsonObject, maxListItems } from '../../../contract/workspace/actions.ts';
import { appendContent } from '../../blocks/append-content.ts';
import { limits } from '../../blocks/block-limits.ts';
import { newNotes } from '../../blocks/block-notes.ts';
import { checkBlockText } from '../../blocks/check-limits.ts';
import { cleanBlock } from '../../blocks/clean-block.ts';
import { defineAction } from '../../define-action.ts';
import { invalidInput } from '../../failures.ts';
import { after, parentBlockId } from '../../inputs.ts';
import { listAt } from '../../json-value.ts';

const row = z.union([jsonObject, z.array(z.unknown()).max(maxListItems)]);

const table = z.strictObject({
  table_width: z
    .int()
    .min(1)
    .max(limits.tableWidth)
    .optional()
    .describe(
      'Number of columns; the cells of every row must be as many. Default: the cells of the first row.',
    ),
  has_column_header: z.boolean().default(false),
  has_row_header: z.boolean().default(false),
  rows: z
    .array(row)
    .min(1)
    .max(maxListItems)
    .describe('{"cells":[cell,…]}; a cell is a list of rich text objects, or text.'),
});
type Table = z.output<typeof table>;

const cellsOf = (given: Table['rows'][number] | undefined): readonly unknown[] =>
  Array.isArray(given) ? given : listAt(given, 'cells');

const asBlock = ({ rows, table_width = cellsOf(rows[0]).length, ...flags }: Table) => ({
  type: 'table',
  table: {
    table_width,
    ...flags,
    children: rows.map((each) => ({
      type: 'table_row',
      table_row: { cells: Array.isArray(each) ? each : (each['cells'] ?? []) },
    })),
  },
});

/** Converts paths within the sent table block to paths within the input. */
const asGiven = (problem: string): string =>
  problem
    .replaceAll(/\.table\.children(\[\d+\])(?:\.table_row)?/g, '.rows$1')
    .replaceAll('.table.table_width', '.table_width');

export const appendTableBlocks = defineAction({
  id: 'DOCS_APPEND_TABLE_BLOCKS',
  summary: 'Appends tables with their rows; a table may have more than 100 rows.',
  effect: 'create',
  input: z.strictObject({
    block_id: parentBlockId,
    after,
    tables: z.array(table).min(1).max(limits.tables).describe('1 to 100 tables.'),
  }),
  example: {
    block_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10',
    tables: [
      {
        table_width: 2,
        has_column_header: true,
        rows: [
          {
            cells: [
              [{ type: 'text', text: { content: 'Item' } }],
              [{ type: 'text', text: { content: 'Price' } }],
            ],
          },
          {
            cells: [[{ type: 'text', text: { content: 'Pen' } }], [{ type: 'text', text: { content: '2' } }]],
          },
        ],
      },
    ],
  },
  run: async (context, { block_id, after: place, tables }) => {
    const notes = newNotes();
    const blocks = tables.flatMap(
      (given, index) => cleanBlock(asBlock(given), `tables[${index}]`, notes) ?? [],
    );
    for (const [index, block] of blocks.entries()) checkBlockText(block, `tables[${index}]`, notes);
    if (notes.problems.length > 0) throw invalidInput(notes.problems.map(asGiven));
    const result = await appendContent(context, { parentId: block_id, blocks, after: place });
    return { ...result, rows: blocks.map((block) => block.children.length) };
  },
});
